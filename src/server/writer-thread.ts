/** The writer: the one connection that writes. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { collectGarbage } from '#base/collect-garbage';
import { Gate } from '#base/gate';
import type { MigrationConfig } from '#config/config';
import { GroupCommit } from '#ingest/group-commit';
import { unpackExport } from '#ingest/packed-export';
import { SLICES } from '#resources/slices';
import { CommandRunner } from '#store/commands/command-runner';
import type { EngineConfig } from '#store/engine/engine-config';
import { openWriteEngine } from '#store/open/open-engine';
import type { RecordTransaction } from '#store/engine/records';
import { noteRules } from '#store/reindex/state';
import { READ_AT_START } from '#store/renewal/derived-tables';
import { findDamagedTables, renewTables } from '#store/renewal/renew-tables';
import { noteTokenizer } from '#store/texts/progress';
import { RelationalSpanWriter } from '#store/writer/writer';
import { RestTimer } from '#store/threads/rest-timer';
import { logFromThread, serveCalls } from '#store/threads/rpc';
import { deletionCalls } from '#store/deletion/writer-calls';
import { isDamage, StorageError } from '#store/engine/storage-error';
import { exclusiveCalls, growingCalls, type WriterCalls } from '#store/writer-calls';

/** What the writer is started with. */
export interface WriterThreadData {
  readonly engine: EngineConfig;
  readonly migrations: MigrationConfig;
}

/** Some seconds of silence are a rest; a log that is cut more often is written back more often. */
const REST_EVERY_MS = 3000;

/** A request above that leaves several times its bytes behind. */
const LARGE_BYTES = 8 * 1024 * 1024;

const port = parentPort as MessagePort;
const { engine: config, migrations } = workerData as WriterThreadData;
const engine = await openWriteEngine(config, (message) => logFromThread(port, 'error', message), {
  ...migrations,
  log: (message) => {
    if (migrations.isLogged) logFromThread(port, 'info', message);
  },
});
const { db } = engine;
const gate = new Gate();
const writer = new RelationalSpanWriter({
  ...engine,
  hooks: (await Promise.all(SLICES.map((slice) => slice.hooks()))).flat(),
  onError: (message, cause) => logFromThread(port, 'error', message, cause),
});
const commits = new GroupCommit({
  writer: {
    write: (requests) =>
      alone(async () => {
        await engine.assertRoom();
        const outcomes = await writer.write(requests);
        engine.assertKept();
        return outcomes;
      }),
  },
  prepare: unpackExport,
});

const commands = loadCommands();

let ready: Promise<void> | undefined;

/** Makes the database ready once; what failed is tried again by whoever calls next. */
function prepare(): Promise<void> {
  ready ??= makingRoom(async () => {
    await engine.prepare();
    await renewingDamaged(async () => {
      await noteRules(db);
      await noteTokenizer(db);
    });
  }).catch((error: unknown) => {
    ready = undefined;
    throw error;
  });
  return ready;
}

/** Runs what a server begins with, which must not fail because of tables that can be made again. */
async function renewingDamaged(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const damaged = isDamage(error) ? findDamagedTables(engine.findDamagedTables, READ_AT_START) : [];
    if (damaged.length === 0) throw error;
    logFromThread(port, 'error', await renewTables(engine, damaged));
    await run();
  }
}

/** Runs what must work on a full disk, too: what was set aside for that is given up if it does not. */
async function makingRoom<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof StorageError) || error.fault !== 'full' || !engine.makeRoom()) throw error;
    return run();
  }
}

/** Runs with the connection for itself. @param isAwaited whether a caller waits for it, and not a job */
async function alone<T>(run: () => Promise<T>, isAwaited = true): Promise<T> {
  await prepare();
  return gate.run(async () => {
    const result = await run();
    engine.tidy();
    rest.noteWork(isAwaited);
    return result;
  });
}

const rest = new RestTimer({
  step: (isIdle) => gate.run(async () => engine.rest(isIdle)),
  everyMs: REST_EVERY_MS,
  onError: (error) => logFromThread(port, 'error', 'the data file could not be made smaller', error),
});

/** Each command in a transaction that is synced when it ends, and seen by those who come later. */
async function loadCommands(): Promise<CommandRunner> {
  const lists = await Promise.all(SLICES.map((slice) => slice.commands()));
  const { records } = engine;
  return new CommandRunner(lists, {
    record: (work) => (records.isOnWriteConnection ? alone(() => inRecords(work)) : inRecords(work)),
    telemetry: (work) => alone(() => keeping(() => writer.change(work))),
    tell: (touched) => engine.tell(touched),
    forgetPrices: () => writer.forgetPrices(),
    assertRoom: () => alone(() => engine.assertRoom()),
    makingRoom,
  });
}

function inRecords<T>(work: (transaction: RecordTransaction) => Promise<T>): Promise<T> {
  return keeping(() => engine.records.transact(work));
}

async function keeping<T>(transact: () => Promise<T>): Promise<T> {
  const result = await transact();
  engine.assertKept();
  return result;
}

const calls: WriterCalls = {
  ...oneByOne(exclusiveCalls(engine, writer)),
  ...oneByOne(deletionCalls(writer, engine), makingRoom),
  ...oneByOne(growingCalls(writer), async (run) => {
    engine.assertReserve();
    return run();
  }),
  open: prepare,
  export: async (packed) => {
    await prepare();
    const isLarge = packed.body.length > LARGE_BYTES;
    const result = await commits.export(packed);
    if (isLarge) collectGarbage();
    return result;
  },
  runCommand: async (operation, caller, input) => {
    await prepare();
    return (await commands).run(operation, caller, input);
  },
  close: async () => {
    await commits.drain();
    rest.close();
    await gate.run(() => engine.close());
  },
};
serveCalls(port, { ...calls }, { dropCaches: engine.dropCaches });

/** The handlers, each of which has the connection for itself. */
function oneByOne<Handlers extends Readonly<Record<string, (...parameters: never[]) => Promise<unknown>>>>(
  handlers: Handlers,
  under: (run: () => Promise<unknown>) => Promise<unknown> = (run) => run(),
): Handlers {
  const entries = Object.entries(handlers).map(([name, handler]) => [
    name,
    (...parameters: never[]) => alone(() => under(() => handler(...parameters)), false),
  ]);
  return Object.fromEntries(entries) as Handlers;
}
