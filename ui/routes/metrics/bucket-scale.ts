/** Buckets for charts whose scale the page chooses, and the time before to compare with. */
import type { TimeBinScale } from '#ui/__generated__/spanChartTracesQuery.graphql.ts';
import type { ResolvedTimeRange } from '#ui/lib/time-range.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const SCALES: readonly (readonly [scale: TimeBinScale, ms: number])[] = [
  ['MINUTE', MINUTE_MS],
  ['FIVE_MINUTES', 5 * MINUTE_MS],
  ['QUARTER_HOUR', 15 * MINUTE_MS],
  ['HOUR', HOUR_MS],
  ['SIX_HOURS', 6 * HOUR_MS],
  ['DAY', DAY_MS],
  ['WEEK', 7 * DAY_MS],
];

/** More would be bars too thin for their patterns. */
const MAX_BUCKETS = 100;

/** Shown of a range without a start. */
const DEFAULT_DAYS = 90;

/** A range that reaches up to now is longer than it says by less than this. */
const SLACK_MS = 5 * MINUTE_MS;

/** A range with both of its ends, in ISO 8601. */
export interface Stretch {
  readonly start: string;
  readonly end: string;
}

/** What charts are asked for. */
export interface Period {
  readonly range: Stretch;
  /** The finest one of which the range holds no more than fit. */
  readonly scale: TimeBinScale;
  /** As much time directly before; null of a range without a start. */
  readonly before: { readonly range: Stretch; readonly shiftMs: number } | null;
}

/** The range in buckets. The time before is so far back that each of its buckets has one here, of the same length. */
export function periodOf({ start, end }: ResolvedTimeRange, nowMs: number): Period {
  // In whole minutes, so that the question stays the same while the page is drawn again.
  const endMs = end === undefined ? Math.ceil(nowMs / MINUTE_MS) * MINUTE_MS : Date.parse(end);
  const startMs = start === undefined ? endMs - DEFAULT_DAYS * DAY_MS : Date.parse(start);
  const lengthMs = endMs - startMs;
  const [scale, bucketMs] = SCALES.find(([, ms]) => lengthMs / ms <= MAX_BUCKETS) ?? (['MONTH', lengthMs] as const);
  const slackMs = Math.min(SLACK_MS, bucketMs / 2);
  const shiftMs = Math.max(1, Math.ceil((lengthMs - slackMs) / bucketMs)) * bucketMs;
  const before = { range: stretch(startMs - shiftMs, Math.min(endMs - shiftMs, startMs)), shiftMs };
  return { range: stretch(startMs, endMs), scale, before: start === undefined ? null : before };
}

function stretch(startMs: number, endMs: number): Stretch {
  return { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() };
}

/**
 * For each bucket the place of the one that lies `shiftMs` earlier; null where there is none. Days on which clocks change
 * are longer or shorter than their counterparts.
 */
export function placesBefore(
  timesMs: readonly number[],
  earlierMs: readonly number[],
  shiftMs: number,
): readonly (number | null)[] {
  let place = 0;
  return timesMs.map((timeMs, at) => {
    const wantedMs = timeMs - shiftMs;
    const distance = (candidate: number) => Math.abs((earlierMs[candidate] ?? Number.POSITIVE_INFINITY) - wantedMs);
    while (distance(place + 1) <= distance(place) && place + 1 < earlierMs.length) place++;
    const lengthMs = (timesMs[at + 1] ?? timeMs) - timeMs || timeMs - (timesMs[at - 1] ?? Number.NEGATIVE_INFINITY);
    return place < earlierMs.length && distance(place) <= lengthMs / 2 ? place : null;
  });
}
