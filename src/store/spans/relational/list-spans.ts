/** Pages of spans: what SQL can decide it decides; the rest is read from the originals, in bounded steps. */
import type { Page } from '#domain/page';
import type { AttributeEquals, PageRequest, SpanFilter, SpanRow, SpanSort } from '../port.ts';
import { type CursorKind, formatCursor, parseCursor, type Position } from './cursor.ts';
import { attributeEquals } from './attribute-equals.ts';
import type { ReadScope } from './read-scope.ts';
import { type Candidate, findPosition, type ListedSpan, selectSpans } from './span-query.ts';
import { readStoredSpans } from './stored-spans.ts';

/** One page of spans. A page that looked for as long as it may ends early and can be continued. */
export async function listSpans(
  scope: ReadScope,
  filter: SpanFilter,
  page: PageRequest<SpanSort>,
): Promise<Page<ListedSpan>> {
  const deadline = performance.now() + BUDGET_MS;
  const found: ListedSpan[] = [];
  let from = parseCursor(CURSOR_KINDS[page.sort], page.cursor);
  for (;;) {
    const wanted = page.limit - found.length;
    const until = isScan(filter) ? await findPosition(scope.db, filter, page, from, SCAN_ROWS) : null;
    const candidates = await selectSpans(scope.db, scope.dialect, filter, page, { from, until }, wanted + 1);
    const looked = candidates.slice(0, wanted);
    found.push(...(await matching(scope, filter.attributes ?? [], looked)));
    const beyond = candidates[wanted];
    const next = beyond === undefined ? until : positionOf(beyond.row, page.sort);
    if (next === null) return { data: found, nextCursor: null };
    if (found.length === page.limit || performance.now() > deadline)
      return { data: found, nextCursor: formatCursor(CURSOR_KINDS[page.sort], next) };
    from = next;
  }
}

/** Whether an index leads past rows that do not match; without ids every row of the project may have to be read. */
function isScan({
  traceIds,
  spanIds,
  names,
  kinds,
  statusCodes,
  parentSpanId,
  attributes,
  ...rest
}: SpanFilter): boolean {
  if (traceIds !== undefined || spanIds !== undefined) return false;
  const narrowing = [names, kinds, statusCodes, parentSpanId, attributes, rest.startTimeUs, rest.endTimeUs];
  return narrowing.some((criterion) => criterion !== undefined);
}

/** Rows of one statement, which nothing can interrupt: some 20 ms. */
const SCAN_ROWS = 20_000;

/** The cursor of a page that begins with the row. */
export function cursorOf(row: SpanRow, sort: SpanSort): string {
  return formatCursor(CURSOR_KINDS[sort], positionOf(row, sort));
}

const CURSOR_KINDS: Readonly<Record<SpanSort, CursorKind>> = { id: 'Span', start_time: 'DATETIME' };

/** How long a page may look, in milliseconds. */
const BUDGET_MS = 2000;

function positionOf(row: SpanRow, sort: SpanSort): Position {
  return { value: sort === 'id' ? null : row.startTimeUs, rowId: row.rowId };
}

async function matching(
  scope: ReadScope,
  attributes: readonly AttributeEquals[],
  candidates: readonly Candidate[],
): Promise<readonly ListedSpan[]> {
  const uncertain = candidates.filter((candidate) => candidate.isUncertain).map(({ row }) => row);
  const matches = new Set<number>();
  for await (const { row, span } of readStoredSpans(scope, uncertain)) {
    if (attributes.every((attribute) => attributeEquals(span.attributes, attribute))) matches.add(row.rowId);
  }
  return candidates.filter(({ row, isUncertain }) => !isUncertain || matches.has(row.rowId)).map(({ row }) => row);
}
