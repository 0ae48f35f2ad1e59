/** Projects and their sums, read for all projects of an answer at once. */
import type { TimeRange } from '#api/graphql/builder';
import { defineLoader, type Loader } from '#api/graphql/loader';
import { defineQuestionLoader, defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
import { toTimeBounds } from '#api/graphql/time-bounds';
import type { ForCaller } from '#domain/caller';
import type { Project } from '#domain/project';
import type {
  AggregateAnswer,
  AggregateQuestion,
  Aggregates,
  TraceAnswer,
  TraceQuestion,
} from '#store/aggregates/port';
import type { ProjectSums, SumRange, TraceSums, TraceTimes } from '#store/projects/sums-port';
import type { ProjectBrowser } from '#store/projects/port';
import { aggregateTracesWhole, aggregateWhole } from '../aggregates/queries.ts';

/** A project, and what of it is summed. */
export interface SumKey {
  readonly rowId: number;
  readonly timeRange?: TimeRange | null | undefined;
}

/** A quantile of a project. */
export interface QuantileKey extends SumKey {
  readonly probability: number;
}

/** A quantile of all spans of a project. */
export type SpanQuantileKey = Omit<QuantileKey, 'timeRange'>;

/** The loaders; a sum is `undefined` where there is nothing to sum. */
export interface ProjectLoaders {
  readonly project: Loader<number, Project | undefined>;
  readonly spanCount: Loader<SumKey, number | undefined>;
  readonly sessionCount: Loader<SumKey, number | undefined>;
  readonly traceSums: Loader<SumKey, TraceSums | undefined>;
  readonly traceTimes: RowLoader<TraceTimes>;
  /** In microseconds. */
  readonly traceLatency: Loader<QuantileKey, number | undefined>;
  /** Of all spans, in microseconds. */
  readonly spanLatency: Loader<SpanQuantileKey, number | undefined>;
  /** Of what matches a filter. */
  readonly filteredSpans: Loader<AggregateQuestion, AggregateAnswer>;
  readonly filteredTraces: Loader<TraceQuestion, TraceAnswer>;
}

/** The loaders on a store. */
export function createProjectLoaders(
  projects: ForCaller<ProjectBrowser>,
  sums: ForCaller<ProjectSums>,
  aggregates: ForCaller<Aggregates>,
): ProjectLoaders {
  return {
    project: defineLoader((caller, rowIds) => projects(caller).findProjects(rowIds)),
    spanCount: defineQuestionLoader((caller, rowIds, key: SumQuestion) =>
      sums(caller).countSpans(rowIds, rangeOf(key)),
    ),
    sessionCount: defineQuestionLoader((caller, rowIds, key: SumQuestion) =>
      sums(caller).countSessions(rowIds, rangeOf(key)),
    ),
    traceSums: defineQuestionLoader((caller, rowIds, key: SumQuestion) => sums(caller).sumTraces(rowIds, rangeOf(key))),
    traceTimes: defineRowLoader((caller, rowIds) => sums(caller).traceTimes(rowIds)),
    traceLatency: defineLoader(
      (caller, keys: readonly QuantileKey[]) => readTraceLatencies(sums(caller), keys),
      (key) => JSON.stringify(key),
    ),
    spanLatency: defineQuestionLoader((caller, rowIds, key: Omit<SpanQuantileKey, 'rowId'>) =>
      sums(caller).spanLatencyQuantile(rowIds, key.probability),
    ),
    filteredSpans: defineLoader(
      (caller, questions: readonly AggregateQuestion[]) => aggregateWhole(caller, aggregates, questions),
      (question) => JSON.stringify(question),
    ),
    filteredTraces: defineLoader(
      (caller, questions: readonly TraceQuestion[]) => aggregateTracesWhole(caller, aggregates, questions),
      (question) => JSON.stringify(question),
    ),
  };
}

type SumQuestion = Omit<SumKey, 'rowId'>;

/** Percentiles of one range are read at once. */
async function readTraceLatencies(
  sums: ProjectSums,
  keys: readonly QuantileKey[],
): Promise<readonly (number | undefined)[]> {
  const found = new Map<QuantileKey, number | undefined>();
  for (const alike of Map.groupBy(keys, ({ timeRange }) => JSON.stringify(timeRange)).values()) {
    const rowIds = [...new Set(alike.map(({ rowId }) => rowId))];
    const probabilities = [...new Set(alike.map(({ probability }) => probability))];
    const latencies = await sums.traceLatencyQuantiles(rowIds, rangeOf(alike[0] as QuantileKey), probabilities);
    for (const key of alike) found.set(key, latencies.get(key.rowId)?.[probabilities.indexOf(key.probability)]);
  }
  return keys.map((key) => found.get(key));
}

function rangeOf({ timeRange }: SumQuestion): SumRange {
  const { startTimeUs = null, endTimeUs = null } = toTimeBounds(timeRange);
  return { startUs: startTimeUs, endUs: endTimeUs };
}
