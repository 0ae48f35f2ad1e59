/** Pages of sessions in any order that tables offer. */
import { type SqlBool, sql } from 'kysely';
import type { KeysetPage, KeysetRequest } from '#domain/page';
import type { SessionScope, SessionTableSort } from '../browse-port.ts';
import type { SessionRow } from '../port.ts';
import { selectSessionRows, toSessionRow } from './list-sessions.ts';
import type { ReadScope } from './read-scope.ts';

const VALUES: Readonly<Record<SessionTableSort, string>> = {
  id: 'id',
  start_time: 'start_us',
  end_time: 'end_us',
  total_tokens: 'prompt_tokens + completion_tokens',
  trace_count: 'trace_count',
};

/**
 * One page. Index: sessions_by_arrival, in its order or, for any other, through all sessions of the project: their sums
 * change with each trace, and an index of each would cost every write more than it saves.
 */
export async function browseSessions(
  { db }: ReadScope,
  { projectRowId, startTimeUs, endTimeUs }: SessionScope,
  { sort, order, limit, after }: KeysetRequest<SessionTableSort>,
): Promise<KeysetPage<SessionRow>> {
  const value = sql<number>`(${sql.raw(VALUES[sort])})`;
  let query = selectSessionRows(db).select(value.as('value')).where('project_id', '=', projectRowId);
  if (startTimeUs !== undefined) query = query.where('end_us', '>=', startTimeUs);
  if (endTimeUs !== undefined) query = query.where('start_us', '<', endTimeUs);
  if (after !== null) {
    const beyond = sql.raw(order === 'asc' ? '>' : '<');
    query = query.where(
      sort === 'id'
        ? sql<SqlBool>`id ${beyond} ${after.rowId}`
        : sql<SqlBool>`(${value}, id) ${beyond} (${after.value}, ${after.rowId})`,
    );
  }
  if (sort !== 'id') query = query.orderBy(value, order);
  const rows = await query
    .orderBy('id', order)
    .limit(limit + 1)
    .execute();
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    rows: rows.slice(0, limit).map(toSessionRow),
    next: last === undefined ? null : { value: sort === 'id' ? null : last.value, rowId: last.id },
  };
}
