import { expect, it } from 'vitest';
import { bucketAt, formatChange, stackBefore, stackSeries, totalsOf } from './chart-data.ts';

const series = (...values: (number | null)[]) => ({ label: '', color: '', values });

it('sets each layer on those below it', () => {
  expect(stackSeries([series(1, 2, null), series(10, null, 30)])).toEqual([
    [1, 2, 0],
    [11, 2, 30],
  ]);
});

it('compares with the time before', () => {
  const compared = [
    { ...series(1, 2), before: [3, null] },
    { ...series(10, null), before: [4, null] },
  ];
  expect(stackBefore(compared)).toEqual([7, null]);
  expect(totalsOf(compared)).toEqual({ now: 13, before: 7 });
  expect([formatChange(7, 13), formatChange(8, 6), formatChange(2, 2), formatChange(0, 2)]).toEqual([
    '+86 %',
    '−25 %',
    '±0 %',
    undefined,
  ]);
});

it('knows where a bucket ends, the last one too', () => {
  const data = { timesMs: [0, 10], endMs: 25, series: [] };
  expect([bucketAt(data, 0), bucketAt(data, 1)]).toEqual([
    { startMs: 0, endMs: 10 },
    { startMs: 10, endMs: 25 },
  ]);
});
