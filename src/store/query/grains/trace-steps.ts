/** Rows of traces in an order, step by step. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { TimeBounds, TraceTableSort } from '../../spans/browse-port.ts';
import type { ReadScope } from '../../spans/rows/read-scope.ts';
import type { Direction, Place } from '../place.ts';

const COLUMNS = [
  'id',
  'trace_id',
  'start_us',
  'end_us',
  'latency_us',
  'span_count',
  'error_count',
  'prompt_tokens',
  'completion_tokens',
  'cost_nanousd',
  'prompt_cost_nanousd',
  'completion_cost_nanousd',
  'root_span_row_id',
] as const;

/** A trace as its row has it. */
export type TraceStepRow = Readonly<
  Record<Exclude<(typeof COLUMNS)[number], 'trace_id' | 'root_span_row_id'>, number>
> & {
  readonly trace_id: string;
  readonly root_span_row_id: number | null;
  readonly place: Place;
};

/** What rows stand by in an order. Indexes have the start and the latency; for the others the rows in the bounds are sorted. */
export function traceSortValue(sort: TraceTableSort): RawBuilder<number> {
  switch (sort) {
    case 'start_time':
      return sql.ref('traces.start_us');
    case 'latency':
      return sql.ref('traces.latency_us');
    case 'total_tokens':
      return sql`(${sql.ref('traces.prompt_tokens')} + ${sql.ref('traces.completion_tokens')})`;
    case 'cost':
      return sql.ref('traces.cost_nanousd');
  }
}

/** Whether an index has the order. */
export function isIndexedSort(sort: TraceTableSort): boolean {
  return sort === 'start_time' || sort === 'latency';
}

/** From which start on rows are read: what is sorted whole is read as it arrived, not along another order's index. */
export function readFromUs(sort: TraceTableSort, startTimeUs: number | undefined): number | undefined {
  return startTimeUs ?? (isIndexedSort(sort) ? undefined : Number.MIN_SAFE_INTEGER);
}

/** Which traces, in which order. */
export interface TraceSteps extends TimeBounds {
  readonly projectRowId: number;
  readonly sort: TraceTableSort;
  readonly direction: Direction;
  /** What else narrows them. */
  readonly where?: RawBuilder<SqlBool> | undefined;
  /** Those alone, where they are few. */
  readonly rowIds?: readonly number[] | null | undefined;
}

/**
 * So many rows after a place. Index: traces_by_start or traces_by_latency; for sums traces_by_start, and all in the bounds are
 * sorted, as are rows that are named, which the primary key finds.
 */
export async function readTraceStep(
  { db, dialect }: ReadScope,
  { projectRowId, startTimeUs, endTimeUs, sort, direction, where, rowIds }: TraceSteps,
  after: Place | null,
  limit: number,
): Promise<readonly TraceStepRow[]> {
  const value = traceSortValue(sort);
  const columnOf = (name: 'project_id' | 'start_us') =>
    rowIds == null ? sql.ref<number>(name) : dialect.unindexed(name);
  let query = db
    .selectFrom('traces')
    .select([...COLUMNS, value.as('value')])
    .where(columnOf('project_id'), '=', projectRowId);
  const fromUs = rowIds == null ? readFromUs(sort, startTimeUs) : startTimeUs;
  if (fromUs !== undefined) query = query.where(columnOf('start_us'), '>=', fromUs);
  if (endTimeUs !== undefined) query = query.where(columnOf('start_us'), '<', endTimeUs);
  if (rowIds != null) query = query.where('id', 'in', dialect.numbersOf(rowIds));
  if (where !== undefined) query = query.where(where);
  if (after !== null) {
    const beyond = sql.raw(direction === 'asc' ? '>' : '<');
    query = query.where(sql<SqlBool>`(${value}, id) ${beyond} (${after.value}, ${after.rowId})`);
  }
  const rows = await query.orderBy(value, direction).orderBy('id', direction).limit(limit).execute();
  return rows.map((row) => ({ ...row, place: { value: row.value, rowId: row.id } }));
}

/** Traces by their row ids, those of a project where one is named, latest start first. Index: the primary key. */
export async function readTracesById(
  { db, dialect }: ReadScope,
  projectRowId: number | null,
  rowIds: readonly number[],
): Promise<readonly TraceStepRow[]> {
  let query = db.selectFrom('traces').select(COLUMNS).where('id', 'in', dialect.numbersOf(rowIds));
  if (projectRowId !== null) query = query.where(dialect.unindexed('project_id'), '=', projectRowId);
  const rows = await query.execute();
  rows.sort((a, b) => b.start_us - a.start_us || b.id - a.id);
  return rows.map((row) => ({ ...row, place: { value: row.start_us, rowId: row.id } }));
}

/** How many traces come after a place. Index: as {@link readTraceStep}. */
export async function countTracesAfter(
  { db }: ReadScope,
  { projectRowId, startTimeUs, endTimeUs, sort, direction }: TraceSteps,
  after: Place,
): Promise<number> {
  const value = traceSortValue(sort);
  const beyond = sql.raw(direction === 'asc' ? '>' : '<');
  let query = db
    .selectFrom('traces')
    .select(sql<number>`count(*)`.as('count'))
    .where('project_id', '=', projectRowId)
    .where(sql<SqlBool>`(${value}, id) ${beyond} (${after.value}, ${after.rowId})`);
  if (startTimeUs !== undefined) query = query.where('start_us', '>=', startTimeUs);
  if (endTimeUs !== undefined) query = query.where('start_us', '<', endTimeUs);
  return (await query.executeTakeFirst())?.count ?? 0;
}
