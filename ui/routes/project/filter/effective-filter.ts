/** What the rows of a table fulfil, where the server is asked for figures about them. */
import { joinFilters } from './join-filters.ts';

const IS_ROOT = 'parent_span is None';

/** The filter of spans as one text, with the choice of roots alone in it; null: none. */
export function effectiveFilter(filter: string | null, rootsOnly: boolean): string | null {
  return rootsOnly ? joinFilters(filter, IS_ROOT) : filter;
}
