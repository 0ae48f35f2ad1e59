/** Pages of traces, with their spans where asked. */
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { PageRequest, SessionRef, SpanRow, TraceFilter, TracePage, TraceRow, TraceSort } from '../port.ts';
import { boundedText } from '#derive/bounded-text';
import type { Tables } from '../../schema/tables.ts';
import { formatCursor, parseCursor } from './cursor.ts';
import type { ReadScope } from './read-scope.ts';
import { selectSpanRows, toSpanRow, unindexed } from './span-query.ts';

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
  const projectId =
    filter.sessions === undefined ? sql.ref<number>('traces.project_id') : unindexed('traces.project_id');
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
  const rows = await query
    .select('traces.latency_us')
    .orderBy(`traces.${column}`, page.order)
    .orderBy('traces.id', page.order)
    .limit(page.limit + 1)
    .execute();
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

/** The columns of a listed trace. */
export function selectTraceRows(db: Kysely<Tables>) {
  return db
    .selectFrom('traces')
    .leftJoin('sessions', 'sessions.id', 'traces.session_row_id')
    .select([
      'traces.id',
      'traces.trace_id',
      'traces.project_id',
      'traces.session_row_id',
      'sessions.session_id',
      'traces.start_us',
      'traces.end_us',
      'traces.span_count',
      'traces.error_count',
      'traces.prompt_tokens',
      'traces.completion_tokens',
      'traces.root_span_row_id',
    ]);
}

/** A row of {@link selectTraceRows} in domain words. */
export function toTraceRow(row: Awaited<ReturnType<ReturnType<typeof selectTraceRows>['execute']>>[number]): TraceRow {
  return {
    rowId: row.id,
    traceId: row.trace_id,
    projectRowId: row.project_id,
    sessionRowId: row.session_row_id,
    sessionId: row.session_id,
    startTimeUs: row.start_us,
    endTimeUs: row.end_us,
    spanCount: row.span_count,
    errorCount: row.error_count,
    promptTokenCount: row.prompt_tokens,
    completionTokenCount: row.completion_tokens,
    rootSpanRowId: row.root_span_row_id,
  };
}

/** Index: spans_of_trace. */
async function spansOfTraces(
  { db, dialect }: ReadScope,
  traces: readonly TraceRow[],
): Promise<ReadonlyMap<number, readonly SpanRow[]>> {
  const rows = await selectSpanRows(db)
    .where('spans.trace_row_id', 'in', dialect.valuesOf(traces.map((trace) => trace.rowId)) as never)
    .orderBy('spans.start_us')
    .orderBy('spans.id')
    .execute();
  return Map.groupBy(rows.map(toSpanRow), (span) => span.traceRowId);
}

function inSessions({ dialect }: ReadScope, projectRowId: number, sessions: readonly SessionRef[]) {
  const rowIds = sessions.flatMap((session) => ('rowId' in session ? [session.rowId] : []));
  const texts = sessions.flatMap((session) => ('sessionId' in session ? [boundedText(session.sessionId)] : []));
  return sql<SqlBool>`traces.session_row_id IN (SELECT id FROM sessions WHERE id IN ${dialect.valuesOf(rowIds)}
    OR (session_id IN ${dialect.valuesOf(texts)} AND project_id = ${projectRowId}))`;
}
