/** Answers about many spans; what is asked twice in an operation is read once. */
import { defineLoader, type Loader } from '#api/graphql/loader';
import { defineQuestionLoader, defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
import type { TimeRange } from '#api/graphql/builder';
import { toTimeBounds } from '#api/graphql/time-bounds';
import type { AnnotationFilter } from '#domain/annotation-filter';
import type { ForCaller } from '#domain/caller';
import type { FilterGrain } from '#filter/tree';
import type { AnnotationSummary } from '#store/annotations/summaries';
import type {
  AggregateAnswer,
  AggregateQuestion,
  AnnotationAnswer,
  AnnotationQuestion,
  Aggregates,
  DocumentAnswer,
  DocumentQuestion,
  SessionAnswer,
  SessionLengths,
  SessionQuestion,
  TraceAnswer,
  TraceQuestion,
  TurnGaps,
} from '#store/aggregates/port';
import {
  aggregateSessionsWhole,
  aggregateTracesWhole,
  aggregateWhole,
  evaluateDocumentsWhole,
  summarizeAnnotationsWhole,
} from './queries.ts';

/** A project, and part of time. */
export interface RangeKey {
  readonly rowId: number;
  readonly timeRange?: TimeRange | null | undefined;
}

/** A quantile of a project. */
export interface QuantileKey extends RangeKey {
  readonly probability: number;
}

/** What annotations are of. */
export interface TargetKey {
  readonly rowId: number;
  readonly target: FilterGrain;
  readonly filter: AnnotationFilter;
}

/** The first five throw `deadline_exceeded` where time does not suffice for all. */
export interface AggregateLoaders {
  readonly wholeAggregate: Loader<AggregateQuestion, AggregateAnswer>;
  readonly wholeTraces: Loader<TraceQuestion, TraceAnswer>;
  readonly wholeSessions: Loader<SessionQuestion, SessionAnswer>;
  readonly wholeAnnotations: Loader<AnnotationQuestion, AnnotationAnswer>;
  readonly wholeDocuments: Loader<DocumentQuestion, DocumentAnswer>;
  /** Of spans, traces or sessions. */
  readonly annotationSummaries: Loader<TargetKey, readonly AnnotationSummary[] | undefined>;
  readonly sessionLengths: Loader<RangeKey, SessionLengths | undefined>;
  /** In microseconds. */
  readonly sessionQuantile: Loader<QuantileKey, number | undefined>;
  /** By session. */
  readonly turnGaps: RowLoader<TurnGaps>;
}

/** The loaders on a store. */
export function createAggregateLoaders(aggregates: ForCaller<Aggregates>): AggregateLoaders {
  return {
    wholeAggregate: defineLoader(
      (caller, questions: readonly AggregateQuestion[]) => aggregateWhole(caller, aggregates, questions),
      (question) => JSON.stringify(question),
    ),
    wholeTraces: defineLoader(
      (caller, questions: readonly TraceQuestion[]) => aggregateTracesWhole(caller, aggregates, questions),
      (question) => JSON.stringify(question),
    ),
    wholeSessions: defineLoader(
      (caller, questions: readonly SessionQuestion[]) => aggregateSessionsWhole(caller, aggregates, questions),
      (question) => JSON.stringify(question),
    ),
    wholeAnnotations: defineLoader(
      (caller, questions: readonly AnnotationQuestion[]) => summarizeAnnotationsWhole(caller, aggregates, questions),
      (question) => JSON.stringify(question),
    ),
    wholeDocuments: defineLoader(
      (caller, questions: readonly DocumentQuestion[]) => evaluateDocumentsWhole(caller, aggregates, questions),
      (question) => JSON.stringify(question),
    ),
    annotationSummaries: defineQuestionLoader((caller, rowIds, { target, filter }: Omit<TargetKey, 'rowId'>) =>
      aggregates(caller).summarizeTargets(target, rowIds, filter),
    ),
    sessionLengths: defineQuestionLoader((caller, rowIds, { timeRange }: Omit<RangeKey, 'rowId'>) =>
      aggregates(caller).readSessionLengths(rowIds, toTimeBounds(timeRange)),
    ),
    sessionQuantile: defineQuestionLoader((caller, rowIds, { timeRange, probability }: Omit<QuantileKey, 'rowId'>) =>
      aggregates(caller).readSessionQuantiles(rowIds, toTimeBounds(timeRange), probability),
    ),
    turnGaps: defineRowLoader((caller, rowIds) => aggregates(caller).readTurnGaps(rowIds)),
  };
}
