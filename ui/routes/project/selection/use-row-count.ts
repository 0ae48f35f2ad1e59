import { useTotals } from '../figures/use-totals.ts';
import { useMatchCount } from '../filter/match-count.tsx';
import type { ListScope } from '../list-scope.ts';

/** How many rows a list has. */
export interface RowCount {
  readonly count: number;
  /** If not, there are at least this many. */
  readonly isExact: boolean;
}

/** Counts the rows of a scope; undefined until they are counted. */
export function useRowCount(scope: ListScope, isAsked = true): RowCount | undefined {
  const hasFilter = scope.filter !== null;
  const { found, isLoading } = useMatchCount(scope, isAsked && hasFilter);
  const { data: totals, isLoading: isTotalling } = useTotals(scope, isAsked && !hasFilter);
  if (hasFilter) return isLoading || found == null ? undefined : found;
  return isTotalling || totals === undefined ? undefined : { count: totals.count, isExact: totals.share === 1 };
}
