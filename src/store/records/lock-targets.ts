/**
 * What a command does first that writes a record of a trace, a span or a session: it locks the target until its transaction ends, so
 * that the target is neither erased nor moved meanwhile, and learns which targets there are. What is hidden is not there.
 *
 * A command that has several kinds of targets locks traces or spans before sessions, all of a kind in one call, and all targets before
 * it touches their records: erasing goes in the same order, so neither waits for the other in a circle.
 */
import type { RawBuilder } from 'kysely';
import { isInProject, isSpanInProject } from '../spans/rows/visible.ts';
import type { RecordHandle } from './hooks.ts';

/** A trace or a session that is locked. */
export interface LockedTarget {
  readonly projectRowId: number;
}

/** A span whose trace is locked. */
export interface LockedSpan extends LockedTarget {
  readonly traceRowId: number;
}

/** Locks traces; of those that are there, by row id, what a record may keep of them. Index: primary keys. */
export function lockTraces(scope: RecordHandle, rowIds: readonly number[]): Promise<ReadonlyMap<number, LockedTarget>> {
  return lockRows(scope, 'traces', rowIds);
}

/** Locks sessions; of those that are there, by row id, what a record may keep of them. Index: primary keys. */
export function lockSessions(
  scope: RecordHandle,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, LockedTarget>> {
  return lockRows(scope, 'sessions', rowIds);
}

/** Locks the traces of spans; of the spans that are there, by row id, what a record may keep of them. Index: primary keys. */
export async function lockSpans(
  { db, dialect }: RecordHandle,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, LockedSpan>> {
  const wanted = dialect.numbersOf(rowIds);
  const traces = await db.selectFrom('spans').select('trace_row_id').distinct().where('id', 'in', wanted).execute();
  const traceRowIds: RawBuilder<number> = dialect.numbersOf(traces.map((row) => row.trace_row_id));
  await dialect.lockRows(db, { table: 'traces', rowIds: traceRowIds, isShared: true });
  // A statement of its own: the lock may have waited for the span to go.
  const rows = await db
    .selectFrom('spans')
    .innerJoin('traces', 'traces.id', 'spans.trace_row_id')
    .select(['spans.id', 'spans.trace_row_id', 'traces.project_id'])
    .where('spans.id', 'in', wanted)
    .where(isSpanInProject)
    .execute();
  return new Map(rows.map((row) => [row.id, { traceRowId: row.trace_row_id, projectRowId: row.project_id }]));
}

async function lockRows(
  { db, dialect }: RecordHandle,
  table: 'traces' | 'sessions',
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, LockedTarget>> {
  const wanted = dialect.numbersOf(rowIds);
  await dialect.lockRows(db, { table, rowIds: wanted, isShared: true });
  // A statement of its own: the lock may have waited for the row to be hidden, moved or erased.
  const rows = await db
    .selectFrom(table)
    .select(['id', 'project_id'])
    .where('id', 'in', wanted)
    .where(isInProject(table))
    .execute();
  return new Map(rows.map((row) => [row.id, { projectRowId: row.project_id }]));
}
