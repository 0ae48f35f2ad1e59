/** Answers about many spans; what is asked twice in an operation is read once. */
import { defineLoader, type Loader } from '#api/graphql/loader';
import { defineQuestionLoader, defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
import type { TimeRange } from '#api/graphql/builder';
import { toTimeBounds } from '#api/graphql/time-bounds';
import type { ForCaller } from '#domain/caller';
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
    sessionLengths: defineQuestionLoader((caller, rowIds, { timeRange }: Omit<RangeKey, 'rowId'>) =>
      aggregates(caller).readSessionLengths(rowIds, toTimeBounds(timeRange)),
    ),
    sessionQuantile: defineQuestionLoader((caller, rowIds, { timeRange, probability }: Omit<QuantileKey, 'rowId'>) =>
      aggregates(caller).readSessionQuantiles(rowIds, toTimeBounds(timeRange), probability),
    ),
    turnGaps: defineRowLoader((caller, rowIds) => aggregates(caller).readTurnGaps(rowIds)),
  };
}
