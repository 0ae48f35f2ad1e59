/** What resolvers of log records wait for, read for all of an answer at once. */
import { defineRowLoader, type RowLoader } from '#api/graphql/row-loader';
import type { LogBrowser, LogRecordView } from '#store/logs/port';

/** Values are `undefined` where there is nothing. */
export interface LogLoaders {
  readonly logRecord: RowLoader<LogRecordView>;
  /** By trace. */
  readonly unattachedLogCount: RowLoader<number>;
}

/** The loaders on a store. */
export function createLogLoaders(logs: LogBrowser): LogLoaders {
  return {
    logRecord: defineRowLoader((rowIds) => logs.findLogRecords(rowIds)),
    unattachedLogCount: defineRowLoader((rowIds) => logs.countUnattachedLogRecords(rowIds)),
  };
}
