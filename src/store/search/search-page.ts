/** Pages and counts of hits. */
import { parseSearch } from '#derive/search/query';
import { scopeBits } from '#derive/search/scope';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { findSpans } from './find-spans.ts';
import type { FoundSpan } from './verify-phrases.ts';
import type { SearchCount, SearchedSpans, SearchHit, SearchPage, SearchPageRequest, SearchRequest } from './port.ts';
import { rankSpans } from './rank.ts';

/** How long a page may look, in milliseconds; of the best a little less, because they are compared then. */
const PAGE_MS = 1000;
const RANK_MS = 700;

/** As many spans are compared with each other: the last that were found. */
const MAX_RANKED = 20_000;

/** As many are counted, within as many milliseconds. */
const MAX_COUNTED = 1000;
const COUNT_MS = 1000;

/** See `TextSearch.searchTexts`. */
export async function searchTexts(
  scope: ReadScope,
  spans: SearchedSpans,
  request: SearchRequest,
  page: SearchPageRequest,
): Promise<SearchPage> {
  return page.order === 'newest' ? findNewest(scope, spans, request, page) : findBest(scope, spans, request, page);
}

async function findNewest(
  scope: ReadScope,
  spans: SearchedSpans,
  request: SearchRequest,
  { limit, after }: SearchPageRequest,
): Promise<SearchPage> {
  const below = after?.rowId ?? Number.MAX_SAFE_INTEGER;
  const { found, isEnd, lookedDownTo } = await gather(scope, spans, request, below, limit + 1, PAGE_MS);
  const hits = found.slice(0, limit).map(({ rowId }): SearchHit => {
    return { spanRowId: rowId, score: null, position: { rowId, place: null } };
  });
  if (found.length > limit) return { hits, next: hits.at(-1)?.position ?? null, isPartial: false };
  return { hits, next: isEnd ? null : { rowId: lookedDownTo, place: null }, isPartial: !isEnd };
}

async function findBest(
  scope: ReadScope,
  spans: SearchedSpans,
  request: SearchRequest,
  { limit, after }: SearchPageRequest,
): Promise<SearchPage> {
  const below = after?.rowId ?? (await nextRowId(scope));
  const { found, isEnd } = await gather(scope, spans, request, below, MAX_RANKED, RANK_MS);
  const first = after?.place ?? 0;
  const best = await rankSpans(scope, parseSearch(request.text), found, first + limit + 1);
  const hits = best.slice(first, first + limit).map(({ rowId, score }, place): SearchHit => {
    return { spanRowId: rowId, score, position: { rowId: below, place: first + place + 1 } };
  });
  return { hits, next: best.length > first + limit ? (hits.at(-1)?.position ?? null) : null, isPartial: !isEnd };
}

/** What is ranked is what was there when the first page was asked for. Index: the primary key. */
async function nextRowId({ db }: ReadScope): Promise<number> {
  const row = await db.selectFrom('search_progress').select('next_span_row_id').executeTakeFirstOrThrow();
  return row.next_span_row_id;
}

/** See `TextSearch.countTextHits`. */
export async function countTextHits(
  scope: ReadScope,
  spans: SearchedSpans,
  request: SearchRequest,
): Promise<SearchCount> {
  const { found, isEnd } = await gather(scope, spans, request, Number.MAX_SAFE_INTEGER, MAX_COUNTED + 1, COUNT_MS);
  return { count: Math.min(found.length, MAX_COUNTED), isExact: isEnd && found.length <= MAX_COUNTED };
}

/** The last spans that are found, until there are so many or no time is left. */
async function gather(
  scope: ReadScope,
  spans: SearchedSpans,
  { text, scope: searchScope }: SearchRequest,
  below: number,
  maxCount: number,
  maxMs: number,
): Promise<{ readonly found: readonly FoundSpan[]; readonly isEnd: boolean; readonly lookedDownTo: number }> {
  const deadline = performance.now() + maxMs;
  const found: FoundSpan[] = [];
  const search = { spans, query: parseSearch(text), places: scopeBits(searchScope), below };
  for await (const step of findSpans(scope, search)) {
    for (const span of step.spans) found.push(span);
    const { lookedDownTo } = step;
    if (found.length >= maxCount || performance.now() > deadline) {
      return { found: found.slice(0, maxCount), isEnd: false, lookedDownTo };
    }
  }
  return { found, isEnd: true, lookedDownTo: 0 };
}
