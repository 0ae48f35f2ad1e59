import { expect, it } from 'vitest';
import { formatChange, isEmptyChart, stackBefore, stretchOf, tabSeparated, totalAt, totalsOf } from './chart-data.ts';

const series = (...values: (number | null)[]) => ({ label: 'a', color: '', values });

it('compares with the time before', () => {
  const compared = [
    { ...series(1, 2), before: [3, null] },
    { ...series(10, null), before: [4, null] },
  ];
  expect(stackBefore(compared)).toEqual([7, null]);
  expect(totalsOf(compared)).toEqual({ now: 13, before: 7 });
  expect([totalAt(compared, 0), totalAt(compared, 0, 'before'), totalAt(compared, 1, 'before')]).toEqual([11, 7, 0]);
  expect([formatChange(7, 13), formatChange(8, 6), formatChange(2, 2), formatChange(0, 2)]).toEqual([
    '+86 %',
    '−25 %',
    '±0 %',
    undefined,
  ]);
});

it('knows where buckets end, the last one too, in whichever order they were chosen', () => {
  const data = { timesMs: [0, 10], endMs: 25, series: [] };
  expect([stretchOf(data, 0), stretchOf(data, 1), stretchOf(data, 1, 0)]).toEqual([
    { startMs: 0, endMs: 10 },
    { startMs: 10, endMs: 25 },
    { startMs: 0, endMs: 25 },
  ]);
});

it('is empty where nothing is, not before either', () => {
  expect(isEmptyChart([series(0, null)])).toBe(true);
  expect(isEmptyChart([series(0, null), { ...series(0), before: [2] }])).toBe(false);
});

it('gives spreadsheets exact values', () => {
  const data = { timesMs: [0], endMs: 10, series: [{ ...series(0.000123), before: [null] }] };
  expect(tabSeparated(data)).toBe('From\ta\ta, previous\n1970-01-01T00:00:00.000Z\t0.000123\t');
});
