import { Worker } from 'node:worker_threads';
import type { Logger } from '#base/log';
import { MemoryRoom } from '#base/memory-room';
import { threadEntry } from '#base/thread-entry';
import type { Config } from '#config/config';
import { type Database, openDatabase as openStore, type DatabaseOptions } from '#store/database';
import type { ReplicaWatcher } from '#store/replica-readers';
import { engineOf, replicaOf } from './engine-of.ts';
import type { ReaderThreadData } from './reader-thread.ts';
import { sparelyGrowHeaps, threadLimits } from './thread-limits.ts';
import type { WriterThreadData } from './writer-thread.ts';

/** Who is told what happens in the database, and when it does its own work. */
export interface DatabaseWatchers
  extends Omit<
    DatabaseOptions,
    'engine' | 'spawnWriter' | 'spawnReader' | 'readerCount' | 'spawnBackgroundReader' | 'replica'
  > {
  /** `null` where a replica is not used even where one is named. */
  readonly replica: ReplicaWatcher | null;
}

/**
 * Opens the data of a configuration, with the threads that read and write it.
 * @throws AppError `failed_precondition` with what to do
 */
export function openDatabase(config: Config, { replica: watcher, ...watchers }: DatabaseWatchers): Promise<Database> {
  const engine = engineOf(config);
  const replica = replicaOf(config);
  const writer: WriterThreadData = { engine, migrations: config.migrations };
  const limits = threadLimits(config.maxMemoryBytes);
  const spawnReader = (workerData: ReaderThreadData) =>
    new Worker(threadEntry(import.meta.url, 'reader-thread'), {
      workerData,
      resourceLimits: workerData.isBackground ? limits.background : limits.reading,
    });
  return openStore({
    engine,
    spawnWriter: () =>
      new Worker(threadEntry(import.meta.url, 'writer-thread'), {
        workerData: writer,
        resourceLimits: limits.ingestion,
      }),
    spawnReader: () => spawnReader({ engine, replica: null, isBackground: false }),
    readerCount: limits.readerCount,
    spawnBackgroundReader: () => spawnReader({ engine, replica: null, isBackground: true }),
    replica:
      replica === null || watcher === null
        ? null
        : { ...watcher, spawnReader: () => spawnReader({ engine, replica, isBackground: false }) },
    ...watchers,
  });
}

/** The same for a command that works on the data of a server that does not run. */
export function openStoppedDatabase(config: Config, log: Logger): Promise<Database> {
  sparelyGrowHeaps(config.maxMemoryBytes);
  return openDatabase(config, {
    rooms: {
      reading: UNBOUNDED,
      background: UNBOUNDED,
      writing: UNBOUNDED,
      columns: { batches: UNBOUNDED, innerBatches: UNBOUNDED },
    },
    onDeath: (reason) => log.error('A worker thread died and is being replaced.', { reason }),
    onLog: ({ level, message, stack }) => log[level](message, { stack }),
    compaction: { quietMs: Number.MAX_SAFE_INTEGER, everyMs: MAX_TIMER_MS, onCompacted: () => undefined },
    columns: { everyMs: MAX_TIMER_MS, onBuilt: () => undefined, onLag: () => undefined },
    removal: { restRatio: 0, onTouched: () => undefined, onErased: () => undefined, onFinished: () => undefined },
    searching: { restRatio: 0, busyRestRatio: 0, onStep: () => undefined },
    verifying: { pace: { firstMs: MAX_TIMER_MS, passMs: 0, restRatio: 0 } },
    reindexing: { restRatio: 0, onStep: () => undefined, onTouched: () => undefined },
    onTouched: () => undefined,
    onDamage: ({ message }) => log.error(message),
    onShared: () => undefined,
    onMended: () => undefined,
    replica: null,
  });
}

/** A command has the machine for itself. */
const UNBOUNDED = new MemoryRoom({ maxBytes: Infinity, waitMs: 0 }).part();

/** Longer timers fire at once. */
const MAX_TIMER_MS = 0x7fffffff;
