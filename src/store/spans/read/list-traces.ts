/** Pages of traces, with their spans where asked. */
import { type SqlBool, sql } from 'kysely';
import type { Condition } from '#filter/tree';
import type { PageRequest, SessionRef, SpanRow, TraceFilter, TracePage, TraceRow, TraceSort } from '../port.ts';
import { boundedText } from '#derive/bounded-text';
import { searchTraces } from '../../query/grains/search-traces.ts';
import { traceCondition } from '../../query/grains/trace-condition.ts';
import { formatCursor, parseCursor, type Position } from '../../queries/cursor.ts';
import { listAroundDamage } from '../../engine/list-around-damage.ts';
import { selectTraceRows, toTraceRow } from '../rows/trace-rows.ts';
import type { ReadScope } from '../rows/read-scope.ts';
import { selectSpanRows, toSpanRow } from '../rows/span-query.ts';

/**
 * One page; with spans it may end early and can be continued. Index: traces_by_start or traces_by_latency; by session
 * traces_of_session.
 */
export async function listTraces(
  scope: ReadScope,
  filter: TraceFilter,
  page: PageRequest<TraceSort>,
  includeSpans: boolean,
): Promise<TracePage> {
  const [kind, column] =
    page.sort === 'start_time' ? (['DATETIME', 'start_us'] as const) : (['FLOAT', 'latency_us'] as const);
  const after = parseCursor(kind, page.cursor);
  if (filter.condition !== undefined)
    return listMatches(scope, { ...filter, condition: filter.condition }, page, after, includeSpans);
  const projectId =
    filter.sessions === undefined ? sql.ref<number>('traces.project_id') : scope.dialect.unindexed('traces.project_id');
  let query = selectTraceRows(scope.db).where(projectId, '=', filter.projectRowId);
  if (filter.startTimeUs !== undefined) query = query.where('traces.start_us', '>=', filter.startTimeUs);
  if (filter.endTimeUs !== undefined) query = query.where('traces.start_us', '<', filter.endTimeUs);
  if (filter.hasErrors !== undefined) query = query.where('traces.error_count', filter.hasErrors ? '>' : '=', 0);
  if (filter.minLatencyUs !== undefined) query = query.where('traces.latency_us', '>=', filter.minLatencyUs);
  if (filter.maxLatencyUs !== undefined) query = query.where('traces.latency_us', '<=', filter.maxLatencyUs);
  if (filter.sessions !== undefined) query = query.where(inSessions(scope, filter.projectRowId, filter.sessions));
  if (after !== null && after.value !== null) {
    const value = kind === 'FLOAT' ? Math.round(after.value * 1000) : after.value;
    const operator = sql.raw(page.order === 'asc' ? '>' : '<');
    query = query.where(
      sql<SqlBool>`(${sql.ref(`traces.${column}`)}, traces.id) ${operator} (${value}, ${after.rowId})`,
    );
  }
  const ordered = query.orderBy(`traces.${column}`, page.order).orderBy('traces.id', page.order);
  const rows = await listAroundDamage('traces', page.limit + 1, {
    list: (limit) => ordered.select('traces.latency_us').limit(limit).execute(),
    ids: (limit) => ordered.clearSelect().select('traces.id').limit(limit).execute(),
    rows: (ids) =>
      selectTraceRows(scope.db)
        .select('traces.latency_us')
        .where('traces.id', 'in', scope.dialect.numbersOf(ids))
        .execute(),
  });
  const shown = rows.slice(0, includeSpans ? Math.min(page.limit, countWithin(rows, MAX_PAGE_SPANS)) : page.limit);
  const last = rows.length > shown.length ? shown.at(-1) : undefined;
  const value = last === undefined ? 0 : kind === 'FLOAT' ? last.latency_us / 1000 : last.start_us;
  const data = shown.map(toTraceRow);
  return {
    data,
    nextCursor: last === undefined ? null : formatCursor(kind, { value, rowId: last.id }),
    spans: includeSpans ? await spansOfTraces(scope, data) : new Map(),
  };
}

/** As {@link listTraces}, of those that match. */
async function listMatches(
  scope: ReadScope,
  {
    sessions,
    condition,
    hasErrors,
    minLatencyUs,
    maxLatencyUs,
    ...selection
  }: TraceFilter & { readonly condition: Condition },
  { sort, order, limit }: PageRequest<TraceSort>,
  from: Position | null,
  includeSpans: boolean,
): Promise<TracePage> {
  const isByStart = sort === 'start_time';
  const where = sessions && inSessions(scope, selection.projectRowId, sessions);
  const joined = traceCondition(condition, { hasErrors, minLatencyUs, maxLatencyUs });
  const page = { sort: isByStart ? sort : 'latency', order, limit, after: from && toPlace(from, isByStart) } as const;
  const { rows, next } = await searchTraces(scope, { ...selection, where, condition: joined }, page);
  const kind = isByStart ? 'DATETIME' : 'FLOAT';
  const shown = rows.slice(
    0,
    includeSpans
      ? countWithin(
          rows.map((row) => ({ span_count: row.spanCount })),
          MAX_PAGE_SPANS,
        )
      : limit,
  );
  const last = shown.at(-1);
  const end =
    shown.length < rows.length && last !== undefined
      ? { value: isByStart ? last.startTimeUs : last.endTimeUs - last.startTimeUs, rowId: last.rowId }
      : next;
  return {
    data: shown,
    nextCursor: end && formatCursor(kind, { value: isByStart ? end.value : (end.value ?? 0) / 1000, rowId: end.rowId }),
    spans: includeSpans ? await spansOfTraces(scope, shown) : new Map(),
  };
}

function toPlace({ value, rowId }: Position, isByStart: boolean): Position {
  return { value: isByStart || value === null ? value : Math.round(value * 1000), rowId };
}

/** Spans that a page of traces may hold in memory, unless its first trace has more. */
const MAX_PAGE_SPANS = 20_000;

/** How many of the first traces have no more spans than that together; at least one. */
function countWithin(traces: readonly { readonly span_count: number }[], maxSpans: number): number {
  let spans = 0;
  for (const [index, trace] of traces.entries()) {
    spans += trace.span_count;
    if (spans > maxSpans) return Math.max(index, 1);
  }
  return traces.length;
}

/** Index: spans_of_trace. */
async function spansOfTraces(
  { db, dialect }: ReadScope,
  traces: readonly TraceRow[],
): Promise<ReadonlyMap<number, readonly SpanRow[]>> {
  const rows = await selectSpanRows(db)
    .where('spans.trace_row_id', 'in', dialect.numbersOf(traces.map((trace) => trace.rowId)))
    .orderBy('spans.start_us')
    .orderBy('spans.id')
    .execute();
  return Map.groupBy(rows.map(toSpanRow), (span) => span.traceRowId);
}

function inSessions({ dialect }: ReadScope, projectRowId: number, sessions: readonly SessionRef[]) {
  const rowIds = sessions.flatMap((session) => ('rowId' in session ? [session.rowId] : []));
  const texts = sessions.flatMap((session) => ('sessionId' in session ? [boundedText(session.sessionId)] : []));
  return sql<SqlBool>`traces.session_row_id IN (SELECT id FROM sessions WHERE id IN ${dialect.numbersOf(rowIds)}
    OR (session_id IN ${dialect.textsOf(texts)} AND project_id = ${projectRowId}))`;
}
