/** Sums over the telemetry of projects, for many projects at once: one statement each, however many there are. */

import type { CostSums } from '../spans/port.ts';

/** Part of time. Microseconds since the Unix epoch, start inclusive, end exclusive. */
export interface SumRange {
  readonly startUs: number | null;
  readonly endUs: number | null;
}

/** Tokens that count, and what they cost. */
export interface TokenSums extends CostSums {
  readonly promptTokenCount: number;
  readonly completionTokenCount: number;
}

/** Traces, and what they come to. */
export interface TraceSums extends TokenSums {
  readonly traceCount: number;
}

/** Where the traces of a project lie in time. */
export interface TraceTimes {
  /** Start of the earliest trace. */
  readonly startUs: number;
  /** End of the trace that started last. */
  readonly endUs: number;
}

/** By project row id; a project without anything is not in it. */
export type ByProject<Value> = ReadonlyMap<number, Value>;

/** Sums of projects. What is in a range is what started in it. */
export interface ProjectSums {
  countSpans(projectRowIds: readonly number[], range: SumRange): Promise<ByProject<number>>;
  /** A session is in a range when any of it is. */
  countSessions(projectRowIds: readonly number[], range: SumRange): Promise<ByProject<number>>;
  sumTraces(projectRowIds: readonly number[], range: SumRange): Promise<ByProject<TraceSums>>;
  /** For each of the probabilities the latency in microseconds that the share of traces does not exceed, interpolated. */
  traceLatencyQuantiles(
    projectRowIds: readonly number[],
    range: SumRange,
    probabilities: readonly number[],
  ): Promise<ByProject<readonly number[]>>;
  /** The same for one, of all spans that ended. Those of a range are read column by column, see `aggregates/`. */
  spanLatencyQuantile(projectRowIds: readonly number[], probability: number): Promise<ByProject<number>>;
  traceTimes(projectRowIds: readonly number[]): Promise<ByProject<TraceTimes>>;
}
