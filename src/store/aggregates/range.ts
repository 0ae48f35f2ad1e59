/** The range of a question, with the ends that it leaves open. */
import { AppError } from '#base/errors';
import { sql } from 'kysely';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import type { ClosedRange } from './buckets.ts';
import type { SpanRange } from './port.ts';

/** @throws AppError `invalid_argument` where it ends before it starts */
export function assertForward({ startTimeUs, endTimeUs }: Pick<SpanRange, 'startTimeUs' | 'endTimeUs'>): void {
  if (startTimeUs === undefined || endTimeUs === undefined || startTimeUs <= endTimeUs) return;
  throw new AppError('invalid_argument', 'The time range ends before it starts: give the earlier time as its start.');
}

/**
 * The range from the earliest to after the latest row where it is open; empty where there is none. Index: spans_by_start or
 * traces_by_start, at its two ends; sessions_by_arrival as a whole.
 */
export async function closeRange(
  { db }: ReadScope,
  table: 'spans' | 'traces' | 'sessions',
  { projectRowId, startTimeUs, endTimeUs }: SpanRange,
): Promise<ClosedRange> {
  if (startTimeUs !== undefined && endTimeUs !== undefined) return { startUs: startTimeUs, endUs: endTimeUs };
  const { rows } = await sql<{ readonly first: number | null; readonly last: number | null }>`SELECT
    (SELECT min(start_us) FROM ${sql.table(table)} WHERE project_id = ${projectRowId}) AS first,
    (SELECT max(start_us) FROM ${sql.table(table)} WHERE project_id = ${projectRowId}) AS last`.execute(db);
  const { first = null, last = null } = rows[0] ?? {};
  const startUs = startTimeUs ?? Math.min(first ?? endTimeUs ?? 0, endTimeUs ?? Number.POSITIVE_INFINITY);
  return { startUs, endUs: endTimeUs ?? Math.max(last === null ? startUs : last + 1, startUs) };
}
