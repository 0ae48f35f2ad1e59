import { Worker } from 'node:worker_threads';
import type { Logger } from '#base/log';
import { threadEntry } from '#base/thread-entry';
import type { Config } from '#config/config';
import { type Database, openSqliteDatabase, type SqliteDatabaseOptions } from '#store/database';
import { INGEST_LIMITS } from './preparers.ts';
import type { WriterThreadData } from './writer-thread.ts';

/** Who is told what happens in the database, and when it does its own work. */
export type DatabaseWatchers = Omit<SqliteDatabaseOptions, 'path' | 'spawnWriter' | 'spawnReader'>;

/**
 * Opens the data of a configuration, with the threads that read and write it.
 * @throws AppError `failed_precondition` with what to do
 */
export function openDatabase(config: Config, watchers: DatabaseWatchers): Promise<Database> {
  const { path } = config.database;
  const writerData: WriterThreadData = {
    path,
    blockAboveBytes: config.storageGuard?.blockAboveBytes ?? null,
  };
  return openSqliteDatabase({
    path,
    spawnWriter: () =>
      new Worker(threadEntry(import.meta.url, 'writer-thread'), {
        workerData: writerData,
        resourceLimits: INGEST_LIMITS,
      }),
    spawnReader: () => new Worker(threadEntry(import.meta.url, 'reader-thread'), { workerData: { path } }),
    ...watchers,
  });
}

/** The same for a command that works on the data of a server that does not run. */
export function openStoppedDatabase(config: Config, log: Logger): Promise<Database> {
  return openDatabase(config, {
    onDeath: (reason) => log.error('A worker thread died and is replaced.', { reason }),
    onLog: ({ level, message, stack }) => log[level](message, { stack }),
    compaction: { quietMs: Number.MAX_SAFE_INTEGER, everyMs: MAX_TIMER_MS, onCompacted: () => undefined },
    reindexing: { restRatio: 0, onStep: () => undefined, onTouched: () => undefined },
  });
}

/** Longer timers fire at once. */
const MAX_TIMER_MS = 0x7fffffff;
