/** What owns what: sessions of traces, and what lies below traces and sessions. */
import type { SetScope } from './set-members.ts';

type OwnerScope = Pick<SetScope, 'db' | 'dialect'>;

/** By trace row id, for traces that have a session. Index: the primary key. */
export async function readSessionsOfTraces(
  { db, dialect }: OwnerScope,
  traceRowIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('traces')
    .select(['id', 'session_row_id'])
    .where('id', 'in', dialect.numbersOf(traceRowIds))
    .execute();
  return new Map(rows.flatMap(({ id, session_row_id: rowId }) => (rowId === null ? [] : [[id, rowId] as const])));
}

/** Row ids of the traces that own spans, each once. Index: the primary key. */
export async function readTracesOfSpans(
  { db, dialect }: OwnerScope,
  spanRowIds: readonly number[],
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('spans')
    .select('trace_row_id')
    .distinct()
    .where('id', 'in', dialect.numbersOf(spanRowIds))
    .execute();
  return rows.map(({ trace_row_id: rowId }) => rowId);
}

/** Row ids of the spans of traces, so many at most. Index: spans_of_trace. */
export async function listSpansOfTraces(
  { db, dialect }: OwnerScope,
  traceRowIds: readonly number[],
  limit: number,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('spans')
    .select('id')
    .where('trace_row_id', 'in', dialect.numbersOf(traceRowIds))
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Row ids of the traces of sessions, so many at most. Index: traces_of_session. */
export async function listTracesOfSessions(
  { db, dialect }: OwnerScope,
  sessionRowIds: readonly number[],
  limit: number,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('traces')
    .select('id')
    .where('session_row_id', 'in', dialect.numbersOf(sessionRowIds))
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
