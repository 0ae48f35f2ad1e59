import { parsePosition, formatPosition } from '#api/graphql/keyset';
import { AppError } from '#base/errors';
import type { SearchScope } from '#derive/search/scope';
import type { Caller, ForCaller } from '#domain/caller';
import type {
  SearchedSpans,
  SearchHit,
  SearchOrder,
  SearchPage,
  SearchPosition,
  SearchRequest,
  TextSearch,
} from '#store/search/port';
import type { SpanTableRow, TelemetryBrowser } from '#store/spans/browse-port';

/** What a search works with. */
export interface SearchParts {
  readonly search: ForCaller<TextSearch>;
  readonly spans: ForCaller<Pick<TelemetryBrowser, 'findSpans'>>;
}

/** A hit with its span, and what was looked for. */
export interface FoundSpan {
  readonly hit: SearchHit;
  readonly span: SpanTableRow;
  readonly request: SearchRequest;
}

/** One page of hits. */
export interface FoundPage extends Pick<SearchPage, 'next' | 'isPartial'> {
  readonly found: readonly FoundSpan[];
  readonly spans: SearchedSpans;
  readonly request: SearchRequest;
}

/** A search as it is asked for. */
export interface SearchArguments {
  readonly text: string;
  readonly scope: SearchScope;
  readonly order: SearchOrder;
  readonly limit: number;
  readonly cursor: string | null;
}

/**
 * One page; spans that are deleted meanwhile are left out.
 * @throws AppError `invalid_argument` for what cannot be looked for, and for a cursor of another list
 */
export async function searchSpans(
  caller: Caller,
  { search, spans: browser }: SearchParts,
  spans: SearchedSpans,
  { text, scope, order, limit, cursor }: SearchArguments,
): Promise<FoundPage> {
  assertForwards(spans);
  const request: SearchRequest = { text, scope };
  const page = { order, limit, after: parseCursor(order, cursor) };
  const { hits, next, isPartial } = await search(caller).searchTexts(spans, request, page);
  const rows = await browser(caller).findSpans(hits.map(({ spanRowId }) => spanRowId));
  const found = hits.flatMap((hit) => {
    const span = rows.get(hit.spanRowId);
    return span === undefined ? [] : [{ hit, span, request }];
  });
  return { found, next, isPartial, spans, request };
}

/** The cursor after a hit. */
export function formatCursor({ rowId, place }: SearchPosition): string {
  return place === null ? formatPosition(null, { rowId, value: null }) : formatPosition('INT', { rowId, value: place });
}

function parseCursor(order: SearchOrder, cursor: string | null): SearchPosition | null {
  const position = parsePosition(order === 'newest' ? null : 'INT', cursor);
  return position && { rowId: position.rowId, place: order === 'newest' ? null : Math.max(position.value ?? 0, 0) };
}

function assertForwards(spans: SearchedSpans): void {
  if (!('projectRowId' in spans)) return;
  const { startTimeUs, endTimeUs } = spans;
  if (startTimeUs === undefined || endTimeUs === undefined || startTimeUs <= endTimeUs) return;
  throw new AppError('invalid_argument', 'The time range ends before it starts: swap its start and its end.');
}
