import { expect, it } from 'vitest';
import { parseFilter } from '#filter/parse-filter';
import { suggest } from '#filter/suggest';
import type { FilterGrain } from '#filter/tree';
import { COMMON_FILTERS, usualFirst } from './common-filters.ts';

const GRAINS: readonly FilterGrain[] = ['span', 'trace', 'session'];

it.each(GRAINS)('offers filters of a %s that the language has', (grain) => {
  for (const { filter } of COMMON_FILTERS[grain]) expect(parseFilter(grain, filter).diagnostics).toEqual([]);
});

it.each([
  ['span', ['span_kind', 'status_code', 'model_name', 'name', 'latency_ms']],
  ['trace', ['error_count', 'latency_ms', 'total_cost', 'user.id']],
  ['session', ['user.id', 'num_traces', 'num_traces_with_error', 'duration_ms', 'total_cost']],
] as const)('begins the suggestions of a %s with what most filters begin with, and leaves none out', (grain, first) => {
  const { items } = suggest(grain, '', 0);
  const ordered = usualFirst(grain, items);
  expect(ordered.slice(0, first.length).map(({ label }) => label)).toEqual(first);
  expect(new Set(ordered)).toEqual(new Set(items));
});
