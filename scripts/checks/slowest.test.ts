import { expect, it } from 'vitest';
import { formatSlowest, timeFiles } from './slowest.ts';

it('names the slowest files of a report with their seconds', () => {
  const report = JSON.stringify({
    testResults: [
      { name: '/checkout/test/quick.test.ts', startTime: 1000, endTime: 1200 },
      { name: '/checkout/test/slow.test.ts', startTime: 2000, endTime: 14_500 },
      { name: '/checkout/src/base/middle.test.ts', startTime: 0, endTime: 3000 },
    ],
  });
  expect(formatSlowest(timeFiles(report, '/checkout'), 2)).toBe(
    [
      'The slowest of 3 test files, which took 16 worker-seconds:',
      '   12.5 s  test/slow.test.ts',
      '    3.0 s  src/base/middle.test.ts',
    ].join('\n'),
  );
});

it('knows no files where a run wrote no report', () => {
  expect(timeFiles(undefined, '/checkout')).toEqual([]);
});
