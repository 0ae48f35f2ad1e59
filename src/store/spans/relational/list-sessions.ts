/** Sessions and their traces. */
import type { Kysely } from 'kysely';
import { boundedText } from '#derive/bounded-text';
import type { Page } from '#domain/page';
import type { PageRequest, SessionRef, SessionRow, TraceRow } from '../port.ts';
import type { Tables } from '../../schema/tables.ts';
import { formatCursor, parseCursor } from './cursor.ts';
import { selectTraceRows, toTraceRow } from './list-traces.ts';
import type { ReadScope } from './read-scope.ts';

/** One page in order of row id. Index: sessions_by_arrival, or the primary key over all projects. */
export async function listSessions(
  { db }: ReadScope,
  filter: { readonly projectRowId?: number | undefined },
  page: PageRequest<'id'>,
): Promise<Page<SessionRow>> {
  const from = parseCursor('ProjectSession', page.cursor);
  let query = selectSessionRows(db);
  if (filter.projectRowId !== undefined) query = query.where('project_id', '=', filter.projectRowId);
  if (from !== null) query = query.where('id', page.order === 'asc' ? '>=' : '<=', from.rowId);
  const rows = await query
    .orderBy('id', page.order)
    .limit(page.limit + 1)
    .execute();
  const next = rows[page.limit];
  return {
    data: rows.slice(0, page.limit).map(toSessionRow),
    nextCursor: next === undefined ? null : formatCursor('ProjectSession', { value: null, rowId: next.id }),
  };
}

/** One session; by text the newest. Index: the primary key, or sessions_by_text. */
export async function findSession(
  { db }: ReadScope,
  ref: SessionRef,
  projectRowId?: number,
): Promise<SessionRow | undefined> {
  let query = selectSessionRows(db);
  query =
    'rowId' in ref ? query.where('id', '=', ref.rowId) : query.where('session_id', '=', boundedText(ref.sessionId));
  if (projectRowId !== undefined) query = query.where('project_id', '=', projectRowId);
  const row = await query.orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row === undefined ? undefined : toSessionRow(row);
}

/** The traces of each session, of one that has very many the first ones. Index: traces_of_session. */
export async function listSessionTraces(
  { db }: ReadScope,
  sessionRowIds: readonly number[],
): Promise<ReadonlyMap<number, readonly TraceRow[]>> {
  const traces = new Map<number, readonly TraceRow[]>();
  for (const rowId of sessionRowIds) {
    const rows = await selectTraceRows(db)
      .where('traces.session_row_id', '=', rowId)
      .orderBy('traces.start_us')
      .orderBy('traces.id')
      .limit(MAX_SESSION_TRACES)
      .execute();
    if (rows.length > 0) traces.set(rowId, rows.map(toTraceRow));
  }
  return traces;
}

/** Far more than a conversation has; a client that sends one id for everything must not fill the memory. */
const MAX_SESSION_TRACES = 10_000;

/** The columns of a listed session. */
export function selectSessionRows(db: Kysely<Tables>) {
  return db
    .selectFrom('sessions')
    .select([
      'id',
      'session_id',
      'project_id',
      'start_us',
      'end_us',
      'trace_count',
      'prompt_tokens',
      'completion_tokens',
    ]);
}

/** A row of {@link selectSessionRows} in domain words. */
export function toSessionRow(
  row: Awaited<ReturnType<ReturnType<typeof selectSessionRows>['execute']>>[number],
): SessionRow {
  return {
    rowId: row.id,
    sessionId: row.session_id,
    projectRowId: row.project_id,
    startTimeUs: row.start_us,
    endTimeUs: row.end_us,
    traceCount: row.trace_count,
    promptTokenCount: row.prompt_tokens,
    completionTokenCount: row.completion_tokens,
  };
}
