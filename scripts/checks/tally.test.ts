import { describe, expect, it } from 'vitest';
import { formatTally, tallyOfCheck, tallyOfTests } from './tally.ts';

const REPORT = JSON.stringify({ numPassedTests: 7, numFailedTests: 2 });

describe('tally', () => {
  it('counts a check as one', () => {
    expect(tallyOfCheck(0)).toEqual({ passed: 1, failed: 0 });
    expect(tallyOfCheck(2)).toEqual({ passed: 0, failed: 1 });
  });

  it('counts the tests of a vitest run', () => {
    expect(tallyOfTests(1, REPORT)).toEqual({ passed: 7, failed: 2 });
    expect(tallyOfTests(0, JSON.stringify({ numPassedTests: 7, numFailedTests: 0 }))).toEqual({ passed: 7, failed: 0 });
  });

  it('counts a failure when vitest failed without a failed test', () => {
    expect(tallyOfTests(1, JSON.stringify({ numPassedTests: 7, numFailedTests: 0 }))).toEqual({ passed: 7, failed: 1 });
  });

  it('counts a failure when vitest left no report', () => {
    expect(tallyOfTests(0, undefined)).toEqual({ passed: 0, failed: 1 });
  });

  it('closes with one line', () => {
    expect(formatTally([tallyOfCheck(0), tallyOfTests(1, REPORT)])).toBe('8 passed, 2 failed');
  });
});
