/** What the address of the list of projects carries. */
import { readProjectSearch } from '../project/project-search.ts';
import type { TimeRangeSearch } from '#ui/lib/time-range.ts';

/** See the file. The time is absent until one is chosen. */
export interface ProjectsSearch extends TimeRangeSearch {
  /** `column:direction`; absent: as this browser remembers it. */
  readonly sort?: string | undefined;
}

/** Reads {@link ProjectsSearch}; what makes no sense is left out. */
export function readProjectsSearch(search: Readonly<Record<string, unknown>>): ProjectsSearch {
  const { sort } = search;
  return {
    ...readProjectSearch(search),
    sort: typeof sort === 'string' && sort.length < MAX_SORT_LENGTH ? sort : undefined,
  };
}

const MAX_SORT_LENGTH = 40;
