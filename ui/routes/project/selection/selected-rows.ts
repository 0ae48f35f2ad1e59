/** The rows that a selection names, in the order of the table, page by page. */
import type { Environment } from 'relay-runtime';
import type { Selection } from '#ui/components/data-table/selection.ts';
import type { Sort } from '#ui/components/data-table/table-column.ts';
import type { AskedColumns } from '../export/asked-columns.ts';
import { readRows } from '../export/pages.ts';
import { readRowsById } from '../export/rows-by-id.ts';
import type { ExportedRow } from '../export/write-rows.ts';
import type { ListScope } from '../list-scope.ts';

/** Rows that are asked for at a time. */
const PAGE_ROWS = 200;

/**
 * See the file.
 * @param asked what the columns need
 */
export async function* readSelectedRows(
  environment: Environment,
  scope: ListScope,
  sort: Sort,
  { isAll, ids }: Selection,
  loaded: readonly string[],
  asked: AskedColumns,
): AsyncGenerator<readonly ExportedRow[]> {
  if (isAll) {
    for await (const rows of readRows(environment, scope, sort, asked)) yield rows.filter(({ id }) => !ids.has(id));
    return;
  }
  const ordered = inOrder(ids, loaded);
  for (let start = 0; start < ordered.length; start += PAGE_ROWS) {
    yield await readRowsById(environment, scope.grain, ordered.slice(start, start + PAGE_ROWS), asked);
  }
}

/** Selected ids as the table orders them; behind them those that are not loaded any more. */
function inOrder(ids: ReadonlySet<string>, loaded: readonly string[]): readonly string[] {
  return [...new Set([...loaded.filter((id) => ids.has(id)), ...ids])];
}
