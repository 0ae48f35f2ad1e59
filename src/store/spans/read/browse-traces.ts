/** Pages of traces in any order that tables offer. */
import { type SqlBool, sql } from 'kysely';
import type { KeysetPage, KeysetRequest } from '#domain/page';
import { searchTraces } from '../../query/grains/search-traces.ts';
import { isIndexedSort, readFromUs, traceSortValue } from '../../query/grains/trace-steps.ts';
import { listAroundDamage } from '../../engine/list-around-damage.ts';
import type { TraceScope, TraceTableSort } from '../browse-port.ts';
import type { TraceRow } from '../port.ts';
import { selectTraceRows, toTraceRow } from '../rows/trace-rows.ts';
import type { ReadScope } from '../rows/read-scope.ts';

/**
 * One page. Index: traces_by_start or traces_by_latency; traces_by_start too where few lie in the bounds and for orders by
 * sums, which sort all in the bounds; traces_of_session for those of a session.
 */
export async function browseTraces(
  scope: ReadScope,
  traces: TraceScope,
  page: KeysetRequest<TraceTableSort>,
): Promise<KeysetPage<TraceRow>> {
  if ('condition' in traces && traces.condition !== undefined) {
    return searchTraces(scope, { ...traces, condition: traces.condition }, page);
  }
  const { sort, order, limit, after } = page;
  const isByStart = sort === 'start_time';
  const isSorted =
    'sessionRowId' in traces || !isIndexedSort(sort) || (sort === 'latency' && (await areFew(scope, traces)));
  const column = isSorted && sort === 'latency' ? scope.dialect.unindexed('traces.latency_us') : traceSortValue(sort);
  const startUs =
    isByStart || isSorted ? sql.ref<number>('traces.start_us') : scope.dialect.unindexed('traces.start_us');
  let query = selectTraceRows(scope.db).select(column.as('value'));
  if ('sessionRowId' in traces) query = query.where('traces.session_row_id', '=', traces.sessionRowId);
  else {
    query = query.where('traces.project_id', '=', traces.projectRowId);
    const fromUs = readFromUs(sort, traces.startTimeUs);
    if (fromUs !== undefined) query = query.where(startUs, '>=', fromUs);
    if (traces.endTimeUs !== undefined) query = query.where(startUs, '<', traces.endTimeUs);
  }
  if (after !== null) {
    const beyond = sql.raw(order === 'asc' ? '>' : '<');
    query = query.where(sql<SqlBool>`(${column}, traces.id) ${beyond} (${after.value}, ${after.rowId})`);
  }
  const ordered = query.orderBy(column, order).orderBy('traces.id', order);
  const rows = await listAroundDamage('traces', limit + 1, {
    list: (count) => ordered.limit(count).execute(),
    ids: (count) => ordered.clearSelect().select('traces.id').limit(count).execute(),
    rows: (ids) =>
      selectTraceRows(scope.db)
        .select(column.as('value'))
        .where('traces.id', 'in', scope.dialect.numbersOf(ids))
        .execute(),
  });
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
  let query = db.selectFrom('traces').select('start_us').where('project_id', '=', projectRowId);
  if (startTimeUs !== undefined) query = query.where('start_us', '>=', startTimeUs);
  if (endTimeUs !== undefined) query = query.where('start_us', '<', endTimeUs);
  return (await query.orderBy('start_us').limit(1).offset(MAX_SORTED_ROWS).executeTakeFirst()) === undefined;
}

const MAX_SORTED_ROWS = 20_000;
