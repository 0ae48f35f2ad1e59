/** The tables of sums, as Kysely sees them. */

/** Spans of a project that start in a quarter of an hour. Triggers keep this and the next two tables. */
export interface SpanSumsTable {
  project_id: number;
  /** Of the Unix epoch. */
  quarter: number;
  span_count: number;
}

/** Sums of the traces of a project that start in a quarter of an hour. */
export interface TraceSumsTable {
  project_id: number;
  quarter: number;
  trace_count: number;
  prompt_tokens: number;
  completion_tokens: number;
  cost_nanousd: number;
  prompt_cost_nanousd: number;
  completion_cost_nanousd: number;
}

/** How many of the traces of a project that start in a stretch of half a day have a latency of a step. */
export interface TraceLatenciesTable {
  project_id: number;
  /** Of the Unix epoch. */
  stretch: number;
  latency_step: number;
  trace_count: number;
}
