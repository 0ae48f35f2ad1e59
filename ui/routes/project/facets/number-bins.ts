/** Histograms of counts of things. */
import type { NumberBound } from '#filter/range-terms';

/** So many numbers from one to another. */
export interface NumberBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/**
 * The bins of whole numbers that are not negative, named by the least and the greatest number in each.
 * @param bins up to their upper edge, which is not in them, but for a bin of zeroes
 */
export function wholeBins(bins: readonly NumberBin[]): readonly NumberBin[] {
  return bins.flatMap(({ from, to, count }) => {
    if (to === from) return { from, to, count };
    const [first, last] = [Math.ceil(from), Math.ceil(to) - 1];
    return first > last ? [] : { from: first, to: last, count };
  });
}

/** The bound at an edge of a bin. Six figures are enough to find what is between broken ones; counts are exact. */
export function boundOf(edge: number): NumberBound {
  return { value: Number.isInteger(edge) ? edge : Number(edge.toPrecision(6)), isExclusive: false };
}
