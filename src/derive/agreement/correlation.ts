/** How far the scores of two judges go together. */

/** Two scores of the same thing, and how often these two met. */
export type ScorePair = readonly [first: number, second: number, count: number];

/** Both coefficients from -1 to 1; `null` where one judge always gives the same score, or there are fewer than two pairs. */
export interface Correlation {
  readonly pairCount: number;
  /** Of the scores. */
  readonly pearson: number | null;
  /** Of their ranks, ties at their mean. */
  readonly spearman: number | null;
  /** The mean of the absolute differences; `null` without pairs. */
  readonly meanAbsoluteError: number | null;
}

/** See {@link Correlation}. */
export function correlate(pairs: readonly ScorePair[]): Correlation {
  let pairCount = 0;
  let difference = 0;
  for (const [first, second, count] of pairs) {
    pairCount += count;
    difference += count * Math.abs(first - second);
  }
  const firstRanks = ranksOf(pairs.map(([first, , count]) => [first, count]));
  const secondRanks = ranksOf(pairs.map(([, second, count]) => [second, count]));
  const ranked = pairs.map(
    ([first, second, count]) => [firstRanks.get(first) ?? 0, secondRanks.get(second) ?? 0, count] as const,
  );
  return {
    pairCount,
    pearson: pearson(pairs, pairCount),
    spearman: pearson(ranked, pairCount),
    meanAbsoluteError: pairCount === 0 ? null : difference / pairCount,
  };
}

function pearson(pairs: readonly ScorePair[], pairCount: number): number | null {
  if (pairCount < 2) return null;
  let [firstMean, secondMean] = [0, 0];
  for (const [first, second, count] of pairs) {
    firstMean += (count * first) / pairCount;
    secondMean += (count * second) / pairCount;
  }
  let [product, firstSquares, secondSquares] = [0, 0, 0];
  for (const [first, second, count] of pairs) {
    const [left, right] = [first - firstMean, second - secondMean];
    product += count * left * right;
    firstSquares += count * left * left;
    secondSquares += count * right * right;
  }
  if (firstSquares === 0 || secondSquares === 0) return null;
  return Math.max(-1, Math.min(1, product / Math.sqrt(firstSquares * secondSquares)));
}

/** By value; equal values share the mean of their ranks, from 1. */
function ranksOf(values: readonly (readonly [value: number, count: number])[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const [value, count] of values) counts.set(value, (counts.get(value) ?? 0) + count);
  const ranks = new Map<number, number>();
  let before = 0;
  for (const [value, count] of [...counts].sort(([one], [other]) => one - other)) {
    ranks.set(value, before + (count + 1) / 2);
    before += count;
  }
  return ranks;
}
