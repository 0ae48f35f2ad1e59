/** Pages of spans along an index. */
import type { Page } from '#domain/page';
import type { PageRequest, SpanFilter, SpanRow, SpanSort } from '../port.ts';
import { type CursorKind, formatCursor, parseCursor, type Position } from '../../queries/cursor.ts';
import type { ReadScope } from '../rows/read-scope.ts';
import { findPosition, type ListedSpan, selectSpans } from '../rows/span-query.ts';

/**
 * One page of the spans of a project, in bounds of time and with ids; nothing else narrows it. One that looked for as
 * long as it may ends early and can be continued.
 */
export async function listIndexedSpans(
  scope: ReadScope,
  filter: SpanFilter,
  page: PageRequest<SpanSort>,
): Promise<Page<ListedSpan>> {
  const deadline = performance.now() + BUDGET_MS;
  const found: ListedSpan[] = [];
  let from = parseCursor(CURSOR_KINDS[page.sort], page.cursor);
  for (;;) {
    const wanted = page.limit - found.length;
    const until = isScan(filter, page.sort) ? await findPosition(scope.db, filter, page, from, SCAN_ROWS) : null;
    const rows = await selectSpans(scope.db, scope.dialect, filter, page, { from, until }, wanted + 1);
    found.push(...rows.slice(0, wanted));
    const beyond = rows[wanted];
    const next = beyond === undefined ? until : positionOf(beyond, page.sort);
    if (next === null) return { data: found, nextCursor: null };
    if (found.length === page.limit || performance.now() > deadline)
      return { data: found, nextCursor: formatCursor(CURSOR_KINDS[page.sort], next) };
    from = next;
  }
}

/** Whether rows outside the bounds lie between those of the page. */
function isScan({ traceIds, spanIds, startTimeUs, endTimeUs }: SpanFilter, sort: SpanSort): boolean {
  if (traceIds !== undefined || spanIds !== undefined) return false;
  return sort === 'id' && (startTimeUs !== undefined || endTimeUs !== undefined);
}

/** Rows of one statement, which nothing can interrupt: some 20 ms. */
const SCAN_ROWS = 20_000;

/** What cursors of an order are called. */
export const CURSOR_KINDS: Readonly<Record<SpanSort, CursorKind>> = { id: 'Span', start_time: 'DATETIME' };

/** How long a page may look, in milliseconds. */
const BUDGET_MS = 2000;

/** Where a row stands in an order. */
export function positionOf(row: SpanRow, sort: SpanSort): Position {
  return { value: sort === 'id' ? null : row.startTimeUs, rowId: row.rowId };
}
