/** Traces and sessions by their ids. */
import type { SessionRow, TraceRow } from '../port.ts';
import { selectSessionRows, toSessionRow } from './session-rows.ts';
import { isInProject } from './visible.ts';
import { selectTraceRows, toTraceRow } from './trace-rows.ts';
import type { ReadScope } from './read-scope.ts';

/** By row id. Index: the primary key. */
export async function findTraces(
  { db, dialect }: ReadScope,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, TraceRow>> {
  const rows = await selectTraceRows(db)
    .where('traces.id', 'in', dialect.numbersOf(rowIds))
    .where(isInProject('traces'))
    .execute();
  return new Map(rows.map((row) => [row.id, toTraceRow(row)]));
}

/** Index: unique trace_id. */
export async function findTraceByOtelId({ db }: ReadScope, traceId: string): Promise<TraceRow | undefined> {
  const row = await selectTraceRows(db)
    .where('traces.trace_id', '=', traceId)
    .where(isInProject('traces'))
    .executeTakeFirst();
  return row === undefined ? undefined : toTraceRow(row);
}

/** By row id. Index: the primary key. */
export async function findSessions(
  { db, dialect }: ReadScope,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, SessionRow>> {
  const rows = await selectSessionRows(db)
    .where('id', 'in', dialect.numbersOf(rowIds))
    .where(isInProject('sessions'))
    .execute();
  return new Map(rows.map((row) => [row.id, toSessionRow(row)]));
}
