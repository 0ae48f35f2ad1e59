/** Puts the server together, starts it, and stops it without losing anything. */
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Callers } from '#api/caller';
import { errorMessage } from '#base/errors';
import type { Logger } from '#base/log';
import { giveBackWhenIdle } from '#base/give-back';
import { nextMomentUs } from '#base/moment';
import { warnOfInitialPassword } from '#config/auth';
import type { Config } from '#config/config';
import { systemCaller } from '#domain/caller';
import { ByteBudget } from '#ingest/budget';
import { ChangeFeed } from '#ingest/change-feed';
import { Pipeline, type PipelineOptions } from '#ingest/pipeline';
import { IngestQueue } from '#ingest/queue';
import type { Database } from '#store/database';
import { isDamage } from '#store/engine/storage-error';
import type { VerificationPace } from '#store/verification/verification-job';
import { describeDeletion } from '#store/deletion/describe-deletion';
import { AnswerBudget } from './answer-budget.ts';
import { openAuthentication } from './authentication/authentication.ts';
import { type FirstPassword, prepareAccounts } from './authentication/prepare-accounts.ts';
import { checkPorts } from './check-ports.ts';
import { replicaOf } from './engine-of.ts';
import type { Listeners } from './listeners.ts';
import { memorySizes } from './memory-sizes.ts';
import { openRooms } from './open-rooms.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { openDatabase } from './open-database.ts';
import { Preparers, type ThreadWatchers } from './preparers.ts';
import { startRetainer } from './start-retainer.ts';
import { TextBodies } from './text-bodies.ts';
import { watchDamage } from './watch-damage.ts';
import { watchMemory } from './watch-memory.ts';
import { watchReplica } from './watch-replica.ts';
import { watchVerification } from './watch-verification.ts';

