/** Describes the selected rows of a list in the form that the server takes. */
import type { BulkSelectionInput } from '#ui/__generated__/deleteSelectedMutation.graphql.ts';
import type { Selection } from '#ui/components/data-table/selection.ts';
import type { ListScope } from '../list-scope.ts';

/** What the server calls the rows of a table. */
export const BULK_ROWS = { span: 'SPANS', trace: 'TRACES', session: 'SESSIONS' } as const;

/** The selected rows: by their ids, or as everything that matches. */
export function toBulkInput(
  { projectId, grain, timeRange, filter }: Pick<ListScope, 'projectId' | 'grain' | 'timeRange' | 'filter'>,
  { isAll, ids }: Selection,
): BulkSelectionInput {
  const rows = BULK_ROWS[grain];
  if (!isAll) return { projectId, rows, ids: [...ids] };
  return { projectId, rows, matching: { timeRange, filterCondition: filter, exceptIds: [...ids] } };
}

/** The same scope up to now: what arrives while somebody thinks about it is neither counted nor changed. */
export function upTo(scope: ListScope, nowMs: number): ListScope {
  const { timeRange } = scope;
  return { ...scope, timeRange: { ...timeRange, end: timeRange.end ?? new Date(nowMs).toISOString() } };
}
