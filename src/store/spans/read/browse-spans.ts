/** Pages and numbers of spans that match a filter, as tables ask for them. */
import type { KeysetPage, KeysetRequest } from '#domain/page';
import type { SpanCount, SpanScope, SpanTableRow, SpanTableSort } from '../browse-port.ts';
import { browseSpans as browseIndexedSpans } from './browse-indexed-spans.ts';
import type { IndexedSort } from './span-walk.ts';
import type { ReadScope } from '../rows/read-scope.ts';
import { listSpanRows } from '../rows/span-table.ts';
import { type BatchSource, ofProject, ofTrace } from '../../query/spans/batch-source.ts';
import { countMatches } from '../../query/spans/count-spans.ts';
import { browseBySubtree, isCumulative } from '../../query/spans/browse-by-subtree.ts';
import { searchSpans } from '../../query/spans/search-spans.ts';
import { type ColumnSort, SORT_COLUMNS } from '../../query/spans/sort-values.ts';
import { conditionOf, narrowingOf } from '../../query/spans/span-scope.ts';

/** One page: without a filter along an index where the order has one, else out of columns. */
export async function browseSpans(
  scope: ReadScope,
  spans: SpanScope,
  page: KeysetRequest<SpanTableSort>,
): Promise<KeysetPage<SpanTableRow>> {
  const { sort } = page;
  if (isCumulative(sort)) return browseBySubtree(scope, spans, { ...page, sort });
  if (isIndexed(sort) && !isFiltered(spans)) return browseIndexedSpans(scope, spans, { ...page, sort });
  const part = { column: SORT_COLUMNS[sort], direction: page.order, limit: page.limit, after: page.after };
  const found = await searchSpans(scope, sourceOf(spans), conditionOf(spans), part, narrowingOf(spans));
  const { places, next, isWhole, share } = found;
  const rowIds = places.map(({ rowId }) => rowId);
  const position = next && { value: typeof next.value === 'number' ? next.value : null, rowId: next.rowId };
  const untilTimeUs = page.sort === 'start_time' && !isWhole ? (position?.value ?? null) : null;
  return { rows: await listSpanRows(scope, rowIds), next: position, looked: { isWhole, untilTimeUs, share } };
}

/** How many spans there are in the scope that match. */
export function countSpans(scope: ReadScope, spans: SpanScope, milliseconds: number): Promise<SpanCount> {
  return countMatches(scope, sourceOf(spans), conditionOf(spans), milliseconds, narrowingOf(spans));
}

function isIndexed(sort: ColumnSort): sort is IndexedSort {
  return sort !== 'cost';
}

function isFiltered(spans: SpanScope): boolean {
  return spans.condition !== undefined || narrowingOf(spans) !== null;
}

function sourceOf(spans: SpanScope): BatchSource {
  return 'traceRowId' in spans ? ofTrace(spans.traceRowId) : ofProject(spans);
}
