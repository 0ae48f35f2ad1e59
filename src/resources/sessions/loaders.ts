/** What resolvers of sessions wait for, read for all sessions of an answer at once. */
import type { Loader } from '#api/graphql/loader';
import { defineQuestionLoader, defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
import type { ForCaller } from '#domain/caller';
import type { SessionSummary, TelemetryBrowser } from '#store/spans/browse-port';
import type { SessionRow } from '#store/spans/port';

/** A quantile of a session. */
export interface SessionQuantileKey {
  readonly rowId: number;
  readonly probability: number;
}

/** Values are `undefined` where the session is not there. */
export interface SessionLoaders {
  readonly session: RowLoader<SessionRow>;
  readonly sessionSummary: RowLoader<SessionSummary>;
  /** In milliseconds. */
  readonly sessionLatency: Loader<SessionQuantileKey, number | undefined>;
}

/** The loaders on a store. */
export function createSessionLoaders(spans: ForCaller<TelemetryBrowser>): SessionLoaders {
  return {
    session: defineRowLoader((caller, rowIds) => spans(caller).findSessions(rowIds)),
    sessionSummary: defineRowLoader((caller, rowIds) => spans(caller).summarizeSessions(rowIds)),
    sessionLatency: defineQuestionLoader((caller, rowIds, { probability }: Omit<SessionQuantileKey, 'rowId'>) =>
      spans(caller).readSessionLatencyQuantiles(rowIds, probability),
    ),
  };
}
