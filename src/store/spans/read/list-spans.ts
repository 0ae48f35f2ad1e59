/** Pages of spans by arrival or start. */
import type { Condition } from '#filter/tree';
import { ofIds, ofProject } from '../../query/spans/batch-source.ts';
import { toCondition } from '../../query/discrete-filter.ts';
import { afterPlace, beforePlace } from '../../query/place.ts';
import { searchSpans } from '../../query/spans/search-spans.ts';
import { SORT_COLUMNS } from '../../query/spans/sort-values.ts';
import type { PageRequest, SpanFilter, SpanRow, SpanSort } from '../port.ts';
import { formatCursor, parseCursor } from '../../queries/cursor.ts';
import { CURSOR_KINDS, type ListedPage, listIndexedSpans, positionOf, readListedRows } from './list-indexed-spans.ts';
import type { ReadScope } from '../rows/read-scope.ts';

/** One page of spans. A page that looked for as long as it may ends early and can be continued. */
export async function listSpans(
  scope: ReadScope,
  filter: SpanFilter,
  page: PageRequest<SpanSort>,
): Promise<ListedPage> {
  const condition = toCondition(filter);
  return condition === null ? listIndexedSpans(scope, filter, page) : listMatches(scope, filter, condition, page);
}

/** The cursor of a page that begins with the row. */
export function cursorOf(row: SpanRow, sort: SpanSort): string {
  return formatCursor(CURSOR_KINDS[sort], positionOf(row, sort));
}

async function listMatches(
  scope: ReadScope,
  filter: SpanFilter,
  condition: Condition,
  { sort, order, limit, cursor }: PageRequest<SpanSort>,
): Promise<ListedPage> {
  const from = parseCursor(CURSOR_KINDS[sort], cursor);
  const hasIds = filter.traceIds !== undefined || filter.spanIds !== undefined;
  const { places, next } = await searchSpans(scope, hasIds ? ofIds(filter) : ofProject(filter), condition, {
    column: SORT_COLUMNS[sort],
    direction: order,
    limit,
    after: from === null ? null : beforePlace(from, order),
  });
  const { rows, lost } = await readListedRows(
    scope,
    places.map(({ rowId }) => rowId),
  );
  if (next === null) return { data: rows, lost, nextCursor: null };
  const { value, rowId } = afterPlace(next, order);
  const position = { value: typeof value === 'number' ? value : null, rowId };
  return { data: rows, lost, nextCursor: formatCursor(CURSOR_KINDS[sort], position) };
}
