/** How far the scores of two judges go together. */

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

/** @param firsts and `seconds`: the scores of the pairs, in one order */
export function correlate(firsts: readonly number[], seconds: readonly number[]): Correlation {
  const pairCount = firsts.length;
  let difference = 0;
  firsts.forEach((first, place) => {
    difference += Math.abs(first - (seconds[place] ?? 0));
  });
  return {
    pairCount,
    pearson: pearson(firsts, seconds),
    spearman: pearson(ranksOf(firsts), ranksOf(seconds)),
    meanAbsoluteError: pairCount === 0 ? null : difference / pairCount,
  };
}

function pearson(firsts: readonly number[], seconds: readonly number[]): number | null {
  if (firsts.length < 2) return null;
  const [firstMean, secondMean] = [meanOf(firsts), meanOf(seconds)];
  let [product, firstSquares, secondSquares] = [0, 0, 0];
  firsts.forEach((first, place) => {
    const [left, right] = [first - firstMean, (seconds[place] ?? 0) - secondMean];
    product += left * right;
    firstSquares += left * left;
    secondSquares += right * right;
  });
  if (firstSquares === 0 || secondSquares === 0) return null;
  return Math.max(-1, Math.min(1, product / Math.sqrt(firstSquares * secondSquares)));
}

function ranksOf(values: readonly number[]): readonly number[] {
  const order = values.map((_, place) => place).sort((one, other) => (values[one] ?? 0) - (values[other] ?? 0));
  const ranks = values.map(() => 0);
  for (let from = 0; from < order.length; ) {
    const value = values[order[from] ?? 0];
    let end = from + 1;
    while (end < order.length && values[order[end] ?? 0] === value) end++;
    for (const place of order.slice(from, end)) ranks[place] = (from + end + 1) / 2;
    from = end;
  }
  return ranks;
}

function meanOf(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}
