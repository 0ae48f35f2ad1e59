/** What sums of projects are kept of. */
import { type RawBuilder, sql } from 'kysely';

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

/** SQLite's sum of integers is an error beyond 2^63. */
export function sumOf(column: (typeof SUMMED)[number]): RawBuilder<number> {
  return sql`sum(CAST(${sql.ref(column)} AS double precision))`;
}
