/** Actions on traces and sessions that change the traces themselves. */
import { TRACES_A_TRANSACTION } from '../deletion/hide.ts';
import type { TouchedProject } from '../engine/touched-project.ts';
import type { DeriveScope } from '../spans/write/derive-again.ts';
import type { BulkRows } from './bulk-action.ts';
import { type Act, type Acting, ROWS_AT_ONCE, without } from './doing.ts';
import { findTraces, tracesOfSessions } from './find-rows.ts';

/** Changes the first of the traces, which are of the project. Called with one at least. */
export type ChangeTraces = (
  scope: DeriveScope,
  acting: Acting,
  traceRowIds: readonly number[],
) => Promise<ChangedTraces>;

/** What came of it. */
export interface ChangedTraces {
  readonly changed: readonly number[];
  readonly touched: readonly TouchedProject[];
}

/** Nothing was to be changed. */
export const NO_TRACES: ChangedTraces = { changed: [], touched: [] };

/** Changes traces. Of one that got spans since, these stay where it is deleted; moved, it takes them along. */
export function changingTraces(change: ChangeTraces): Act {
  return async (scope, acting, rowIds) => {
    const there = await findTraces(scope, acting, rowIds);
    const { changed, touched } = there.length === 0 ? NO_TRACES : await change(scope, acting, there);
    return { done: changed, gone: without(rowIds, there), touched };
  };
}

/** Changes the traces that sessions had, some at a time: a session is done when none is left. */
export function changingSessions(change: ChangeTraces): Act {
  return async (scope, acting, rowIds) => {
    const { sessions, traces, next } = await tracesOfSessions(scope, acting, rowIds, TRACES_A_TRANSACTION);
    const there = traces.map(({ rowId }) => rowId);
    const { changed, touched } = there.length === 0 ? NO_TRACES : await change(scope, acting, there);
    const left = new Set(without(there, changed));
    const unfinished = new Set(traces.filter(({ rowId }) => left.has(rowId)).map(({ sessionRowId }) => sessionRowId));
    const done = sessions.filter((rowId) => rowId < next && !unfinished.has(rowId));
    return { done, gone: without(rowIds, sessions), touched };
  };
}

/** Whether the rows stand for few traces and log records. */
export async function standForFew(
  { db, dialect }: DeriveScope,
  rows: BulkRows,
  rowIds: readonly number[],
): Promise<boolean> {
  const wanted = dialect.numbersOf(rowIds);
  if (rows === 'session') {
    const traces = db.selectFrom('traces').select('id').where('session_row_id', 'in', wanted);
    return (await traces.limit(ROWS_AT_ONCE + 1).execute()).length <= ROWS_AT_ONCE;
  }
  if (rows === 'trace') return true;
  const records = db.selectFrom('log_records').select('id').where('span_row_id', 'in', wanted);
  return (await records.limit(MAX_RECORDS + 1).execute()).length <= MAX_RECORDS;
}

/** Log records that go with spans at once. */
const MAX_RECORDS = 1000;
