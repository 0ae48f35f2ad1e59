/** Answers about many spans; what is asked twice in an operation is read once. */
import { defineLoader, type Loader } from '#api/graphql/loader';
import { defineQuestionLoader, defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
import type { TimeRange } from '#api/graphql/builder';
import { toTimeBounds } from '#api/graphql/time-bounds';
import type {
  AggregateAnswer,
  AggregateQuestion,
  Aggregates,
  SessionAnswer,
  SessionLengths,
  SessionQuestion,
  TraceAnswer,
  TraceQuestion,
  TurnGaps,
} from '#store/aggregates/port';
import { aggregateSessionsWhole, aggregateTracesWhole, aggregateWhole } from './queries.ts';

/** A project, and part of time. */
export interface RangeKey {
  readonly rowId: number;
  readonly timeRange?: TimeRange | null | undefined;
}

/** A quantile of a project. */
export interface QuantileKey extends RangeKey {
  readonly probability: number;
}

/** The first three throw `deadline_exceeded` where time does not suffice for all. */
export interface AggregateLoaders {
  readonly wholeAggregate: Loader<AggregateQuestion, AggregateAnswer>;
  readonly wholeTraces: Loader<TraceQuestion, TraceAnswer>;
  readonly wholeSessions: Loader<SessionQuestion, SessionAnswer>;
  readonly sessionLengths: Loader<RangeKey, SessionLengths | undefined>;
  /** In microseconds. */
  readonly sessionQuantile: Loader<QuantileKey, number | undefined>;
  /** By session. */
  readonly turnGaps: RowLoader<TurnGaps>;
}

/** The loaders on a store. */
export function createAggregateLoaders(aggregates: Aggregates): AggregateLoaders {
  return {
    wholeAggregate: defineLoader(
      (questions: readonly AggregateQuestion[]) => aggregateWhole(aggregates, questions),
      (question) => JSON.stringify(question),
    ),
    wholeTraces: defineLoader(
      (questions: readonly TraceQuestion[]) => aggregateTracesWhole(aggregates, questions),
      (question) => JSON.stringify(question),
    ),
    wholeSessions: defineLoader(
      (questions: readonly SessionQuestion[]) => aggregateSessionsWhole(aggregates, questions),
      (question) => JSON.stringify(question),
    ),
    sessionLengths: defineQuestionLoader((rowIds, { timeRange }: Omit<RangeKey, 'rowId'>) =>
      aggregates.readSessionLengths(rowIds, toTimeBounds(timeRange)),
    ),
    sessionQuantile: defineQuestionLoader((rowIds, { timeRange, probability }: Omit<QuantileKey, 'rowId'>) =>
      aggregates.readSessionQuantiles(rowIds, toTimeBounds(timeRange), probability),
    ),
    turnGaps: defineRowLoader((rowIds) => aggregates.readTurnGaps(rowIds)),
  };
}
