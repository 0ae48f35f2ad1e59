import { expect, it } from 'vitest';
import { hit, ndcg, precision, reciprocalRank } from './retrieval-metrics.ts';

it.each<[scores: readonly number[], k: number | null, gain: number | null]>([
  [[1, 0, 0], null, 1],
  [[0, 0, 1], null, 0.5],
  [[0, 1, 0, 1], null, (1 / Math.log2(3) + 1 / Math.log2(5)) / (1 + 1 / Math.log2(3))],
  [[0, 1], 1, 0],
  [[3, 2, 3], 2, (3 + 2 / Math.log2(3)) / (3 + 3 / Math.log2(3))],
  [[0, 0], null, 0],
  [[], null, 0],
  [[1, -1], null, null],
])('ranks %j, of the first %j, with a gain of %d', (scores, k, gain) => {
  const found = ndcg(scores, k);
  if (gain === null || found === null) expect(found).toBe(gain);
  else expect(found).toBeCloseTo(gain, 12);
});

it('tells the share, the first rank and whether any is relevant', () => {
  expect([precision([1, 0, 1, 0]), precision([1, 0, 1], 1), precision([1, 0, 1], 9), precision([])]).toEqual([
    0.5,
    1,
    2 / 3,
    null,
  ]);
  expect([reciprocalRank([0, 0, 1]), reciprocalRank([0]), reciprocalRank([])]).toEqual([1 / 3, 0, 0]);
  expect([hit([0, 0.5]), hit([0]), hit([])]).toEqual([1, 0, 0]);
});
