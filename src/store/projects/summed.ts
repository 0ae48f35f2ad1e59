/** What sums of projects are kept of. */

/** Spans, traces and their columns are summed by quarters of an hour, in microseconds. */
export const QUARTER_US = 900_000_000;

/** Latencies are counted by half days. */
export const HALF_DAY_US = 48 * QUARTER_US;

/** Columns of traces, which have the same names in their sums. */
export const SUMMED = [
  'prompt_tokens',
  'completion_tokens',
  'cost_nanousd',
  'prompt_cost_nanousd',
  'completion_cost_nanousd',
] as const;
