/** The database as the main thread has it: a handle that reads, the span store and commands, none of which runs a statement there. */
import type { Worker } from 'node:worker_threads';
import { AppError, errorMessage } from '#base/errors';
import type { RoomPart } from '#base/memory-room';
import type { ForCaller } from '#domain/caller';
import { type BulkActionNews, coordinateBulkActions } from './background/coordinate-bulk.ts';
import { coordinateJobs, type Jobs } from './background/coordinate-jobs.ts';
import { coordinateVerification, type Verification, type Verifying } from './background/coordinate-verification.ts';
import { recheckKnownDamage } from './background/recheck-known-damage.ts';
import { renewDamagedTables } from './background/renew-damaged-tables.ts';
import { coordinateSegments, type SegmentKeeping, type Segments } from './background/coordinate-segments.ts';
import { compactionJob, type CompactionOptions } from './compaction/compaction-job.ts';
import type { Coordination } from './coordination/port.ts';
import { coordinateRemoval, type Removal, type Removing } from './background/coordinate-removal.ts';
import {
  coordinateNormalizing,
  coordinatePricing,
  type NormalizePass,
  type PassOptions,
  type PricingPass,
} from './background/passes.ts';
import type { SqlDialect } from './dialect/dialect.ts';
import type { Damage } from './engine/damage.ts';
import type { EngineConfig } from './engine/engine-config.ts';
import { openDamageMemory } from './open/damage-memory.ts';
import { claimDatabase, DIALECTS, openCoordination } from './open/open-engine.ts';
import type { RunCommand } from './commands/remote-commands.ts';
import { coordinateSearch, type SearchIndex, type SearchIndexing } from './background/coordinate-search.ts';
import { type ReadPorts, readPorts } from './read-ports.ts';
import type { OriginalFormat } from './spans/port.ts';
import type { QueueRuleOptions } from './retention/apply-queue-rules.ts';
import { orUnavailable } from './threads/or-unavailable.ts';
import { DamageRegister, type KnownDamage } from './status/damage-register.ts';
import { StoringFailures } from './threads/storing-failures.ts';
import { ReaderPool } from './threads/reader-pool.ts';
import { type ReplicaOptions, ReplicaReaders } from './replica-readers.ts';
import { causeOf, Thread, type ThreadOptions } from './threads/thread.ts';
import type { WorkerRooms } from './threads/worker-room.ts';
import type { ReaderCalls } from './reader-calls.ts';
import { DERIVED_TABLES } from './renewal/derived-tables.ts';
import { RECORD_TABLES } from './renewal/record-tables.ts';
import type { StoreThreads } from './store-threads.ts';
import type { WriterCalls } from './writer-calls.ts';
import type { TouchedProject } from './engine/touched-project.ts';
import type { ExportResult, PackedExport } from './writer/port.ts';

/** What everyone above storage works with. */
export interface Database extends Removal, ReadPorts {
  /** Reads ordinary tables as `read` does, on the primary where that is another server. */
  readonly readPrimary: ReadPorts['read'];
  /** What statements for `read` are written in. */
  readonly dialect: SqlDialect;
  /** What happens in the background. */
  readonly jobs: Jobs;
  /** Reads stored spans again when it is told to. */
  readonly reindexer: ForCaller<NormalizePass>;
  /** Prices stored spans again when it is told to. */
  readonly repricer: ForCaller<PricingPass>;
  /** Told of bulk actions, works on those that are jobs. */
  readonly bulkActions: BulkActionNews;
  /** Finds what has arrived for the rules of review queues. */
  readonly queueRules: Pick<QueueRuleOptions, 'findDue' | 'plan'>;
  /** Runs a command in the writing thread; those who watch what it touched hear of it. */
  readonly runCommand: RunCommand;
  /** Spans column by column. */
  readonly segments: Segments;
  readonly searchIndex: SearchIndex;
  /** With other servers on the same data. */
  readonly coordination: Pick<Coordination, 'serve' | 'tell' | 'onMessage' | 'outdated'>;
  /** Stores a prepared request, whose buffers are moved to the writer; returns after the commit is synced. */
  store(packed: PackedExport): Promise<ExportResult>;
  /** Whether those who read and those who write answer. */
  readonly isReady: () => Promise<boolean>;
  /** What was found damaged since it was opened, and is not whole again. */
  readonly damage: KnownDamage;
  /** Reads everything that is stored, bit by bit. */
  readonly verification: Verification;
  /** Why nothing can be stored at the moment, for people to read; `null` where it can. */
  readonly findStoringProblem: () => Promise<string | null>;
  /** Finishes what was begun, and lets go of the data file. */
  close(): Promise<void>;
}

