/** How many spans match a filter. */
import type { Condition } from '#filter/tree';
import type { SpanCount } from '../../spans/browse-port.ts';
import type { ReadScope } from '../../spans/rows/read-scope.ts';
import { Budget } from '../budget.ts';
import type { BatchSource } from './batch-source.ts';
import { openTraces, type TraceNarrowing } from './owned-batches.ts';
import { decideBatches } from './search-spans.ts';
import { prepareFilter } from '../prepare-filter.ts';
import { UNCERTAIN, YES } from '../verdicts.ts';
import { verifyRows } from '../verify-rows.ts';

/**
 * Counts for as long as it may: what columns tell first, then, newest first, what originals tell. Where that does not
 * suffice, there are at least so many.
 */
export async function countMatches(
  scope: ReadScope,
  source: BatchSource,
  condition: Condition,
  milliseconds: number,
  narrowing: TraceNarrowing | null = null,
): Promise<SpanCount> {
  const filter = await prepareFilter(scope, condition);
  const budget = new Budget(milliseconds);
  const traces = narrowing && openTraces(scope, narrowing, NEWEST_FIRST, budget);
  const uncertain: number[] = [];
  let [count, lookedShare, isCut] = [0, 1, false];
  for await (const { batch, verdicts, share } of decideBatches(scope, source, filter, NEWEST_FIRST, traces)) {
    lookedShare = share;
    for (let row = 0; row < verdicts.length; row++) {
      if (verdicts[row] === YES) count++;
      else if (verdicts[row] === UNCERTAIN) {
        if (uncertain.length < MAX_UNCERTAIN) uncertain.push(batch.rowIds[row] ?? 0);
        else isCut = true;
      }
    }
    if (share < 1 && budget.isOver) return { count, isExact: false, share };
  }
  uncertain.sort((a, b) => b - a);
  for (let start = 0; start < uncertain.length; start += STEP) {
    if (start > 0 && budget.isOver) return { count, isExact: false, share: lookedShare };
    const { matches, undecided } = await verifyRows(scope, filter, uncertain.slice(start, start + STEP), budget);
    count += matches.size;
    if (undecided.size > 0) return { count, isExact: false, share: lookedShare };
  }
  // Stretches of row ids that might have held spans of the scope held none.
  return { count, isExact: !isCut, share: isCut ? lookedShare : 1 };
}

const NEWEST_FIRST = { column: null, direction: 'desc', after: null } as const;

/** Uncertain rows that are kept; more are not verified within any time. */
const MAX_UNCERTAIN = 500_000;

/** Uncertain rows that are verified together. */
const STEP = 128;
