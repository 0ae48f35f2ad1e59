/** What the address of the review page carries. */
import { type PeekSearch, readPeekSearch } from '../../project/project-search.ts';

/** See the file. */
export interface ReviewSearch extends PeekSearch {
  /** Global id of the item; absent: the next one. */
  readonly item?: string | undefined;
}

/** Reads {@link ReviewSearch}; what makes no sense is left out. */
export function readReviewSearch(search: Readonly<Record<string, unknown>>): ReviewSearch {
  const { item } = search;
  return {
    ...readPeekSearch(search),
    annotate: undefined,
    view: undefined,
    item: typeof item === 'string' && item.length <= 200 ? item : undefined,
  };
}
