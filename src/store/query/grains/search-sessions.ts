/** Pages and numbers of sessions that match a filter. */
import type { KeysetPage, KeysetRequest } from '#domain/page';
import type { Condition } from '#filter/tree';
import type { SessionTableSort, SpanCount } from '../../spans/browse-port.ts';
import type { SessionRow } from '../../spans/port.ts';
import { findSessions } from '../../spans/rows/find-rows.ts';
import type { ReadScope } from '../../spans/rows/read-scope.ts';
import { Budget, PAGE_MS } from '../budget.ts';
import { namedRows } from '../candidates.ts';
import type { Place } from '../place.ts';
import { countMatchingRows, findMatches, type MatchPage, type MatchSearch } from './find-matches.ts';
import { toPosition } from './search-traces.ts';
import { countAllSessions, readSessionStep, type SessionStepRow, type SessionSteps } from './session-steps.ts';
import { compileForSessions } from './sessions.ts';

/** Which sessions. */
export type SessionSelection = Omit<SessionSteps, 'sort' | 'direction'> & { readonly condition: Condition };

/** One page. */
export async function searchSessions(
  scope: ReadScope,
  { condition, ...selection }: SessionSelection,
  { sort, order, limit, after }: KeysetRequest<SessionTableSort>,
  budget: Pick<Budget, 'isOver'> = new Budget(PAGE_MS),
): Promise<KeysetPage<SessionRow>> {
  const steps = { ...selection, sort, direction: order };
  const page = await findMatches(searchIn(scope, steps, condition, budget), { after, limit });
  const rowIds = page.places.map(({ rowId }) => rowId);
  const found = await findSessions(scope, rowIds);
  const next = toPosition(page.next);
  const untilTimeUs = sort === 'start_time' && !page.isWhole ? (next?.value ?? null) : null;
  const total = page.isWhole ? page.lookedCount : await countAllSessions(scope, steps);
  const share = total === 0 ? 1 : Math.min(page.lookedCount / total, 1);
  return {
    rows: rowIds.flatMap((rowId) => found.get(rowId) ?? []),
    next,
    looked: { isWhole: page.isWhole, untilTimeUs, share },
  };
}

/** The places of those after a place, in the order of their arrival. */
export function chooseSessions(
  scope: ReadScope,
  { condition, ...selection }: SessionSelection,
  page: { readonly after: Place | null; readonly limit: number },
  budget: Pick<Budget, 'isOver'>,
): Promise<MatchPage> {
  const steps = { ...selection, sort: 'id', direction: 'asc' } as const;
  return findMatches(searchIn(scope, steps, condition, budget), page);
}

/** How many there are, counted newest first for so long. */
export async function countSessions(
  scope: ReadScope,
  { condition, ...selection }: SessionSelection,
  milliseconds: number,
): Promise<SpanCount> {
  const steps = { ...selection, sort: 'id', direction: 'desc' } as const;
  const counted = await countMatchingRows(searchIn(scope, steps, condition, new Budget(milliseconds)));
  const { count, isWhole, lookedCount } = counted;
  return { count, isExact: isWhole, share: isWhole ? 1 : lookedCount / (await countAllSessions(scope, steps)) };
}

function searchIn(
  scope: ReadScope,
  steps: SessionSteps,
  condition: Condition,
  budget: Pick<Budget, 'isOver'>,
): MatchSearch<SessionStepRow> {
  const named = namedRows(scope, condition, 'session');
  return {
    read: async (after, limit) => readSessionStep(scope, { ...steps, rowIds: await named() }, after, limit),
    decide: compileForSessions(scope, condition),
    budget,
  };
}
