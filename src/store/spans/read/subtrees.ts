/** What lies below a span: a page of it, and what it comes to. */
import type { SpanTableRow, Subtree } from '../browse-port.ts';
import type { ReadScope } from '../rows/read-scope.ts';
import { listSpanRows } from '../rows/span-table.ts';

/** One page, level by level. Index: primary keys, and those of trees. */
export async function browseDescendants(
  scope: ReadScope,
  spanRowId: number,
  { maxDepth, limit, after }: { readonly maxDepth: number; readonly limit: number; readonly after: number | null },
): Promise<{ readonly rows: readonly SpanTableRow[]; readonly hasMore: boolean }> {
  const span = await scope.db.selectFrom('spans').select('trace_row_id').where('id', '=', spanRowId).executeTakeFirst();
  if (span === undefined) return { rows: [], hasMore: false };
  const tree = await scope.trees.treeOf(scope.db, span.trace_row_id);
  const below = tree.descendants(spanRowId, maxDepth);
  const start = after === null ? 0 : below.indexOf(after) + 1;
  // A place that is not there any more ends the list, where starting anew would repeat it.
  if (after !== null && start === 0) return { rows: [], hasMore: false };
  return {
    rows: await listSpanRows(scope, below.slice(start, start + limit)),
    hasMore: below.length > start + limit,
  };
}

/** What each of the spans and all below it come to. Index: primary keys, and those of trees. */
export async function readSubtrees(
  scope: ReadScope,
  spanRowIds: readonly number[],
): Promise<ReadonlyMap<number, Subtree>> {
  const rows = await scope.db
    .selectFrom('spans')
    .select(['id', 'trace_row_id'])
    .where('id', 'in', scope.dialect.numbersOf(spanRowIds))
    .execute();
  const subtrees = new Map<number, Subtree>();
  for (const [traceRowId, ofTrace] of Map.groupBy(rows, (row) => row.trace_row_id)) {
    const tree = await scope.trees.treeOf(scope.db, traceRowId);
    for (const { id } of ofTrace) {
      const subtree = tree.subtree(id);
      if (subtree !== undefined) subtrees.set(id, subtree);
    }
  }
  return subtrees;
}