/** A server that takes requests. */
export interface RunningServer {
  /** Where browsers and HTTP clients reach it. */
  readonly httpUrl: string;
  /** `host:port` of OTLP over gRPC. */
  readonly grpcAddress: string;
  /** `null` where it is not configured. */
  readonly otlpHttpUrl: string | null;
  /** Where metrics alone are read; `null` where that is not configured. */
  readonly metricsUrl: string | null;
  /** To be shown to the operator alone; `null` except for the start that generated it. */
  readonly firstPassword: FirstPassword | null;
  /** Resolves, if ever, with why it cannot go on; whoever started it closes it then. */
  readonly outdated: Promise<string>;
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

const COMPACTION_TIMES: CompactionTimes = { quietMs: 30_000, everyMs: 10_000 };

/**
 * Starts a server. The times of compaction are no setting; tests shorten them. Callers are found out by the settings unless a test
 * says how.
 * @throws AppError `failed_precondition` with one line that says what to do: a port in use, a data file that cannot be
 * opened
 */
export async function startServer(
  config: Config,
  log: Logger,
  compaction = COMPACTION_TIMES,
  callers?: Callers,
): Promise<RunningServer> {
  const memory = memorySizes(config.maxMemoryBytes, config.otlpMaxBytes);
  const budget = new ByteBudget({ maxBytes: memory.bodies, waitMs: ADMISSION_WAIT_MS, maxWaiting: MAX_WAITING });
  const { rooms, columns, pressure, close: closeRooms } = openRooms(memory);
  const textBodies = new TextBodies({ maxBytes: memory.textBodies, room: rooms.storing });
  const answers = new AnswerBudget({ maxBytes: memory.answers, maxSmallBytes: memory.smallAnswers });
  const metrics = createMetrics();
  const accounts = {
    bodies: budget,
    text_bodies: textBodies.budget,
    ...rooms,
    batches: columns.batches,
    inner_batches: columns.innerBatches,
    answers,
  };
  watchMemory(metrics.registry, accounts, pressure);
  const changes = new ChangeFeed();
  const watchers = watchThreads(log, metrics);
  await checkPorts(config);
  // The writer opens the data file while what listens is loaded, which takes as long.
  const [database, { openListeners }] = await Promise.all([
    openDatabase(config, {
      ...watchers,
      rooms: { ...rooms, columns },
      compaction: { ...compaction, onCompacted: metrics.countCompaction },
      columns: { everyMs: SEGMENTS_EVERY_MS, onBuilt: metrics.countSegment, onLag: metrics.setColumnLag },
      removal: {
        restRatio: 1,
        onTouched: (touched) => changes.publish(touched),
        onErased: metrics.countErased,
        onFinished: (deletion) => log.info(describeDeletion(deletion)),
      },
      onTouched: (touched) => changes.publish(touched),
      ...watchDamage(metrics.registry, log),
      verifying: { pace: VERIFICATION_PACE },
      searching: { restRatio: 0.5, busyRestRatio: 1, onStep: metrics.countSearchIndexing },
      // Half of a core at most: the other half is for who waits.
      reindexing: { restRatio: 1, onStep: metrics.countReindex, onTouched: (touched) => changes.publish(touched) },
      replica: replicaOf(config) === null ? null : watchReplica(metrics.registry, log),
    }),
    import('./listeners.ts'),
  ]);
  watchVerification(metrics.registry, database);
  const authentication = openAuthentication(config, database, watchers, log);
  hearOfOthers(database, changes);
  const [firstPassword] = await Promise.all([
    besideDamage(log, 'The accounts', prepareAccounts(authentication.services, database, log)),
    besideDamage(log, 'The jobs', tellOfReindex(database, log)),
  ]).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const initialPasswordWarning = firstPassword === null ? null : warnOfInitialPassword(config);
  if (initialPasswordWarning !== null) log.warn(initialPasswordWarning);
  database.startErasing();
  startRetainer(config, database, log);
  const preparers = new Preparers(config, watchers, { maxListBytes: memory.largestSpanList, room: rooms.storing });
  const pipeline = createPipeline(preparers, database, {
    maxLarge: memory.largeRequests,
    room: rooms.storing,
    maxBodyBytes: config.otlpMaxBytes,
  });
  pressure.start();
  const stopGivingBack = giveBackWhenIdle({ isIdle: () => budget.takenBytes === 0 });
  const queue = createQueue(budget, pipeline, metrics, changes);
  let listeners: Listeners | undefined;
  const close = async () => {
    stopGivingBack();
    pressure[Symbol.dispose]();
    changes.close();
    pipeline.stop();
    await listeners?.close(LISTENER_CLOSE_MS);
    await queue.drain();
    await preparers.close();
    await authentication.close();
    closeRooms();
    await database.close();
    const { database: data } = config;
    if (data.engine === 'sqlite' && data.isTemporary) await rm(dirname(data.path), { recursive: true, force: true });
  };
  try {
    listeners = await openListeners({
      config,
      log,
      answers,
      textBodies,
      grpcDoors: memory.grpcDoors,
      maxSpanListBytes: memory.largestSpanList,
      doors: memory.doors,
      database,
      receiver: queue,
      metrics,
      changes,
      preparers,
      authentication: callers === undefined ? authentication : { ...authentication, callers },
    });
    const { httpUrl, grpcAddress, otlpHttpUrl, metricsUrl } = listeners;
    const outdated = database.coordination.outdated.then(describeNewer);
    return { httpUrl, grpcAddress, otlpHttpUrl, metricsUrl, firstPassword, outdated, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What a start asks of ordinary tables: damaged pages of them do not hold it up, and requests that need them are refused. */
async function besideDamage<T>(log: Logger, what: string, asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (!isDamage(error)) throw error;
    log.error(`${what} cannot be read. The server starts, and refuses requests that need them.`, {
      reason: errorMessage(error),
    });
    return null;
  }
}

function describeNewer(change: string): string {
  return `Another server has upgraded the schema (${change}): this server stops writing and shuts down. Start the newer version here, too.`;
}

/** At most a fiftieth of a processor, and after all that a start has to do. */
const VERIFICATION_PACE: VerificationPace = { firstMs: 60_000, passMs: 4 * 3_600_000, restRatio: 49 };

/** How long spans of a complete segment are read from their rows before it is built. */
const SEGMENTS_EVERY_MS = 2000;

/** How long a request waits for room before it is told to come again: well within every exporter's timeout of 10 s. */
const ADMISSION_WAIT_MS = 3000;
const MAX_WAITING = 1000;

/** How long clients have to finish when the server stops; what they were promised is stored in any case. */
const LISTENER_CLOSE_MS = 5000;

/**
 * What other servers on the same data changed is told to those who watch here, too. Whoever asks all of them by turns is told the
 * same, so the others forget what this one cannot know.
 */
function hearOfOthers({ coordination }: Database, changes: ChangeFeed): void {
  coordination.onMessage((message) => {
    if (message.kind === 'touched') changes.publish(message.touched);
    else if (message.kind === 'anything') changes.publishAnything(message.changedAtUs);
  });
  const changedAtUs = nextMomentUs();
  changes.publishAnything(changedAtUs);
  coordination.tell({ kind: 'anything', changedAtUs });
}

/** Reading spans anew is offered, never forced. */
async function tellOfReindex({ reindexer }: Database, log: Logger): Promise<void> {
  const state = await reindexer(systemCaller('start')).readState();
  if (state.job !== null && state.job.finishedAtUs === null) {
    log.info('Reading stored spans again continues where it was interrupted.');
  } else if (state.isStale) {
    log.info(
      'Some stored spans were read with the rules of another version; `cairn reindex --normalise` applies the current rules.',
    );
  }
}

function watchThreads(log: Logger, metrics: Metrics): ThreadWatchers {
  return {
    onDeath: (reason) => {
      metrics.countThreadDeath();
      log.error('A worker thread died and is being replaced.', { reason });
    },
    onLog: ({ level, message, stack }) => log[level](message, { stack }),
  };
}

function createPipeline(
  preparers: Preparers,
  database: Database,
  bounds: Pick<PipelineOptions, 'maxLarge' | 'room' | 'maxBodyBytes'>,
): Pipeline {
  return new Pipeline({
    ...bounds,
    prepare: (received) => preparers.prepare(received),
    prepareParts: (...of) => preparers.prepareParts(...of),
    store: (packed) => database.store(packed),
  });
}

function createQueue(budget: ByteBudget, pipeline: Pipeline, metrics: Metrics, changes: ChangeFeed): IngestQueue {
  return new IngestQueue({
    budget,
    store: (received) => pipeline.store(received),
    onStored: (signal, outcome, seconds) => {
      metrics.countItems(signal, outcome);
      metrics.timeExport(seconds);
      changes.publish(outcome.touched);
    },
  });
}
