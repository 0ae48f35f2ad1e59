import { expect, it } from 'vitest';
import { describeTraces } from './sparkline-text.ts';

const HOUR = 3_600_000;
const START = Date.parse('2019-11-20T05:00:00Z');

function bars(counts: readonly (readonly [count: number, errorCount: number])[]) {
  return counts.map(([count, errorCount], place) => ({
    startMs: START + place * HOUR,
    endMs: START + (place + 1) * HOUR,
    count,
    errorCount,
  }));
}

it('says how many traces there are, when most were, and where errors are', () => {
  expect(
    describeTraces(
      bars([
        [3, 0],
        [1200, 2],
        [31, 1],
        [0, 0],
      ]),
      'UTC',
    ),
  ).toBe(
    '1,234 traces, 3 with errors. Busiest: Nov 20, 2019, 06:00 – 07:00 (1,200). Errors in 2 of 4 bars, last Nov 20, 2019, 07:00 – 08:00.',
  );
  expect(describeTraces(bars([[1, 0]]), 'UTC')).toBe(
    '1 trace, none with errors. Busiest: Nov 20, 2019, 05:00 – 06:00 (1).',
  );
  expect(describeTraces(bars([[0, 0]]), 'UTC')).toBe('No traces');
});
