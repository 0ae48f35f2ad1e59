import { describe, expect, it } from 'vitest';
import { isSampled, rankInSample } from './sample.ts';

const ROWS = 100_000;
const rowIds = Array.from({ length: ROWS }, (_, place) => place + 1);
const sampleOf = (queue: number, percent: number) => rowIds.filter((rowId) => isSampled(queue, rowId, percent));

describe('a share of rows', () => {
  it.each([0.1, 1, 10, 50, 99])('of %d percent is as large as it says', (percent) => {
    const expected = (ROWS * percent) / 100;
    // Five standard deviations of a share taken by chance.
    const tolerance = 5 * Math.sqrt(expected * (1 - percent / 100));
    for (const queue of [1, 2, 1000, 2 ** 40]) {
      expect(Math.abs(sampleOf(queue, percent).length - expected)).toBeLessThan(tolerance);
    }
  });

  it('is all of them, or none, at its ends', () => {
    expect([sampleOf(3, 100).length, sampleOf(3, 0).length]).toEqual([ROWS, 0]);
  });

  it('lies evenly among rows that follow each other', () => {
    const parts = Array.from({ length: 100 }, () => 0);
    for (const rowId of sampleOf(7, 10))
      parts[Math.floor((rowId - 1) / 1000)] = (parts[Math.floor((rowId - 1) / 1000)] ?? 0) + 1;
    const chiSquared = parts.reduce((sum, count) => sum + (count - 100) ** 2 / 90, 0);
    // Of 99 degrees of freedom, less than one of a hundred thousand by chance.
    expect(chiSquared).toBeLessThan(168);
  });

  it('is another one in each queue: a tenth of a tenth is in both', () => {
    const both = new Set(sampleOf(1, 10));
    const shared = sampleOf(2, 10).filter((rowId) => both.has(rowId)).length;
    expect(Math.abs(shared - ROWS / 100)).toBeLessThan(5 * Math.sqrt(ROWS / 100));
  });

  it('holds all of a smaller one, however often it is asked for', () => {
    const larger = new Set(sampleOf(5, 20));
    expect(sampleOf(5, 10).every((rowId) => larger.has(rowId))).toBe(true);
  });
});

it('no two rows have one rank', () => {
  const large = [2 ** 26, 2 ** 32, 2 ** 40, 2 ** 52 - ROWS - 1].flatMap((first) =>
    rowIds.map((rowId) => first + rowId),
  );
  const all = new Set([...rowIds, ...large].map((rowId) => rankInSample(9, rowId)));
  expect(all.size).toBe(new Set([...rowIds, ...large]).size);
});
