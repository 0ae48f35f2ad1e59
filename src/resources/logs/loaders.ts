/** What resolvers of log records wait for, read for all of an answer at once. */
import { defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
import type { ForCaller } from '#domain/caller';
import type { LogBrowser, LogRecordView } from '#store/logs/port';

/** Values are `undefined` where there is nothing. */
export interface LogLoaders {
  readonly logRecord: RowLoader<LogRecordView>;
  /** By trace. */
  readonly unattachedLogCount: RowLoader<number>;
}

/** The loaders on a store. */
export function createLogLoaders(logs: ForCaller<LogBrowser>): LogLoaders {
  return {
    logRecord: defineRowLoader((caller, rowIds) => logs(caller).findLogRecords(rowIds)),
    unattachedLogCount: defineRowLoader((caller, rowIds) => logs(caller).countUnattachedLogRecords(rowIds)),
  };
}
