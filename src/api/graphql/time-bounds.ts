import type { TimeRange } from './builder.ts';

/** The bounds of a range as the store takes them; `null` does not bound. */
export function toTimeBounds(range: TimeRange | null | undefined): {
  readonly startTimeUs: number | undefined;
  readonly endTimeUs: number | undefined;
} {
  return { startTimeUs: range?.start ?? undefined, endTimeUs: range?.end ?? undefined };
}
