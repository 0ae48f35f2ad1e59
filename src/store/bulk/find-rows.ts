/** Which traces and spans the rows of a bulk action stand for, as the writer finds them. */
import { sql } from 'kysely';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { QueryScope } from '../queries/prepared-query.ts';
import type { BulkBounds } from './bulk-action.ts';

/** Where the rows are, and which had not arrived when they were chosen. */
export interface RowBounds {
  readonly projectRowId: number;
  readonly below: BulkBounds;
}

/** Whether a project has not been deleted. */
export async function isProjectThere({ db }: QueryScope, rowId: number): Promise<boolean> {
  const row = await db.selectFrom('projects').select('id').where('id', '=', rowId).executeTakeFirst();
  return row !== undefined;
}

/** Of the traces, those of the project that had a span. Index: the primary key, spans_of_trace. */
export async function findTraces(
  { db, dialect }: QueryScope,
  { projectRowId, below }: RowBounds,
  rowIds: readonly number[],
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('traces')
    .select('id')
    .where('id', 'in', dialect.numbersOf(rowIds))
    .where(dialect.unindexed('project_id'), '=', projectRowId)
    .where(hadSpan(dialect, below))
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

function hadSpan(dialect: SqlDialect, below: BulkBounds) {
  return sql<boolean>`EXISTS (SELECT 1 FROM spans WHERE spans.trace_row_id = traces.id
    AND ${dialect.unindexed('spans.id')} < ${below.span})`;
}

/** A trace with its session. */
export interface SessionTrace {
  readonly rowId: number;
  readonly sessionRowId: number;
}

/**
 * Of the sessions, those of the project, and their first traces that were there, session by session; `next` is the session of the
 * first trace that was left out.
 * Index: the primary key, traces_of_session, spans_of_trace.
 */
export async function tracesOfSessions(
  { db, dialect }: QueryScope,
  { projectRowId, below }: RowBounds,
  rowIds: readonly number[],
  limit: number,
): Promise<{
  readonly sessions: readonly number[];
  readonly traces: readonly SessionTrace[];
  readonly next: number;
}> {
  const found = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', 'in', dialect.numbersOf(rowIds))
    .where(dialect.unindexed('project_id'), '=', projectRowId)
    .execute();
  const sessions = found.map(({ id }) => id);
  const rows = await db
    .selectFrom('traces')
    .select(['id', 'session_row_id'])
    .where('session_row_id', 'in', dialect.numbersOf(sessions))
    .where(dialect.unindexed('id'), '<', below.trace)
    .where(hadSpan(dialect, below))
    .orderBy('session_row_id')
    .orderBy(dialect.unindexed('id'))
    .limit(limit + 1)
    .execute();
  const traces = rows.map(({ id, session_row_id: sessionRowId }) => ({ rowId: id, sessionRowId: sessionRowId ?? 0 }));
  return { sessions, traces: traces.slice(0, limit), next: traces[limit]?.sessionRowId ?? Infinity };
}

/**
 * Of the spans, those of the project with their traces, and for a move those whose trace is in the other project already.
 * Index: primary keys.
 */
export async function tracesOfSpans(
  { db, dialect }: QueryScope,
  projectRowId: number,
  toProjectRowId: number | null,
  rowIds: readonly number[],
): Promise<{
  readonly spans: readonly { readonly rowId: number; readonly traceRowId: number }[];
  readonly elsewhere: readonly number[];
}> {
  const rows = await db
    .selectFrom('spans')
    .innerJoin('traces', 'traces.id', 'spans.trace_row_id')
    .select(['spans.id as rowId', 'traces.id as traceRowId', 'traces.project_id as projectRowId'])
    .where('spans.id', 'in', dialect.numbersOf(rowIds))
    .orderBy('spans.id')
    .execute();
  return {
    spans: rows.filter((row) => row.projectRowId === projectRowId),
    elsewhere: rows.filter((row) => row.projectRowId === toProjectRowId).map(({ rowId }) => rowId),
  };
}

/** Spans that were there before, of traces that got others since. */
export interface OldSpans {
  /** The traces. */
  readonly grown: readonly number[];
  /** So many of the spans, trace by trace. */
  readonly spanRowIds: readonly number[];
  /** The traces all of whose old spans are among them. */
  readonly whole: readonly number[];
}

/** Finds them. Index: spans_of_trace. */
export async function findOldSpans(
  { db, dialect }: QueryScope,
  belowSpanRowId: number,
  traceRowIds: readonly number[],
  limit: number,
): Promise<OldSpans> {
  const late = await db
    .selectFrom('spans')
    .select('trace_row_id as traceRowId')
    .distinct()
    .where('trace_row_id', 'in', dialect.numbersOf(traceRowIds))
    .where(dialect.unindexed('id'), '>=', belowSpanRowId)
    .execute();
  const grown = late.map(({ traceRowId }) => traceRowId);
  if (grown.length === 0) return { grown, spanRowIds: [], whole: [] };
  const spans = await db
    .selectFrom('spans')
    .select(['id', 'trace_row_id as traceRowId'])
    .where('trace_row_id', 'in', dialect.numbersOf(grown))
    .where(dialect.unindexed('id'), '<', belowSpanRowId)
    .orderBy('trace_row_id')
    .orderBy(dialect.unindexed('id'))
    .limit(limit + 1)
    .execute();
  const next = spans[limit]?.traceRowId ?? Infinity;
  return {
    grown,
    spanRowIds: spans.slice(0, limit).map(({ id }) => id),
    whole: grown.filter((traceRowId) => traceRowId < next),
  };
}
