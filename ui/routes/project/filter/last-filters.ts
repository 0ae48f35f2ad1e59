/** Filters that were applied in this browser, the latest first. */
import type { FilterGrain } from '#filter/tree';
import { createStored, useStored } from '#ui/lib/storage.ts';

type LastFilters = Readonly<Partial<Record<FilterGrain, readonly string[]>>>;

const MAX_FILTERS = 5;

const last = createStored<LastFilters>('filters', {}, (value) =>
  typeof value === 'object' && value !== null ? value : undefined,
);

/** The latest of a grain. */
export function useLastFilters(grain: FilterGrain): readonly string[] {
  const filters = useStored(last)[grain];
  return Array.isArray(filters) ? filters.filter((filter) => typeof filter === 'string').slice(0, MAX_FILTERS) : [];
}

/** Puts one before the others. */
export function rememberFilter(grain: FilterGrain, filter: string): void {
  const others = (last.get()[grain] ?? []).filter((other) => other !== filter);
  last.set({ ...last.get(), [grain]: [filter, ...others].slice(0, MAX_FILTERS) });
}
