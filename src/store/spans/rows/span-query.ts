/** The SQL of span lists. */
import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import { isListed, readListedOnly } from './visible.ts';
import type { SqlDialect } from '../../dialect/dialect.ts';
import type { Tables } from '../../schema/tables.ts';
import type { PageRequest, SpanFilter, SpanRow, SpanSort } from '../port.ts';
import { fromKindColumn, fromStatusColumn } from './columns.ts';
import type { Position } from '../../queries/cursor.ts';
import { rowsByOtelId } from './rows-by-otel-id.ts';

/** Part of an order: from a position on, up to another that is not in it; `null` where there is no end. */
export interface SpanRange {
  readonly from: Position | null;
  readonly until: Position | null;
}

/**
 * The position so many rows on in the order of a project's spans, `null` when there are fewer. A scan goes from one to the
 * next, because nothing can interrupt a statement. Index: spans_by_arrival or spans_by_start, which it reads alone.
 */
export async function findPosition(
  db: Kysely<Tables>,
  filter: SpanFilter,
  { sort, order }: Pick<PageRequest<SpanSort>, 'sort' | 'order'>,
  from: Position | null,
  rows: number,
): Promise<Position | null> {
  let query = db.selectFrom('spans').select(['id', 'start_us']).where('project_id', '=', filter.projectRowId);
  if (sort === 'start_time') {
    if (filter.startTimeUs !== undefined) query = query.where('start_us', '>=', filter.startTimeUs);
    if (filter.endTimeUs !== undefined) query = query.where('start_us', '<', filter.endTimeUs);
    query = query.orderBy('start_us', order);
  }
  if (from !== null) query = query.where(compare(sort, order === 'asc' ? '>=' : '<=', from));
  const row = await query.orderBy('id', order).limit(1).offset(rows).executeTakeFirst();
  return row === undefined ? null : { value: sort === 'id' ? null : row.start_us, rowId: row.id };
}

/**
 * Spans of a range, in bounds of time and with ids. Index: spans_by_arrival or spans_by_start; with trace or span ids
 * spans_of_trace or spans_by_otel_id.
 */
export async function selectSpans(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  filter: SpanFilter,
  { sort, order }: Pick<PageRequest<SpanSort>, 'sort' | 'order'>,
  { from, until }: SpanRange,
  limit: number,
): Promise<readonly ListedSpan[]> {
  const conditions = await conditionsOf(db, dialect, filter, { sort, order }, { from, until });
  let query = selectSpanRows(db);
  for (const condition of conditions) query = query.where(condition);
  if (sort === 'start_time') query = query.orderBy('spans.start_us', order);
  const rows = await query.orderBy('spans.id', order).limit(limit).execute();
  return rows.map(toSpanRow);
}

/** Where the same spans are, by an index alone unless ids narrow them, so that damaged rows do not matter. */
export async function selectPositions(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  filter: SpanFilter,
  { sort, order }: Pick<PageRequest<SpanSort>, 'sort' | 'order'>,
  range: SpanRange,
  limit: number,
): Promise<readonly Position[]> {
  const conditions = await conditionsOf(db, dialect, filter, { sort, order }, range);
  let query = db.selectFrom('spans').select('spans.id');
  if (sort === 'start_time') query = query.select('spans.start_us').orderBy('spans.start_us', order);
  for (const condition of conditions) query = query.where(condition);
  const rows = await query.orderBy('spans.id', order).limit(limit).execute();
  return rows.map((row) => ({ value: 'start_us' in row ? (row.start_us as number) : null, rowId: row.id }));
}

async function conditionsOf(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  filter: SpanFilter,
  { sort, order }: Pick<PageRequest<SpanSort>, 'sort' | 'order'>,
  { from, until }: SpanRange,
): Promise<readonly Expression<SqlBool>[]> {
  const hasIds = filter.traceIds !== undefined || filter.spanIds !== undefined;
  const projectId = hasIds ? dialect.unindexed('spans.project_id') : sql.ref<number>('spans.project_id');
  const startUs = hasIds || sort === 'id' ? dialect.unindexed('spans.start_us') : sql.ref<number>('spans.start_us');
  const where = expressionBuilder<Tables, 'spans'>();
  const conditions: Expression<SqlBool>[] = [where(projectId, '=', filter.projectRowId)];
  const listedOnly = await readListedOnly({ db, dialect });
  if (listedOnly !== null) conditions.push(isListed(listedOnly));
  if (filter.startTimeUs !== undefined) conditions.push(where(startUs, '>=', filter.startTimeUs));
  if (filter.endTimeUs !== undefined) conditions.push(where(startUs, '<', filter.endTimeUs));
  if (filter.traceIds !== undefined) {
    const traceIds = dialect.textsOf(filter.traceIds);
    conditions.push(sql<SqlBool>`spans.trace_row_id IN (SELECT id FROM traces WHERE trace_id IN ${traceIds})`);
  }
  if (filter.spanIds !== undefined) conditions.push(where('spans.id', 'in', rowsByOtelId(dialect, filter.spanIds)));
  if (from !== null) conditions.push(compare(sort, order === 'asc' ? '>=' : '<=', from));
  if (until !== null) conditions.push(compare(sort, order === 'asc' ? '<' : '>', until));
  return conditions;
}

/** The columns of a listed span. */
export function selectSpanRows(db: Kysely<Tables>) {
  return db
    .selectFrom('spans')
    .innerJoin('traces', 'traces.id', 'spans.trace_row_id')
    .select([
      'spans.id',
      'spans.trace_row_id',
      'traces.trace_id',
      'spans.span_id',
      'spans.parent_span_id',
      'spans.name',
      'spans.kind',
      'spans.status',
      'spans.start_us',
      'spans.end_us',
      'spans.otel_resource_id',
      'spans.instrumentation_scope_id',
    ]);
}

/** A listed span, and where what produced it is kept. */
export interface ListedSpan extends SpanRow {
  readonly otelResourceId: number;
  readonly instrumentationScopeId: number;
}

/** A row of {@link selectSpanRows} in domain words. */
export function toSpanRow(row: Awaited<ReturnType<ReturnType<typeof selectSpanRows>['execute']>>[number]): ListedSpan {
  return {
    rowId: row.id,
    traceRowId: row.trace_row_id,
    traceId: row.trace_id,
    spanId: row.span_id,
    parentSpanId: row.parent_span_id,
    name: row.name,
    kind: fromKindColumn(row.kind),
    statusCode: fromStatusColumn(row.status),
    startTimeUs: row.start_us,
    endTimeUs: row.end_us ?? row.start_us,
    otelResourceId: row.otel_resource_id,
    instrumentationScopeId: row.instrumentation_scope_id,
  };
}

function compare(sort: SpanSort, operator: '<' | '<=' | '>' | '>=', { value, rowId }: Position) {
  const sign = sql.raw(operator);
  if (sort === 'id' || value === null) return sql<SqlBool>`spans.id ${sign} ${rowId}`;
  return sql<SqlBool>`(spans.start_us, spans.id) ${sign} (${value}, ${rowId})`;
}

/** The rows in the order of the ids. */
export function inOrderOf<Row extends { readonly rowId: number }>(
  rowIds: Iterable<number>,
  rows: readonly Row[],
): readonly Row[] {
  const known = new Map(rows.map((row) => [row.rowId, row]));
  return [...rowIds].flatMap((rowId) => known.get(rowId) ?? []);
}
