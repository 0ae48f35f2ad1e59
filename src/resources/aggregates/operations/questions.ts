/** Questions to the store, made of what clients ask. */
import type { TimeRange } from '#api/graphql/builder';
import { toTimeBounds } from '#api/graphql/time-bounds';
import { AppError } from '#base/errors';
import type { BucketUnit } from '#store/aggregates/buckets';
import type { BucketRequest, SpanQuestion } from '#store/aggregates/port';
import { readFilter } from '../../filters/operations.ts';

/** What all questions of a project have. */
export interface SpanArguments {
  readonly timeRange?: TimeRange | null | undefined;
  readonly filterCondition?: string | null | undefined;
  readonly traceFilterCondition?: string | null | undefined;
  readonly sessionFilterCondition?: string | null | undefined;
}

/** @throws AppError `invalid_argument` where a filter is none, or filters cannot be combined */
export function toSpanQuestion(projectRowId: number, { timeRange, ...filters }: SpanArguments): SpanQuestion {
  const condition = readFilter('span', filters.filterCondition) ?? null;
  const traceCondition = readFilter('trace', filters.traceFilterCondition);
  const sessionCondition = readFilter('session', filters.sessionFilterCondition);
  if (condition !== null && sessionCondition !== undefined) throw new AppError('invalid_argument', ONE_FILTER);
  return { projectRowId, ...toTimeBounds(timeRange), condition, traceCondition, sessionCondition };
}

const ONE_FILTER =
  "filterCondition and sessionFilterCondition cannot be combined: use one of them. A filter for sessions can ask for spans, as in any(s.status_code == 'ERROR' for s in spans).";

/** Buckets as they are asked for by clients of either age. */
export interface BucketArguments {
  readonly scale?: BucketUnit | null | undefined;
  readonly timeZone?: string | null | undefined;
  readonly utcOffsetMinutes?: number | null | undefined;
}

/** The name of a zone comes before an offset, which has no winter. */
export function toBucketRequest({ scale, timeZone, utcOffsetMinutes }: BucketArguments): BucketRequest {
  return { unit: scale ?? null, zone: timeZone ?? utcOffsetMinutes ?? 0 };
}

/** @throws AppError `invalid_argument` */
export function checkShare(probability: number): number {
  if (probability >= 0 && probability <= 1) return probability;
  throw new AppError('invalid_argument', 'A probability is between 0 and 1.');
}