/** Where the data lies and how its threads are started. */
export interface DatabaseOptions extends Pick<ThreadOptions, 'onDeath' | 'onLog'>, PassOptions {
  readonly engine: EngineConfig;
  /**
   * Where threads take room for originals and what they make of them: readers who answer, all together, the background's, and the
   * writer; and where all of them take it for batches of columns.
   */
  readonly rooms: {
    readonly reading: RoomPart;
    readonly background: RoomPart;
    readonly writing: RoomPart;
    readonly columns: Omit<WorkerRooms, 'originals'>;
  };
  readonly spawnWriter: () => Worker;
  readonly spawnReader: () => Worker;
  /** Readers at most: one answers while the other is busy with a long list; more would only share the same cores. */
  readonly readerCount: number;
  /** A reader for the server's own work, which gets the processor only when nobody else wants it. */
  readonly spawnBackgroundReader: () => Worker;
  /** Answers what only reads, where there is one. */
  readonly replica: ReplicaOptions | null;
  /** When traces are compacted, and who counts it. */
  readonly compaction: Pick<CompactionOptions, 'quietMs' | 'everyMs' | 'onCompacted'>;
  readonly columns: SegmentKeeping;
  readonly removal: Removing;
  /** Hears where commands changed what is shown. */
  readonly onTouched: (touched: readonly TouchedProject[]) => void;
  readonly searching: SearchIndexing;
  readonly verifying: Verifying;
  /** Hears of each thing that is found damaged, once. */
  readonly onDamage: (damage: Damage) => void;
  /** Hears of each of them that is whole again, or gone. */
  readonly onMended: (damage: Damage) => void;
  /** Of spans that lost what they share, so many are known. */
  readonly onShared: (shared: string, spanCount: number) => void;
}

