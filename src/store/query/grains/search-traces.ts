/** Pages and numbers of traces that match a filter. */
import type { KeysetPage, KeysetRequest, Position } from '#domain/page';
import type { Condition } from '#filter/tree';
import type { SpanCount, TraceTableSort } from '../../spans/browse-port.ts';
import type { TraceRow } from '../../spans/port.ts';
import { findTraces } from '../../spans/rows/find-rows.ts';
import type { ReadScope } from '../../spans/rows/read-scope.ts';
import { Budget, PAGE_MS } from '../budget.ts';
import { namedRows } from '../candidates.ts';
import type { Place } from '../place.ts';
import { countMatchingRows, findMatches, type MatchPage, type MatchSearch } from './find-matches.ts';
import { countTracesAfter, readTraceStep, type TraceStepRow, type TraceSteps } from './trace-steps.ts';
import { compileForTraces } from './traces.ts';

/** Which traces. */
export type TraceSelection = Omit<TraceSteps, 'sort' | 'direction'> & { readonly condition: Condition };

/** For how long may be looked. */
type SearchBudget = Pick<Budget, 'isOver' | 'assertNotLost'>;

/** One page. */
export async function searchTraces(
  scope: ReadScope,
  { condition, ...selection }: TraceSelection,
  { sort, order, limit, after }: KeysetRequest<TraceTableSort>,
  budget: SearchBudget = new Budget(PAGE_MS),
): Promise<KeysetPage<TraceRow>> {
  const steps = { ...selection, sort, direction: order };
  const page = await findMatches(searchIn(scope, steps, condition, budget), { after, limit });
  const rowIds = page.places.map(({ rowId }) => rowId);
  const found = await findTraces(scope, rowIds);
  const next = toPosition(page.next);
  const untilTimeUs = sort === 'start_time' && !page.isWhole ? (next?.value ?? null) : null;
  const restCount = page.isWhole || page.next === null ? 0 : await countTracesAfter(scope, steps, page.next);
  const share = page.lookedCount === 0 ? 1 : page.lookedCount / (page.lookedCount + restCount);
  return {
    rows: rowIds.flatMap((rowId) => found.get(rowId) ?? []),
    next,
    looked: { isWhole: page.isWhole, untilTimeUs, share },
  };
}

/** The places of those after a place, newest first. */
export function chooseTraces(
  scope: ReadScope,
  { condition, ...selection }: TraceSelection,
  page: { readonly after: Place | null; readonly limit: number },
  budget: SearchBudget,
): Promise<MatchPage> {
  const steps = { ...selection, sort: 'start_time', direction: 'desc' } as const;
  return findMatches(searchIn(scope, steps, condition, budget), page);
}

/** How many there are, counted newest first for so long. */
export async function countTraces(
  scope: ReadScope,
  { condition, ...selection }: TraceSelection,
  milliseconds: number,
): Promise<SpanCount> {
  const steps = { ...selection, sort: 'start_time', direction: 'desc' } as const;
  const counted = await countMatchingRows(searchIn(scope, steps, condition, new Budget(milliseconds)));
  const { count, isWhole, next, lookedCount } = counted;
  const restCount = next === null ? 0 : await countTracesAfter(scope, steps, next);
  return { count, isExact: isWhole, share: restCount === 0 ? 1 : lookedCount / (lookedCount + restCount) };
}

function searchIn(
  scope: ReadScope,
  steps: TraceSteps,
  condition: Condition,
  budget: SearchBudget,
): MatchSearch<TraceStepRow> {
  const { projectRowId, sort, startTimeUs } = steps;
  const window = sort === 'start_time' ? null : { startUs: startTimeUs ?? -Infinity, endUs: Infinity };
  const named = namedRows(scope, condition, 'trace');
  let current = budget;
  return {
    read: async (after, limit) => readTraceStep(scope, { ...steps, rowIds: await named() }, after, limit),
    decide: compileForTraces(scope, condition, {
      projectRowId,
      window,
      assertNotLost: () => budget.assertNotLost(),
      // A page that ended as soon as it could begin would look at all spans for each few traces.
      onLooked: () => {
        if (window !== null && budget instanceof Budget) current = new Budget(PAGE_MS);
      },
    }),
    budget: {
      get isOver() {
        return current.isOver;
      },
    },
  };
}

/** A place whose value is a number. */
export function toPosition(place: Place | null): Position | null {
  return place && { value: typeof place.value === 'number' ? place.value : null, rowId: place.rowId };
}
