import { AppError } from '#base/errors';
import type { TimeRange } from './builder.ts';

/**
 * The bounds of a range as the store takes them; `null` does not bound.
 * @throws AppError `invalid_argument` where it ends before it starts
 */
export function toTimeBounds(range: TimeRange | null | undefined): {
  readonly startTimeUs: number | undefined;
  readonly endTimeUs: number | undefined;
} {
  if (range?.start != null && range.end != null && range.end < range.start) {
    throw new AppError('invalid_argument', 'The time range ends before it starts: give the earlier time as its start.');
  }
  return { startTimeUs: range?.start ?? undefined, endTimeUs: range?.end ?? undefined };
}