/**
 * Opens a database.
 * @throws AppError `failed_precondition` with what to do: held by another server where there may be only one, of a newer
 * version, not ours, or not to be created or read
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const claim = await claimDatabase(options.engine, { willWrite: true });
  const onError = (message: string, error: unknown) =>
    options.onLog({ level: 'error', message, stack: errorMessage(error) });
  const damage = new DamageRegister({
    onDamage: (found) => {
      options.onDamage(found);
      memory?.noteChange();
      rechecking.wake();
    },
    onShared: options.onShared,
    onMended: (whole) => {
      options.onMended(whole);
      memory?.noteChange();
    },
    onRepairable: ({ segment, part, envelope, sums, index }) => {
      if (segment !== undefined)
        writer.call('markSegmentDue', [segment]).catch((error: unknown) => {
          onError('damaged columns wait to be built again', error);
        });
      if (part !== undefined)
        searchIndex.mend(part).catch((error: unknown) => {
          onError('a damaged part of the search index waits to be mended', error);
        });
      if (index !== undefined)
        writer.call('rebuildIndex', [index.name]).catch((error: unknown) => {
          onError(`the index ${index.name} could not be made again`, error);
        });
      if (sums !== undefined)
        writer.call('sumStretchAgain', [sums]).catch((error: unknown) => {
          onError('sums of a project could not be computed again', error);
        });
      if (envelope !== undefined)
        writer.call('mendEnvelope', [envelope]).catch((error: unknown) => {
          onError('a damaged resource waits to be sent again', error);
        });
    },
  });
  const memory = openDamageMemory(options.engine, { known: () => damage.known(), onError });
  const renew = renewDamagedTables({
    // Storing may need the first, and the background has little time on a busy machine.
    finds: [
      () => writer.call('findDamagedTables', [RECORD_TABLES]),
      () => background.call('findDamagedTables', [DERIVED_TABLES]),
    ],
    renew: (damaged) => writer.call('renewTables', [damaged]),
    onRenewed: (message) => {
      options.onLog({ level: 'warn', message, stack: undefined });
      rechecking.wake();
    },
    onError: (error) => onError('damaged tables could not be made again', error),
    nowMs: () => performance.now(),
  });
  const watching = {
    ...options,
    onDamage: (found: Damage) => {
      damage.note(found);
      if (found.kind === 'database') renew();
    },
  };
  const { rooms } = options;
  const withBatches = (originals: RoomPart) => ({ ...rooms.columns, originals });
  const writer = new Thread<WriterCalls>({
    ...watching,
    rooms: withBatches(rooms.writing),
    spawn: options.spawnWriter,
  });
  const readers = new ReaderPool<ReaderCalls>(options.readerCount, {
    ...watching,
    mayBeLong: writesJson,
    rooms: withBatches(rooms.reading),
    spawn: options.spawnReader,
  });
  const background = new Thread<ReaderCalls>({
    ...watching,
    rooms: withBatches(rooms.background),
    spawn: options.spawnBackgroundReader,
    endAfterIdleMs: 30_000,
  });
  const rechecking = recheckKnownDamage({
    register: damage,
    recheck: (known) => background.call('recheckDamage', [known]),
    onError: (error) => onError('what was found damaged could not be read again', error),
  });
  let replica: ReplicaReaders | undefined;
  const closeThreads = async () => {
    await rechecking.stop();
    await replica?.close();
    // On a busy machine it gets so little time that its start alone can take seconds.
    await background.abandon();
    await readers.close();
    await writer.close();
    await memory?.close();
    claim.release();
  };
  try {
    await writer.call('open', []);
  } catch (error) {
    await closeThreads();
    const saysWhatToDo = error instanceof AppError && error.code === 'failed_precondition';
    throw saysWhatToDo ? error : claim.refusal(causeOf(error), error);
  }
  if (options.replica !== null) {
    const ofReplica = new ReaderPool<ReaderCalls>(options.readerCount, {
      ...watching,
      mayBeLong: writesJson,
      rooms: withBatches(rooms.reading),
      spawn: options.replica.spawnReader,
    });
    replica = new ReplicaReaders(readers, ofReplica, options.replica);
  }
  const threads = { writer, readers, background };
  const coordination = await openCoordination(
    options.engine,
    () => readers.callUnrefused('findRunningJobs', []),
    onError,
  );
  coordination.serve('compaction', () => startCompaction(options, threads));
  const segments = coordinateSegments(options.columns, threads, coordination, (error) =>
    onError('spans could not be written to columns', error),
  );
  const removal = coordinateRemoval(options.removal, threads, coordination, onError);
  const searchIndex = coordinateSearch(options.searching, threads, coordination, (error) =>
    onError('texts of spans could not be indexed for search', error),
  );
  const reindexer = coordinateNormalizing(options, threads, coordination);
  const repricer = coordinatePricing(options, threads, coordination);
  const bulkActions = coordinateBulkActions(options.removal, threads, coordination, options.onLog);
  const verification = coordinateVerification(options.verifying, threads, coordination, (error) =>
    onError('stored data could not be verified for now', error),
  );
  const remembered = memory?.recall() ?? [];
  if (remembered.length > 0) {
    const message = `${remembered.length} things in the database were damaged when a server last used it, and are read again.`;
    options.onLog({ level: 'warn', message, stack: undefined });
  }
  for (const known of remembered) damage.recall(known);
  const failures = new StoringFailures(() => damage.counts().database > 0);
  const dialect = DIALECTS[options.engine.engine];
  const ports = readPorts(dialect, replica ?? readers);
  return {
    dialect,
    ...ports,
    readPrimary: replica === undefined ? ports.read : readPorts(dialect, readers).read,
    jobs: coordinateJobs(
      {
        pauseJob: (...input) => writer.call('pauseJob', input),
        resumeJob: (...input) => writer.call('resumeJob', input),
        cancelJob: (...input) => writer.call('cancelJob', input),
      },
      coordination,
    ),
    reindexer,
    repricer,
    bulkActions,
    queueRules: {
      findDue: () => readers.callUnrefused('findDueRules', []),
      plan: (ruleRowId) => background.call('planRuleStep', [ruleRowId]),
    },
    runCommand: async (operation, caller, input) => {
      const { result, touched } = await orUnavailable(writer.call('runCommand', [operation, caller, input]));
      if (touched.length > 0) options.onTouched(touched);
      return result;
    },
    segments,
    ...removal,
    searchIndex,
    coordination,
    damage,
    verification,
    store: async (packed) => {
      const result = await failures.watch(writer.call('export', [packed], [packed.head.buffer, packed.body.buffer]));
      searchIndex.noteStored();
      return result;
    },
    isReady: async () => {
      try {
        await Promise.all([readers.callUnrefused('query', ['SELECT 1', []]), writer.call('query', ['SELECT 1', []])]);
        return true;
      } catch (error) {
        options.onLog({ level: 'error', message: 'the database does not answer', stack: errorMessage(error) });
        return false;
      }
    },
    findStoringProblem: async () => (await writer.call('findStoringProblem', [])) ?? failures.latest(),
    close: async () => {
      await coordination.close();
      await closeThreads();
    },
  };
}

function startCompaction({ compaction, onLog }: DatabaseOptions, { writer, readers, background }: StoreThreads) {
  return compactionJob({
    ...compaction,
    lastBlockId: () => readers.callUnrefused('lastBlockId', []),
    findQuietTraces: (blockId) => readers.callUnrefused('findQuietTraces', [blockId]),
    plan: (traceRowId) => background.call('planCompaction', [traceRowId]),
    planSettling: (traceRowId) => background.call('planSettling', [traceRowId]),
    planDictionary: (blockId) => background.call('planDictionary', [blockId]),
    addDictionary: (dictionary) => writer.call('addDictionary', [dictionary]),
    swap: (plans) => writer.call('compact', [plans]),
    isBusy: () => writer.pendingCount > 0,
    onError: (error) => onLog({ level: 'error', message: 'blocks could not be compacted', stack: errorMessage(error) }),
  });
}

/** All that was sent of a page or a trace as JSON is written in one piece, seconds where it has millions of small values. */
function writesJson(method: string, parameters: readonly unknown[]): boolean {
  return JSON_METHODS.has(method) && parameters.at(-1) === JSON_FORMAT;
}

const JSON_METHODS: ReadonlySet<string> = new Set([
  'readTraceOriginal',
  'listOriginals',
  'readSpanOriginal',
] satisfies (keyof ReadPorts['spans'])[]);

const JSON_FORMAT: OriginalFormat = 'json';
