import { describe, expect, it } from 'vitest';
import { readSample } from './sample.ts';

describe('a sample of the selected rows', () => {
  it.each([
    ['all', 'whatever', null],
    ['percent', ' 12,5 ', { percent: 12.5 }],
    ['percent', '100', { percent: 100 }],
    ['count', '50', { count: 50 }],
  ] as const)('%s %j is %j', (kind, text, sample) => {
    expect(readSample(kind, text)).toEqual(sample);
  });

  it.each([
    ['percent', '0'],
    ['percent', '100.1'],
    ['percent', ''],
    ['percent', '0x10'],
    ['count', '1.5'],
    ['count', '0'],
    ['count', '-3'],
  ] as const)('%s %j is told', (kind, text) => {
    expect(readSample(kind, text)).toMatch(/^Enter /);
  });
});
