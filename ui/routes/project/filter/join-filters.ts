/** Filters that must all be true. */
import { parseFilter } from '#filter/parse-filter';
import type { FilterGrain } from '#filter/tree';

/** The filter that is true where both are; null: none. */
export function joinFilters(one: string | null, other: string | null, grain: FilterGrain = 'span'): string | null {
  if (one === null || other === null) return one ?? other;
  return `${enclosed(one, grain)} and ${enclosed(other, grain)}`;
}

function enclosed(filter: string, grain: FilterGrain): string {
  return parseFilter(grain, filter).condition?.kind === 'or' ? `(${filter})` : filter;
}
