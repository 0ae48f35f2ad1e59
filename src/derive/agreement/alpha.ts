/**
 * Krippendorff's alpha: agreement beyond chance of any number of judges, each of whom may have judged some of the things.
 * @see Krippendorff, K. (2011). Computing Krippendorff's Alpha-Reliability.
 */

/** How far two values are apart: not at all or fully for labels, by the square of the difference for scores. */
export type AlphaMetric = 'nominal' | 'interval';

/**
 * @param units what was said of each thing; one with fewer than two values says nothing of agreement
 * @returns at most 1; `null` where nothing can be said: without pairs, or where all values are the same
 */
export function krippendorffAlpha(units: Iterable<readonly (number | string)[]>, metric: AlphaMetric): number | null {
  const totals = new Map<number | string, number>();
  let valueCount = 0;
  let observed = 0;
  for (const values of units) {
    if (values.length < 2) continue;
    valueCount += values.length;
    for (const value of values) totals.set(value, (totals.get(value) ?? 0) + 1);
    observed += disagreement(countsOf(values), metric) / (values.length - 1);
  }
  const expected = disagreement(totals, metric) / (valueCount - 1);
  return valueCount < 2 || expected === 0 ? null : 1 - observed / expected;
}

/** The sum over all ordered pairs of values, in one pass over the distinct ones. */
function disagreement(counts: ReadonlyMap<number | string, number>, metric: AlphaMetric): number {
  let total = 0;
  for (const count of counts.values()) total += count;
  if (metric === 'nominal') {
    let equal = 0;
    for (const count of counts.values()) equal += count * count;
    return total * total - equal;
  }
  // Σ (a - b)² over ordered pairs is 2 n Σ (a - mean)², which does not lose digits to large values.
  let sum = 0;
  for (const [value, count] of counts) sum += Number(value) * count;
  const mean = sum / total;
  let squares = 0;
  for (const [value, count] of counts) squares += count * (Number(value) - mean) ** 2;
  return 2 * total * squares;
}

function countsOf(values: readonly (number | string)[]): ReadonlyMap<number | string, number> {
  const counts = new Map<number | string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
