/** Pages of sessions in any order that tables offer. */
import type { KeysetPage, KeysetRequest } from '#domain/page';
import { searchSessions } from '../../query/grains/search-sessions.ts';
import { readSessionStep } from '../../query/grains/session-steps.ts';
import type { SessionScope, SessionTableSort } from '../browse-port.ts';
import type { SessionRow } from '../port.ts';
import type { ReadScope } from '../rows/read-scope.ts';

/**
 * One page. Index: sessions_by_arrival, in its order or, for any other, through all sessions of the project: their sums
 * change with each trace, and an index of each would cost every write more than it saves.
 */
export async function browseSessions(
  scope: ReadScope,
  sessions: SessionScope,
  page: KeysetRequest<SessionTableSort>,
): Promise<KeysetPage<SessionRow>> {
  const { condition, ...unfiltered } = sessions;
  if (condition !== undefined) return searchSessions(scope, { ...unfiltered, condition }, page);
  const { sort, order, limit, after } = page;
  const rows = await readSessionStep(scope, { ...unfiltered, sort, direction: order }, after, limit + 1);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { rows: rows.slice(0, limit), next: last?.place ?? null };
}
