/**
 * Krippendorff's alpha: agreement beyond chance of any number of judges, each of whom may have judged some of the things.
 * What is said of a thing enters by sums alone, which a database can make.
 * @see Krippendorff, K. (2011). Computing Krippendorff's Alpha-Reliability.
 */

/** How often values were said of one thing, or of all of them. */
export interface LabelSums {
  /** Values that were said. */
  readonly count: number;
  /** The sum of the squares of how often each label was said. */
  readonly squares: number;
}

/** The scores that were said of one thing, or of all of them. */
export interface ScoreSums {
  readonly count: number;
  readonly sum: number;
  readonly squares: number;
}

/** Disagreement of all ordered pairs of labels: the pairs that differ. */
export function labelDisagreement({ count, squares }: LabelSums): number {
  return count * count - squares;
}

/** Disagreement of all ordered pairs of scores: the sum of the squares of their differences. */
export function scoreDisagreement({ count, sum, squares }: ScoreSums): number {
  return 2 * (count * squares - sum * sum);
}

/** What alpha is made of; only things of which at least two values were said enter. */
export interface AlphaSums {
  /** The sum over the things of their disagreement, divided by one less than the number of their values. */
  readonly observed: number;
  /** Disagreement of all values, whatever they were said of. */
  readonly total: number;
  readonly valueCount: number;
}

/** At most 1; `null` where nothing can be said: without pairs, or where all values are the same. */
export function krippendorffAlpha({ observed, total, valueCount }: AlphaSums): number | null {
  if (valueCount < 2 || total <= 0) return null;
  return 1 - (observed * (valueCount - 1)) / total;
}
