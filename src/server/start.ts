/** Puts the server together, starts it, and stops it without losing anything. */
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Logger } from '#base/log';
import { threadEntry } from '#base/thread-entry';
import type { Config } from '#config/config';
import { ByteBudget } from '#ingest/budget';
import type { ExportResult } from '#ingest/group-commit';
import { IngestQueue } from '#ingest/queue';
import type { ReceivedExport } from '#ingest/receiver';
import { type Database, openSqliteDatabase } from '#store/database';
import { type Listeners, openListeners } from './listeners.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import type { WriterThreadData } from './writer-thread.ts';

/** A server that takes requests. */
export interface RunningServer {
  /** Where browsers and HTTP clients reach it. */
  readonly httpUrl: string;
  /** `host:port` of OTLP over gRPC. */
  readonly grpcAddress: string;
  /** `null` where it is not configured. */
  readonly otlpHttpUrl: string | null;
  /** Takes nothing new, finishes what it has accepted, and stops; takes a few seconds at most. */
  close(): Promise<void>;
}

/** When traces are compacted. */
export interface CompactionTimes {
  /** A trace that nothing was added to for so long is packed together. */
  readonly quietMs: number;
  /** How often to look for such traces. */
  readonly everyMs: number;
}

const COMPACTION_TIMES: CompactionTimes = { quietMs: 60_000, everyMs: 10_000 };

/**
 * Starts a server. The times of compaction are no setting; tests shorten them.
 * @throws AppError `failed_precondition` with one line that says what to do: a port in use, a data file that cannot be
 * opened
 */
export async function startServer(config: Config, log: Logger, compaction = COMPACTION_TIMES): Promise<RunningServer> {
  const maxBytes = Math.max(MIN_IN_FLIGHT_BYTES, config.otlpMaxBytes);
  const budget = new ByteBudget({ maxBytes, waitMs: ADMISSION_WAIT_MS, maxWaiting: MAX_WAITING });
  const metrics = createMetrics(() => budget.inFlightBytes);
  const database = await openDatabase(config, log, metrics, compaction);
  const queue = createQueue(budget, database, metrics);
  let listeners: Listeners | undefined;
  const close = async () => {
    await listeners?.close(LISTENER_CLOSE_MS);
    await queue.drain();
    await database.close();
    if (config.database.isTemporary) await rm(dirname(config.database.path), { recursive: true, force: true });
  };
  try {
    listeners = await openListeners({ config, log, database, receiver: queue, metrics });
    const { httpUrl, grpcAddress, otlpHttpUrl } = listeners;
    return { httpUrl, grpcAddress, otlpHttpUrl, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Bytes of unanswered export requests; room for many ordinary ones, or for the largest alone. */
const MIN_IN_FLIGHT_BYTES = 64 * 1024 * 1024;

/** How long a request waits for room before it is told to come again: well within every exporter's timeout of 10 s. */
const ADMISSION_WAIT_MS = 3000;
const MAX_WAITING = 1000;

/** How long clients have to finish when the server stops; what they were promised is stored in any case. */
const LISTENER_CLOSE_MS = 5000;

/** For what lives no longer than a group. Left alone it grows to 130 MB, for a tenth of speed at most. */
const WRITER_YOUNG_MB = 48;

function openDatabase(config: Config, log: Logger, metrics: Metrics, compaction: CompactionTimes): Promise<Database> {
  const { path } = config.database;
  const writerData: WriterThreadData = {
    path,
    maxBodyBytes: config.otlpMaxBytes,
    defaultProject: config.defaultProjectName,
    redactAttributes: config.redactAttributes,
    blockAboveBytes: config.storageGuard?.blockAboveBytes ?? null,
  };
  return openSqliteDatabase({
    path,
    spawnWriter: () =>
      new Worker(threadEntry(import.meta.url, 'writer-thread'), {
        workerData: writerData,
        resourceLimits: { maxYoungGenerationSizeMb: WRITER_YOUNG_MB },
      }),
    spawnReader: () => new Worker(threadEntry(import.meta.url, 'reader-thread'), { workerData: { path } }),
    compaction: { ...compaction, onCompacted: metrics.countCompaction },
    onDeath: (reason) => {
      metrics.countThreadDeath();
      log.error('A worker thread died and is replaced.', { reason });
    },
    onLog: ({ level, message, stack }) => log[level](message, { stack }),
  });
}

function createQueue(budget: ByteBudget, database: Database, metrics: Metrics): IngestQueue {
  return new IngestQueue({
    budget,
    store: (received: ReceivedExport) =>
      database.callWriter('export', [received], [received.body.buffer]) as Promise<ExportResult>,
    onStored: (outcome, seconds) => {
      metrics.countSpans(outcome);
      metrics.timeExport(seconds);
    },
    onRefused: (code) => metrics.countRefusedExport(code),
  });
}
