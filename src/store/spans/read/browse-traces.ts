/** Pages of traces in any order that tables offer. */
import { type SqlBool, sql } from 'kysely';
import type { KeysetPage, KeysetRequest } from '#domain/page';
import { prepareShapes, type QueryScope, queryScopeOf } from '../../queries/prepared-query.ts';
import { searchTraces } from '../../query/grains/search-traces.ts';
import { isIndexedSort, readFromUs, traceSortValue } from '../../query/grains/trace-steps.ts';
import { listAroundDamage } from '../../engine/list-around-damage.ts';
import type { TimeBounds, TraceScope, TraceTableSort } from '../browse-port.ts';
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
  const queries = queryScopeOf(scope);
  const isOfSession = 'sessionRowId' in traces;
  const bounds: TimeBounds = isOfSession ? {} : traces;
  const fromUs = isOfSession ? undefined : readFromUs(sort, bounds.startTimeUs);
  const isSorted = isOfSession || !isIndexedSort(sort) || (sort === 'latency' && (await areFew(queries, traces)));
  const ends = { hasFrom: fromUs !== undefined, hasEnd: bounds.endTimeUs !== undefined, hasAfter: after !== null };
  const shape = { isOfSession, sort, order, isSorted, ...ends };
  const values = {
    ownerRowId: isOfSession ? traces.sessionRowId : traces.projectRowId,
    fromUs: fromUs ?? 0,
    endTimeUs: bounds.endTimeUs ?? 0,
    afterValue: after?.value ?? null,
    afterRowId: after?.rowId ?? 0,
  };
  const rows = await listAroundDamage('traces', limit + 1, {
    list: (count) => selectPage(queries, shape, { ...values, limit: count }),
    ids: (count) => selectIds(queries, shape, { ...values, limit: count }),
    rows: (ids) => selectById(queries, shape, { rowIds: JSON.stringify(ids) }),
  });
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    rows: rows.slice(0, limit).map(toTraceRow),
    next: last === undefined ? null : { value: last.value, rowId: last.id },
  };
}

/** What decides how a page is read. */
interface PageShape {
  readonly isOfSession: boolean;
  readonly sort: TraceTableSort;
  readonly order: 'asc' | 'desc';
  /** Whether rows are sorted, not read in the order of an index. */
  readonly isSorted: boolean;
  readonly hasFrom: boolean;
  readonly hasEnd: boolean;
  readonly hasAfter: boolean;
}

/** What it is read with; what the shape has not is not looked at. */
interface PageValues {
  readonly ownerRowId: number;
  readonly fromUs: number;
  readonly endTimeUs: number;
  readonly afterValue: number | null;
  readonly afterRowId: number;
  readonly limit: number;
}

const selectPage = prepareShapes(selectInOrder);

const selectIds = prepareShapes((scope, shape: PageShape, values: PageValues) =>
  selectInOrder(scope, shape, values).clearSelect().select('traces.id'),
);

const selectById = prepareShapes((scope, shape: PageShape, { rowIds }: { readonly rowIds: string }) =>
  selectTraceRows(scope.db)
    .select(valueOf(scope, shape).as('value'))
    .where('traces.id', 'in', scope.dialect.numbersOfJson(rowIds)),
);

function selectInOrder(scope: QueryScope, shape: PageShape, values: PageValues) {
  const { isOfSession, sort, order, isSorted } = shape;
  const column = valueOf(scope, shape);
  let query = selectTraceRows(scope.db)
    .select(column.as('value'))
    .where(isOfSession ? 'traces.session_row_id' : 'traces.project_id', '=', values.ownerRowId);
  const isAlongStart = sort === 'start_time' || isSorted;
  const startUs = isAlongStart ? sql.ref<number>('traces.start_us') : scope.dialect.unindexed('traces.start_us');
  if (shape.hasFrom) query = query.where(startUs, '>=', values.fromUs);
  if (shape.hasEnd) query = query.where(startUs, '<', values.endTimeUs);
  if (shape.hasAfter) {
    const beyond = sql.raw(order === 'asc' ? '>' : '<');
    query = query.where(sql<SqlBool>`(${column}, traces.id) ${beyond} (${values.afterValue}, ${values.afterRowId})`);
  }
  return query.orderBy(column, order).orderBy('traces.id', order).limit(values.limit);
}

function valueOf({ dialect }: QueryScope, { sort, isSorted }: PageShape) {
  return isSorted && sort === 'latency' ? dialect.unindexed('traces.latency_us') : traceSortValue(sort);
}

/** Whether the traces in the bounds are rather sorted than looked for along the index of an order. Index: traces_by_start. */
async function areFew(scope: QueryScope, traces: Exclude<TraceScope, { sessionRowId: number }>): Promise<boolean> {
  const { projectRowId, startTimeUs, endTimeUs } = traces;
  if (startTimeUs === undefined && endTimeUs === undefined) return false;
  const shape = { hasStart: startTimeUs !== undefined, hasEnd: endTimeUs !== undefined };
  const values = { projectRowId, startTimeUs: startTimeUs ?? 0, endTimeUs: endTimeUs ?? 0, rows: MAX_SORTED_ROWS };
  return (await selectInBounds(scope, shape, values)).length === 0;
}

const selectInBounds = prepareShapes(
  (
    { db },
    shape: { readonly hasStart: boolean; readonly hasEnd: boolean },
    values: { readonly [Name in 'projectRowId' | 'startTimeUs' | 'endTimeUs' | 'rows']: number },
  ) => {
    let query = db.selectFrom('traces').select('start_us').where('project_id', '=', values.projectRowId);
    if (shape.hasStart) query = query.where('start_us', '>=', values.startTimeUs);
    if (shape.hasEnd) query = query.where('start_us', '<', values.endTimeUs);
    return query.orderBy('start_us').limit(1).offset(values.rows);
  },
);

const MAX_SORTED_ROWS = 20_000;
