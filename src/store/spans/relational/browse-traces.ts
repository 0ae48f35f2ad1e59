/** Pages of traces in any order that tables offer. */
import { type SqlBool, sql } from 'kysely';
import type { KeysetPage, KeysetRequest } from '#domain/page';
import type { TraceScope, TraceTableSort } from '../browse-port.ts';
import type { TraceRow } from '../port.ts';
import { selectTraceRows, toTraceRow } from './list-traces.ts';
import type { ReadScope } from './read-scope.ts';
import { unindexed } from './span-query.ts';

/**
 * One page. Index: traces_by_start or traces_by_latency; traces_by_start too where few lie in the bounds, traces_of_session
 * for those of a session.
 */
export async function browseTraces(
  scope: ReadScope,
  traces: TraceScope,
  { sort, order, limit, after }: KeysetRequest<TraceTableSort>,
): Promise<KeysetPage<TraceRow>> {
  const isByStart = sort === 'start_time';
  const isSorted = 'sessionRowId' in traces || (!isByStart && (await areFew(scope, traces)));
  const name = isByStart ? 'traces.start_us' : 'traces.latency_us';
  const column = isSorted && !isByStart ? unindexed(name) : sql.ref<number>(name);
  const startUs = isByStart || isSorted ? sql.ref<number>('traces.start_us') : unindexed('traces.start_us');
  let query = selectTraceRows(scope.db).select(column.as('value'));
  if ('sessionRowId' in traces) query = query.where('traces.session_row_id', '=', traces.sessionRowId);
  else {
    query = query.where('traces.project_id', '=', traces.projectRowId);
    if (traces.startTimeUs !== undefined) query = query.where(startUs, '>=', traces.startTimeUs);
    if (traces.endTimeUs !== undefined) query = query.where(startUs, '<', traces.endTimeUs);
  }
  if (after !== null) {
    const beyond = sql.raw(order === 'asc' ? '>' : '<');
    query = query.where(sql<SqlBool>`(${column}, traces.id) ${beyond} (${after.value}, ${after.rowId})`);
  }
  const rows = await query
    .orderBy(column, order)
    .orderBy('traces.id', order)
    .limit(limit + 1)
    .execute();
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    rows: rows.slice(0, limit).map(toTraceRow),
    next: last === undefined ? null : { value: last.value, rowId: last.id },
  };
}

/** Whether the traces in the bounds are rather sorted than looked for along the index of an order. Index: traces_by_start. */
async function areFew({ db }: ReadScope, traces: Exclude<TraceScope, { sessionRowId: number }>): Promise<boolean> {
  const { projectRowId, startTimeUs, endTimeUs } = traces;
  if (startTimeUs === undefined && endTimeUs === undefined) return false;
  let query = db.selectFrom('traces').select('id').where('project_id', '=', projectRowId);
  if (startTimeUs !== undefined) query = query.where('start_us', '>=', startTimeUs);
  if (endTimeUs !== undefined) query = query.where('start_us', '<', endTimeUs);
  return (await query.limit(1).offset(MAX_SORTED_ROWS).executeTakeFirst()) === undefined;
}

const MAX_SORTED_ROWS = 20_000;
