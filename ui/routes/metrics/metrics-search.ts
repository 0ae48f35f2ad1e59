/** What the address of a project's metrics carries beside its time range. */
import { readFilterSearch } from '../project/project-search.ts';

/** See the file. */
export interface MetricsSearch {
  /** What the charts are compared with; absent: nothing. */
  readonly compare?: 'before' | undefined;
  /** In the filter language of spans; absent: none. */
  readonly filter?: string | undefined;
}

/** Reads {@link MetricsSearch}; what makes no sense is left out. */
export function readMetricsSearch(search: Readonly<Record<string, unknown>>): MetricsSearch {
  return { compare: search['compare'] === 'before' ? 'before' : undefined, filter: readFilterSearch(search) };
}
