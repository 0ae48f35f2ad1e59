/** Buckets of time: what stands out among them, and which time a choice of them is. */
import type { Selection } from '#ui/components/chart/bucket-selection.ts';

/** What fell into a stretch of time. Times in ISO 8601. */
export interface Bucket {
  readonly startTime: string;
  readonly endTime: string;
  readonly totalCount: number;
  readonly okCount: number;
  readonly errorCount: number;
  readonly unsetCount: number;
  /** Null where nothing ended. */
  readonly latencyMsP95: number | null | undefined;
  /** US dollars. */
  readonly cost: number;
}

/** Places of the buckets that stand out; null where none does. */
export interface Outliers {
  readonly slowest: number | null;
  readonly costliest: number | null;
}

/** The slowest and the most expensive bucket; of one alone nothing can be said. */
export function findOutliers(buckets: readonly Bucket[]): Outliers {
  if (buckets.filter(({ totalCount }) => totalCount > 0).length < 2) return { slowest: null, costliest: null };
  return {
    slowest: placeOfMost(buckets.map(({ latencyMsP95 }) => latencyMsP95 ?? 0)),
    costliest: placeOfMost(buckets.map(({ cost }) => cost)),
  };
}

/** Instants between which the chosen buckets lie; null where there are none. */
export function rangeOf(buckets: readonly Bucket[], { from, to }: Selection): readonly [string, string] | null {
  const first = buckets[Math.min(from, to)];
  const last = buckets[Math.max(from, to)];
  return first === undefined || last === undefined ? null : [first.startTime, last.endTime];
}

function placeOfMost(values: readonly number[]): number | null {
  const most = Math.max(...values);
  return most > 0 ? values.indexOf(most) : null;
}
