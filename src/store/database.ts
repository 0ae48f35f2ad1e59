/**
 * The database as the main thread has it: two handles and the span store, none of which runs a statement there.
 * `read` may lag behind a write by another caller; what must be read right after its own write goes through `write`.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Transferable, Worker } from 'node:worker_threads';
import { type Kysely, sql } from 'kysely';
import { AppError, errorMessage } from '#base/errors';
import { Compactor, type CompactorOptions } from './compaction/compactor.ts';
import type { CompactionPlan } from './compaction/plan.ts';
import type { ReindexPlan } from './reindex/plan.ts';
import { Reindexer, type ReindexerOptions } from './reindex/reindexer.ts';
import type { ReindexJob, ReindexState } from './reindex/state.ts';
import type { Tables } from './schema/tables.ts';
import type { LogBrowser } from './logs/port.ts';
import type { TelemetryBrowser } from './spans/browse-port.ts';
import type { SpanStore } from './spans/port.ts';
import { inspectDataFile } from './sqlite/inspect.ts';
import { acquireServerLock, type ServerLock } from './sqlite/server-lock.ts';
import { ReaderPool } from './threads/reader-pool.ts';
import { remoteKysely } from './threads/remote-kysely.ts';
import { causeOf, Thread, type ThreadOptions } from './threads/thread.ts';
import type { TouchedProject } from './writer-port.ts';

/** What everyone above storage works with. */
export interface Database {
  readonly read: Kysely<Tables>;
  readonly write: Kysely<Tables>;
  readonly spans: SpanStore & TelemetryBrowser & LogBrowser;
  /** Reads stored spans anew when it is told to. */
  readonly reindexer: Reindexer;
  /** Calls a handler of the writer's thread; buffers in `transfer` are moved there. */
  callWriter(method: string, parameters: readonly unknown[], transfer?: readonly Transferable[]): Promise<unknown>;
  /** Whether both handles answer. */
  readonly isReady: () => Promise<boolean>;
  /** Finishes what was begun, and lets go of the data file. */
  close(): Promise<void>;
}

/** Where the data lies and how its threads are started. */
export interface SqliteDatabaseOptions extends Pick<ThreadOptions, 'onDeath' | 'onLog'> {
  readonly path: string;
  readonly spawnWriter: () => Worker;
  readonly spawnReader: () => Worker;
  /** When traces are compacted, and who counts it. */
  readonly compaction: Pick<CompactorOptions, 'quietMs' | 'everyMs' | 'onCompacted'>;
  /** How fast spans are read anew, who is told what it comes to, and where it changed something. */
  readonly reindexing: Pick<ReindexerOptions, 'restRatio' | 'onStep'> & {
    readonly onTouched: (touched: readonly TouchedProject[]) => void;
  };
}

/**
 * Opens a data file as its only server.
 * @throws AppError `failed_precondition` with what to do: held by another server, of a newer version, not ours, or not
 * to be created or read
 */
export async function openSqliteDatabase(options: SqliteDatabaseOptions): Promise<Database> {
  const lock = prepareFolder(options.path);
  const writer = new Thread({ ...options, spawn: options.spawnWriter });
  const readers = new ReaderPool(READER_THREADS, { ...options, spawn: options.spawnReader });
  const closeThreads = async () => {
    await readers.close();
    await writer.close();
    lock.release();
  };
  try {
    await writer.call('open', []);
  } catch (error) {
    await closeThreads();
    throw refusal(
      `The data file ${options.path} cannot be opened (${causeOf(error)}): make it writable or repair it, or choose another with SERVICE_WORKING_DIR.`,
      error,
    );
  }
  const compactor = startCompactor(options, writer, readers);
  const reindexer = createReindexer(options, writer, readers);
  await reindexer.resume();
  const read = remoteKysely((query) => readers.query(query));
  const write = remoteKysely((query) => writer.call('query', [query.sql, query.parameters]) as never);
  return {
    read,
    write,
    spans: readers.spans,
    reindexer,
    callWriter: (method, parameters, transfer) => writer.call(method, parameters, transfer),
    isReady: async () => {
      try {
        await Promise.all([read, write].map((handle) => sql`SELECT 1`.execute(handle)));
        return true;
      } catch (error) {
        options.onLog({ level: 'error', message: 'the database does not answer', stack: errorMessage(error) });
        return false;
      }
    },
    close: async () => {
      await compactor.stop();
      await reindexer.stop();
      await closeThreads();
    },
  };
}

