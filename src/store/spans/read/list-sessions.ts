/** Sessions and their traces. */
import { boundedText } from '#derive/bounded-text';
import type { Page } from '#domain/page';
import type { Condition } from '#filter/tree';
import type { PageRequest, SessionPage, SessionRef, SessionRow, SessionTrace } from '../port.ts';
import { isInProject } from '../rows/visible.ts';
import { searchSessions } from '../../query/grains/search-sessions.ts';
import { afterPlace, beforePlace } from '../../query/place.ts';
import { formatCursor, parseCursor, type Position } from '../../queries/cursor.ts';
import { listAroundDamage } from '../../engine/list-around-damage.ts';
import { selectSessionRows, toSessionRow } from '../rows/session-rows.ts';
import type { ReadScope } from '../rows/read-scope.ts';

/** One page in order of row id, with the traces. Index: sessions_by_arrival, or the primary key over all projects; traces_of_session. */
export async function listSessions(
  scope: ReadScope,
  filter: SessionFilter,
  page: PageRequest<'id'>,
): Promise<SessionPage> {
  const sessions = await listSessionRows(scope, filter, page);
  const rowIds = sessions.data.map(({ rowId }) => rowId);
  return { ...sessions, traces: await listSessionTraces(scope, rowIds) };
}

interface SessionFilter {
  readonly projectRowId?: number | undefined;
  readonly condition?: Condition | undefined;
}

async function listSessionRows(
  scope: ReadScope,
  filter: SessionFilter,
  page: PageRequest<'id'>,
): Promise<Page<SessionRow>> {
  const { db } = scope;
  const from = parseCursor('ProjectSession', page.cursor);
  if (filter.condition !== undefined) return listMatches(scope, filter.projectRowId, filter.condition, page, from);
  let query = selectSessionRows(db);
  query =
    filter.projectRowId === undefined
      ? query.where(isInProject('sessions'))
      : query.where('project_id', '=', filter.projectRowId);
  if (from !== null) query = query.where('id', page.order === 'asc' ? '>=' : '<=', from.rowId);
  const ordered = query.orderBy('id', page.order);
  const rows = await listAroundDamage('sessions', page.limit + 1, {
    list: (limit) => ordered.limit(limit).execute(),
    ids: (limit) => ordered.clearSelect().select('id').limit(limit).execute(),
    rows: (ids) => selectSessionRows(db).where('id', 'in', scope.dialect.numbersOf(ids)).execute(),
  });
  const next = rows[page.limit];
  return {
    data: rows.slice(0, page.limit).map(toSessionRow),
    nextCursor: next === undefined ? null : formatCursor('ProjectSession', { value: null, rowId: next.id }),
  };
}

async function listMatches(
  scope: ReadScope,
  projectRowId: number | undefined,
  condition: Condition,
  { order, limit }: PageRequest<'id'>,
  from: Position | null,
): Promise<Page<SessionRow>> {
  const after = from && { value: null, rowId: beforePlace(from, order).rowId };
  const { rows, next } = await searchSessions(scope, { projectRowId, condition }, { sort: 'id', order, limit, after });
  const rowId = next && afterPlace(next, order).rowId;
  return { data: rows, nextCursor: rowId === null ? null : formatCursor('ProjectSession', { value: null, rowId }) };
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
  query =
    projectRowId === undefined ? query.where(isInProject('sessions')) : query.where('project_id', '=', projectRowId);
  const row = await query.orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row === undefined ? undefined : toSessionRow(row);
}

/**
 * The traces of each session, of one that has very many the first ones: those of many sessions in one statement, as long as it may
 * hold all of them. Index: traces_of_session.
 */
export async function listSessionTraces(
  { db, dialect }: ReadScope,
  sessionRowIds: readonly number[],
  maxTraces = MAX_SESSION_TRACES,
): Promise<ReadonlyMap<number, readonly SessionTrace[]>> {
  const traces = new Map<number, SessionTrace[]>();
  let left = sessionRowIds.toSorted((a, b) => a - b);
  while (left.length > 0) {
    const columns = ['session_row_id', 'id', 'trace_id', 'start_us', 'end_us'] as const;
    const ordered = db
      .selectFrom('traces')
      .where('session_row_id', 'in', dialect.numbersOf(left))
      .orderBy('session_row_id')
      .orderBy('start_us')
      .orderBy('id');
    const rows = await listAroundDamage('traces', maxTraces, {
      list: (limit) => ordered.select(columns).limit(limit).execute(),
      ids: (limit) => ordered.select('id').limit(limit).execute(),
      rows: (ids) => db.selectFrom('traces').select(columns).where('id', 'in', dialect.numbersOf(ids)).execute(),
    });
    const bySession = Map.groupBy(rows, (row) => row.session_row_id ?? 0);
    const lastRowId = rows.length < maxTraces ? Number.POSITIVE_INFINITY : (rows.at(-1)?.session_row_id ?? 0);
    // The last one may have more; if it is the only one, it has as many as a session shows.
    if (bySession.size > 1) bySession.delete(lastRowId);
    for (const [rowId, ofSession] of bySession) traces.set(rowId, ofSession.map(toSessionTrace));
    left = left.filter((rowId) => rowId >= lastRowId && !bySession.has(rowId));
  }
  return traces;
}

function toSessionTrace(row: {
  readonly id: number;
  readonly trace_id: string;
  readonly start_us: number;
  readonly end_us: number;
}): SessionTrace {
  return { rowId: row.id, traceId: row.trace_id, startTimeUs: row.start_us, endTimeUs: row.end_us };
}

/** Far more than a conversation has; a client that sends one id for everything must not fill the memory. */
const MAX_SESSION_TRACES = 10_000;
