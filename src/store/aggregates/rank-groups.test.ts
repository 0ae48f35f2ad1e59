import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rankGroups } from './rank-groups.ts';

const rank = (values: readonly number[], counts: readonly number[], direction: 'asc' | 'desc') =>
  rankGroups({ values: Float64Array.from(values), counts: Float64Array.from(counts), direction });

it('orders groups by their values, then by how many rows they have, then by which came first', () => {
  expect(rank([1, 3, 2], [1, 1, 1], 'desc')).toEqual([1, 2, 0]);
  expect(rank([1, 3, 2], [1, 1, 1], 'asc')).toEqual([0, 2, 1]);
  expect(rank([1, 1, 1, 1], [2, 5, 2, 1], 'asc')).toEqual([1, 0, 2, 3]);
});

it('puts groups without a value last either way', () => {
  expect(rank([Number.NaN, 1, Number.NaN, 2], [1, 1, 9, 1], 'desc')).toEqual([3, 1, 2, 0]);
  expect(rank([Number.NaN, 1, Number.NaN, 2], [1, 1, 9, 1], 'asc')).toEqual([1, 3, 2, 0]);
});

it('names each group once', () => {
  const values = fc.array(fc.constantFrom(0, 1, 2.5, Number.NaN, Infinity), { maxLength: 20 });
  fc.assert(
    fc.property(values, fc.constantFrom('asc' as const, 'desc' as const), (all, direction) => {
      expect(rank(all, [], direction).toSorted((a, b) => a - b)).toEqual([...all.keys()]);
    }),
  );
});
