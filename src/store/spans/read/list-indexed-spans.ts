/** Pages of spans along an index. */
import type { Page } from '#domain/page';
import type { LostSpan } from '../../engine/damage.ts';
import { isDamage } from '../../engine/storage-error.ts';
import type { PageRequest, SpanFilter, SpanRow, SpanSort } from '../port.ts';
import { type CursorKind, formatCursor, parseCursor, type Position } from '../../queries/cursor.ts';
import type { ReadScope } from '../rows/read-scope.ts';
import {
  findPosition,
  inOrderOf,
  type ListedSpan,
  selectPositions,
  selectSpanRows,
  selectSpans,
  type SpanRange,
  toSpanRow,
} from '../rows/span-query.ts';
import { readRowsAround } from '../rows/unreadable-rows.ts';

/**
 * One page of the spans of a project, in bounds of time and with ids; nothing else narrows it. One that looked for as
 * long as it may ends early and can be continued.
 */
export async function listIndexedSpans(
  scope: ReadScope,
  filter: SpanFilter,
  page: PageRequest<SpanSort>,
): Promise<ListedPage> {
  const deadline = performance.now() + BUDGET_MS;
  const found: ListedSpan[] = [];
  const lost: LostSpan[] = [];
  let foundCount = 0;
  let from = parseCursor(CURSOR_KINDS[page.sort], page.cursor);
  for (;;) {
    const wanted = page.limit - foundCount;
    const until = isScan(filter, page.sort) ? await findPosition(scope.db, filter, page, from, SCAN_ROWS) : null;
    const part = await readPart(scope, filter, page, { from, until }, wanted);
    found.push(...part.rows);
    lost.push(...part.lost);
    foundCount += part.count;
    const next = part.beyond ?? until;
    if (next === null) return { data: found, lost, nextCursor: null };
    if (foundCount === page.limit || performance.now() > deadline)
      return { data: found, lost, nextCursor: formatCursor(CURSOR_KINDS[page.sort], next) };
    from = next;
  }
}

/** A page, with the spans that belong to it and cannot be read. */
export interface ListedPage extends Page<ListedSpan> {
  /** Spans whose rows are on damaged pages. */
  readonly lost: readonly LostSpan[];
}

interface Part {
  readonly rows: readonly ListedSpan[];
  readonly lost: readonly LostSpan[];
  /** Of both. */
  readonly count: number;
  /** The place of the row behind them. */
  readonly beyond: Position | undefined;
}

/** The next rows; where pages are damaged, their places by an index, and the rows that can be read. */
async function readPart(
  scope: ReadScope,
  filter: SpanFilter,
  page: PageRequest<SpanSort>,
  range: SpanRange,
  wanted: number,
): Promise<Part> {
  const { db, dialect } = scope;
  try {
    const rows = await selectSpans(db, dialect, filter, page, range, wanted + 1);
    const beyond = rows[wanted];
    const count = Math.min(rows.length, wanted);
    return { rows: rows.slice(0, wanted), lost: [], count, beyond: beyond && positionOf(beyond, page.sort) };
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  const places = await selectPositions(db, dialect, filter, page, range, wanted + 1);
  const rowIds = places.slice(0, wanted).map(({ rowId }) => rowId);
  return { ...(await readListedRows(scope, rowIds)), count: rowIds.length, beyond: places[wanted] };
}

/** The rows in the order of the ids; one that is gone is left out. Index: the primary key. */
export async function readListedRows(
  scope: ReadScope,
  rowIds: readonly number[],
): Promise<{ readonly rows: readonly ListedSpan[]; readonly lost: readonly LostSpan[] }> {
  if (rowIds.length === 0) return { rows: [], lost: [] };
  const { db, dialect } = scope;
  const { rows, lost } = await readRowsAround(scope, rowIds, (some) =>
    selectSpanRows(db).where('spans.id', 'in', dialect.numbersOf(some)).execute(),
  );
  return { rows: inOrderOf(rowIds, rows.map(toSpanRow)), lost };
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
