/** Projects and their sums, read for all projects of an answer at once. */
import type { TimeRange } from '#api/graphql/builder';
import { defineLoader, type Loader } from '#api/graphql/loader';
import { defineQuestionLoader, defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
import type { Project } from '#domain/project';
import type { ProjectSums, SumRange, TokenSums, TraceTimes } from '#store/project-sums-port';
import type { ProjectBrowser } from '#store/projects-port';

/** A project, and what of it is summed. */
export interface SumKey {
  readonly rowId: number;
  readonly timeRange?: TimeRange | null | undefined;
}

/** A quantile of a project. */
export interface QuantileKey extends SumKey {
  readonly probability: number;
}

/** The loaders; a sum is `undefined` where there is nothing to sum. */
export interface ProjectLoaders {
  readonly project: Loader<number, Project | undefined>;
  readonly spanCount: Loader<SumKey, number | undefined>;
  readonly traceCount: Loader<SumKey, number | undefined>;
  readonly sessionCount: Loader<SumKey, number | undefined>;
  readonly tokens: Loader<SumKey, TokenSums | undefined>;
  readonly traceTimes: RowLoader<TraceTimes>;
  /** In microseconds. */
  readonly traceLatency: Loader<QuantileKey, number | undefined>;
  /** In microseconds. */
  readonly spanLatency: Loader<QuantileKey, number | undefined>;
}

/** The loaders on a store. */
export function createProjectLoaders(projects: ProjectBrowser, sums: ProjectSums): ProjectLoaders {
  return {
    project: defineLoader((rowIds) => projects.findProjects(rowIds)),
    spanCount: defineQuestionLoader((rowIds, key: SumQuestion) => sums.countSpans(rowIds, rangeOf(key))),
    traceCount: defineQuestionLoader((rowIds, key: SumQuestion) => sums.countTraces(rowIds, rangeOf(key))),
    sessionCount: defineQuestionLoader((rowIds, key: SumQuestion) => sums.countSessions(rowIds, rangeOf(key))),
    tokens: defineQuestionLoader((rowIds, key: SumQuestion) => sums.sumTokens(rowIds, rangeOf(key))),
    traceTimes: defineRowLoader((rowIds) => sums.traceTimes(rowIds)),
    traceLatency: defineQuestionLoader((rowIds, key: QuantileQuestion) =>
      sums.latencyQuantile('traces', rowIds, rangeOf(key), key.probability),
    ),
    spanLatency: defineQuestionLoader((rowIds, key: QuantileQuestion) =>
      sums.latencyQuantile('spans', rowIds, rangeOf(key), key.probability),
    ),
  };
}

type SumQuestion = Omit<SumKey, 'rowId'>;
type QuantileQuestion = Omit<QuantileKey, 'rowId'>;

function rangeOf({ timeRange }: SumQuestion): SumRange {
  return { startUs: timeRange?.start ?? null, endUs: timeRange?.end ?? null };
}
