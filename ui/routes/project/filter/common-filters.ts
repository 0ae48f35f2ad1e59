/** What is looked for most, before anybody has written a filter. */
import type { Suggestion } from '#filter/completion/suggestion';
import type { FilterGrain } from '#filter/tree';

/** A filter with a name that says what it is for. */
export interface CommonFilter {
  readonly name: string;
  readonly filter: string;
}

/** Of each grain, in the order in which they are offered. */
export const COMMON_FILTERS: Readonly<Record<FilterGrain, readonly CommonFilter[]>> = {
  span: [
    { name: 'Errors', filter: "status_code == 'ERROR'" },
    { name: 'Slow', filter: 'latency_ms > 5000' },
    { name: 'Expensive', filter: 'total_cost > 0.01' },
  ],
  trace: [
    { name: 'Errors', filter: 'error_count > 0' },
    { name: 'Slow', filter: 'latency_ms > 5000' },
    { name: 'Expensive', filter: 'total_cost > 0.01' },
  ],
  session: [
    { name: 'Errors', filter: 'num_traces_with_error > 0' },
    { name: 'Long', filter: 'num_traces > 5' },
    { name: 'Expensive', filter: 'total_cost > 0.05' },
  ],
};

/** What most filters begin with. */
const FIRST: Readonly<Record<FilterGrain, readonly string[]>> = {
  span: ['span_kind', 'status_code', 'model_name', 'name', 'latency_ms'],
  trace: ['error_count', 'latency_ms', 'total_cost', 'user.id'],
  session: ['user.id', 'num_traces', 'num_traces_with_error', 'duration_ms', 'total_cost'],
};

/** The suggestions of an empty field: what most filters begin with comes first. */
export function usualFirst(grain: FilterGrain, suggestions: readonly Suggestion[]): readonly Suggestion[] {
  const usual = FIRST[grain].flatMap((label) => suggestions.filter((suggestion) => suggestion.label === label));
  return [...usual, ...suggestions.filter((suggestion) => !usual.includes(suggestion))];
}