function startCompactor({ compaction, onLog }: SqliteDatabaseOptions, writer: Thread, readers: ReaderPool): Compactor {
  return new Compactor({
    ...compaction,
    lastBlockId: () => readers.callInBackground('lastBlockId', []) as Promise<number>,
    findQuietTraces: (blockId) => readers.callInBackground('findQuietTraces', [blockId]) as Promise<readonly number[]>,
    plan: (traceRowId) => readers.callInBackground('planCompaction', [traceRowId]) as Promise<CompactionPlan>,
    swap: (plans) => writer.call('compact', [plans]) as Promise<readonly boolean[]>,
    isBusy: () => writer.pendingCount > 0,
    onError: (error) => onLog({ level: 'error', message: 'blocks could not be compacted', stack: errorMessage(error) }),
  });
}

function createReindexer({ reindexing, onLog }: SqliteDatabaseOptions, writer: Thread, readers: ReaderPool): Reindexer {
  return new Reindexer({
    load: () => writer.call('reindexState', []) as Promise<ReindexState>,
    newJob: () => writer.call('newReindexJob', []) as Promise<ReindexJob>,
    plan: (fromRowId, endRowId) =>
      readers.callInBackground('planReindex', [fromRowId, endRowId]) as Promise<ReindexPlan>,
    apply: async (spanRowIds, job) => {
      const touched = (await writer.call('reindex', [spanRowIds, job])) as readonly TouchedProject[];
      if (touched.length > 0) reindexing.onTouched(touched);
    },
    isBusy: () => writer.pendingCount > 0,
    restRatio: reindexing.restRatio,
    onStep: reindexing.onStep,
    onError: (message, error) => onLog({ level: 'error', message, stack: errorMessage(error) }),
  });
}

/** One reader answers while the other is busy with a long list; more would only share the same cores. */
const READER_THREADS = 2;

function prepareFolder(path: string): ServerLock {
  const folder = dirname(path);
  let lock: ReturnType<typeof acquireServerLock>;
  try {
    createFolder(folder);
    assertOurs(path);
    lock = acquireServerLock(path, process.pid);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw refusal(
      `The folder ${folder} cannot be written to (${errorMessage(error)}): make it writable, or choose another with SERVICE_WORKING_DIR.`,
      error,
    );
  }
  if (!('release' in lock)) {
    throw refusal(
      `Another Cairn (process ${lock.pid}) uses ${path}: stop it, or choose another folder with SERVICE_WORKING_DIR.`,
    );
  }
  return lock;
}

/** Level by level: a recursive mkdir of Node never ends below folders that refuse new ones in their own way, as /proc does. */
function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  createFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

function assertOurs(path: string): void {
  const file = inspectDataFile(path);
  const elsewhere = 'choose another with SERVICE_WORKING_DIR or SERVICE_SQL_DATABASE_URL';
  switch (file.state) {
    case 'absent':
    case 'empty':
    case 'ours':
      return;
    case 'newer':
      throw refusal(
        `${path} was written by a newer version of Cairn (${file.what}): start that version, or ${elsewhere}.`,
      );
    case 'foreign':
      throw refusal(`${path} is ${file.what}; Cairn leaves it alone: ${elsewhere}.`);
    case 'unreadable': {
      const what = existsSync(path) ? file.what : 'it is gone';
      throw refusal(`${path} cannot be read as a database (${what}): repair or move it, or ${elsewhere}.`);
    }
  }
}

function refusal(message: string, cause?: unknown): AppError {
  return new AppError('failed_precondition', message, { cause });
}
