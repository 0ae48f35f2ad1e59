/** Filters of spans that must all be true. */
import { parseFilter } from '#filter/parse-filter';

/** The filter that is true where both are; null: none. */
export function joinFilters(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return `${enclosed(one)} and ${enclosed(other)}`;
}

function enclosed(filter: string): string {
  return parseFilter('span', filter).condition?.kind === 'or' ? `(${filter})` : filter;
}
