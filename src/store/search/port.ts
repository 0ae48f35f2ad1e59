/** The door to full-text search for everyone who reads. */
import type { SearchScope } from '#derive/search/scope';
import type { SearchSnippet } from '#derive/search/snippets';
import type { Condition } from '#filter/tree';
import type { TimeBounds } from '../spans/browse-port.ts';

/** What is looked for. */
export interface SearchRequest {
  /** As people type it; see `derive/search/query.ts`. */
  readonly text: string;
  readonly scope: SearchScope;
}

/** Where it is looked for: spans of a project by their start, or of a trace; those that fulfil a condition, where one is given. */
export type SearchedSpans = { readonly condition?: Condition | undefined } & (
  | (TimeBounds & { readonly projectRowId: number })
  | { readonly traceRowId: number }
);

/** In which order spans are found: the last that arrived first, or those that tell most about what is looked for. */
export const SEARCH_ORDERS = ['newest', 'best'] as const;

/** One of {@link SEARCH_ORDERS}. */
export type SearchOrder = (typeof SEARCH_ORDERS)[number];

/** Where a list of hits goes on: below a span, or at a place among the best up to a span. */
export interface SearchPosition {
  readonly rowId: number;
  /** `null` in the order of arrival. */
  readonly place: number | null;
}

/** One page of hits. */
export interface SearchPageRequest {
  readonly order: SearchOrder;
  readonly limit: number;
  readonly after: SearchPosition | null;
}

/** A span that was found. */
export interface SearchHit {
  readonly spanRowId: number;
  /** Larger is better, comparable within one search; `null` in the order of arrival. */
  readonly score: number | null;
  readonly position: SearchPosition;
}

/** Hits, and how complete they are. */
export interface SearchPage {
  readonly hits: readonly SearchHit[];
  /** `null` at the end. */
  readonly next: SearchPosition | null;
  /** Whether it looked for as long as it may and ended early; it can be continued. For the best, whether not all could be compared. */
  readonly isPartial: boolean;
}

/** How many spans are found, as far as they are counted. */
export interface SearchCount {
  readonly count: number;
  /** Whether there are no more. */
  readonly isExact: boolean;
}

/** How far behind the index is. */
export interface SearchCurrency {
  /** Spans that arrived, changed or were deleted, and are not searched as they are now. */
  readonly pendingSpanCount: number;
  /** Start of the last span that is searched, in microseconds since the Unix epoch; `null` without any. */
  readonly indexedUpToUs: number | null;
}

/** Finds spans by their texts. */
export interface TextSearch {
  /**
   * One page.
   * @throws AppError `invalid_argument` for a text that names nothing to look for, or too much
   */
  searchTexts(spans: SearchedSpans, request: SearchRequest, page: SearchPageRequest): Promise<SearchPage>;
  /** At most as many as are counted within a bound of numbers and time. @throws AppError as {@link searchTexts} */
  countTextHits(spans: SearchedSpans, request: SearchRequest): Promise<SearchCount>;
  /** By span row id: where they hold what is looked for, best first. Spans that are gone are left out. */
  readSnippets(
    request: SearchRequest,
    spanRowIds: readonly number[],
  ): Promise<ReadonlyMap<number, readonly SearchSnippet[]>>;
  readSearchCurrency(): Promise<SearchCurrency>;
}
