import { expect, it } from 'vitest';
import { boundOf, wholeBins } from './number-bins.ts';

it('names bins of counts by the whole numbers in them, and leaves out those without any', () => {
  const bins = [
    { from: 0, to: 0, count: 5 },
    { from: 0.1, to: 0.2, count: 0 },
    { from: 0.5, to: 1, count: 0 },
    { from: 1, to: 2, count: 3 },
    { from: 2, to: 5, count: 4 },
    { from: 5, to: 10, count: 1 },
  ];
  expect(wholeBins(bins)).toEqual([
    { from: 0, to: 0, count: 5 },
    { from: 1, to: 1, count: 3 },
    { from: 2, to: 4, count: 4 },
    { from: 5, to: 9, count: 1 },
  ]);
});

it('bounds bins of counts exactly, and others by six figures', () => {
  const bins = wholeBins([{ from: 1_000_000, to: 2_000_000, count: 1 }]);
  expect(bins.map(({ from, to }) => [boundOf(from).value, boundOf(to).value])).toEqual([[1_000_000, 1_999_999]]);
  expect(boundOf(0.1 + 0.2)).toEqual({ value: 0.3, isExclusive: false });
});
