import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#base/errors';
import type { Config, DatabaseConfig } from '#config/config';
import { loadConfig } from '#config/load';
import { systemCaller } from '#domain/caller';
import type { Flags } from '#config/read-environment';
import { engineOf } from '#server/engine-of';
import type { openStoppedDatabase } from '#server/open-database';
import type { Database } from '#store/database';
import { type PassJob, progressOf } from '#store/reindex/pass-job';
import { inspectDataFile } from '#store/sqlite/inspect';
import { findLockHolder } from '#store/sqlite/server-lock';
import { EXIT_CODES, type ExitCode } from './exit-codes.ts';
import { createLogger } from './logger.ts';
import { formatProblems } from './problems.ts';
import { askServer } from './running-server.ts';
import { waitForStopSignal } from './stop-signal.ts';

const COMMAND_LINE = systemCaller('command line');

/** The code that opens data: only needed where no server has them open. */
export type LoadDatabase = () => Promise<{ readonly openStoppedDatabase: typeof openStoppedDatabase }>;

/** Reads stored spans again, in the server that has them open or otherwise here, and shows the progress. */
export function runReindex(flags: Flags, loadDatabase: LoadDatabase): Promise<ExitCode> {
  return runPass(flags, loadDatabase, {
    path: '/v1/reindex',
    body: { normalise: true },
    what: 'read',
    begin: async ({ reindexer }) => ({ first: await reindexer(COMMAND_LINE).start(), pass: reindexer(COMMAND_LINE) }),
  });
}

/** Prices stored spans again, in the same way: those of models whose name matches the pattern, otherwise all. */
export function runReprice(flags: Flags, namePattern: string | null, loadDatabase: LoadDatabase): Promise<ExitCode> {
  const scope = { namePattern, startUs: null, endUs: null };
  return runPass(flags, loadDatabase, {
    path: '/v1/repricing',
    body: namePattern === null ? {} : { name_pattern: namePattern },
    what: 'priced',
    begin: async ({ repricer }) => ({ first: await repricer(COMMAND_LINE).start(scope), pass: repricer(COMMAND_LINE) }),
  });
}

/** A pass over stored spans. */
interface Pass {
  /** Where the server begins it, and tells of it. */
  readonly path: string;
  readonly body: object;
  /** What it does to spans. */
  readonly what: string;
  /** Begins it where no server runs. */
  readonly begin: (database: Database) => Promise<{
    readonly first: PassJob;
    readonly pass: { readState(): Promise<{ readonly job: PassJob | null }> };
  }>;
}

function runPass(flags: Flags, loadDatabase: LoadDatabase, pass: Pass): Promise<ExitCode> {
  return runWhereDataIs(
    flags,
    (config) => passInServer(config, pass),
    (config) => passHere(config, loadDatabase, pass),
  );
}

/** Rebuilds the columns of stored spans, in the same way. */
export function runRebuildColumns(flags: Flags, loadDatabase: LoadDatabase): Promise<ExitCode> {
  return runRebuild(flags, loadDatabase, {
    body: { columns: true },
    inServer: 'The server rebuilds its columns in the background and keeps answering requests.',
    what: 'the columns are rebuilt',
    rebuild: ({ segments }) => segments.rebuild(COMMAND_LINE),
  });
}

/** Rebuilds the search index of stored spans, in the same way. */
export function runRebuildSearch(flags: Flags, loadDatabase: LoadDatabase): Promise<ExitCode> {
  return runRebuild(flags, loadDatabase, {
    body: { search: true },
    inServer: 'The server rebuilds its search index in the background; search keeps working.',
    what: 'the search index is rebuilt',
    rebuild: ({ searchIndex }) => searchIndex.rebuildWholly(COMMAND_LINE),
  });
}

/** Something that is made of stored spans and can be made again. */
interface Rebuild {
  /** What asks the server for it. */
  readonly body: object;
  /** What is said where the server does it. */
  readonly inServer: string;
  /** What happens. */
  readonly what: string;
  readonly rebuild: (database: Database) => Promise<void>;
}

function runRebuild(flags: Flags, loadDatabase: LoadDatabase, rebuild: Rebuild): Promise<ExitCode> {
  return runWhereDataIs(
    flags,
    (config) => rebuildInServer(config, rebuild),
    (config) => rebuildHere(config, loadDatabase, rebuild),
  );
}

async function runWhereDataIs(
  flags: Flags,
  inServer: (config: Config) => Promise<ExitCode>,
  here: (config: Config) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { config, problems } = loadConfig(flags);
  if (config === null) {
    process.stderr.write(formatProblems(problems));
    return EXIT_CODES.usage;
  }
  const { database } = config;
  if (database.engine === 'postgres') {
    const engine = engineOf(config);
    if (engine.engine === 'postgres') await (await import('#store/postgres/claim')).assertPostgresIsCurrent(engine);
    return here(config);
  }
  if (database.isTemporary) return inServer(config);
  const { path } = database;
  if (findLockHolder(path) !== undefined) return inServer(config);
  const file = inspectDataFile(path);
  if (file.state === 'absent' || file.state === 'empty') {
    throw new AppError('failed_precondition', `There is no data in ${path}: name the folder with --data.`);
  }
  return here(config);
}

async function rebuildInServer(config: Config, { body, inServer }: Rebuild): Promise<ExitCode> {
  await askServer(config, '/v1/reindex', { method: 'POST', body });
  process.stdout.write(`${inServer}\n`);
  return EXIT_CODES.ok;
}

async function rebuildHere(config: Config, loadDatabase: LoadDatabase, { what, rebuild }: Rebuild): Promise<ExitCode> {
  process.umask(0o077);
  const { openStoppedDatabase } = await loadDatabase();
  const database = await openStoppedDatabase(config, createLogger(config.log, process.stderr.fd));
  const stopped = waitForStopSignal(process, () => process.exit(EXIT_CODES.failed));
  try {
    process.stdout.write(describeBegin(config.database, what));
    const rebuilt = rebuild(database).then(() => true);
    if (!(await Promise.race([rebuilt, stopped.then(() => false)]))) {
      process.stdout.write(STOPPED[config.database.engine]);
      return EXIT_CODES.failed;
    }
    process.stdout.write('Done.\n');
    return EXIT_CODES.ok;
  } finally {
    await database.close();
  }
}

/** Servers on PostgreSQL share the work, with this command too: one of them does it. */
function describeBegin({ engine }: DatabaseConfig, what: string): string {
  if (engine === 'sqlite') return `No server is running on the data: ${what} by this command.\n`;
  return `A server that uses the data does this, or this command if there is none: ${what}.\n`;
}

const STOPPED: Readonly<Record<DatabaseConfig['engine'], string>> = {
  sqlite: 'Stopped. The next start of the server, or of this command, continues the work.\n',
  postgres: 'Stopped here. A server that uses the data continues the work, or the next one that starts.\n',
};

/** How things stand, as far as it is shown. */
interface Status {
  readonly isRunning: boolean;
  /** From 0 to 1. */
  readonly progress: number;
  readonly readCount: number;
  readonly changedCount: number;
  readonly failedCount: number;
}

/** What the server says; its API holds it to that. */
interface Answer {
  readonly data: {
    readonly is_running: boolean;
    readonly progress: number | null;
    readonly read_count: number;
    readonly changed_count: number;
    readonly failed_count: number;
  };
}

async function passInServer(config: Config, { path, body, what }: Pass): Promise<ExitCode> {
  let status = toStatus((await askServer(config, path, { method: 'POST', body })) as Answer);
  process.stdout.write(`Stored spans are ${what} again by the server. The work continues if you stop this command.\n`);
  const show = progressPrinter();
  while (status.isRunning) {
    show(status);
    await sleep(POLL_MS);
    status = toStatus((await askServer(config, path)) as Answer);
  }
  return finish(status, what);
}

function toStatus({ data }: Answer): Status {
  return {
    isRunning: data.is_running,
    progress: data.progress ?? 0,
    readCount: data.read_count,
    changedCount: data.changed_count,
    failedCount: data.failed_count,
  };
}

async function passHere(config: Config, loadDatabase: LoadDatabase, { begin, what }: Pass): Promise<ExitCode> {
  // What applications said to models is for the server's own user alone.
  process.umask(0o077);
  const { openStoppedDatabase } = await loadDatabase();
  const database = await openStoppedDatabase(config, createLogger(config.log, process.stderr.fd));
  const stopped = waitForStopSignal(process, () => process.exit(EXIT_CODES.failed));
  try {
    const { first, pass } = await begin(database);
    let job = first;
    process.stdout.write(describeBegin(config.database, `stored spans are ${what} again`));
    const show = progressPrinter();
    const isStopped = stopped.then(() => true);
    while (job.finishedAtUs === null) {
      show({ ...job, isRunning: true, progress: progressOf(job) });
      if (await Promise.race([isStopped, sleep(POLL_MS, false)])) {
        process.stdout.write(STOPPED[config.database.engine]);
        return EXIT_CODES.failed;
      }
      job = (await pass.readState()).job ?? job;
    }
    return finish({ ...job, isRunning: false, progress: 1 }, what);
  } finally {
    await database.close();
  }
}

const POLL_MS = 500;

/** Prints a line whenever a twentieth more is done. */
function progressPrinter(): (status: Status) => void {
  let shown = -1;
  return ({ progress, readCount, changedCount }) => {
    const twentieths = Math.floor(progress * 20);
    if (twentieths === shown) return;
    shown = twentieths;
    process.stdout.write(
      `${Math.floor(progress * 100)} %: ${count(readCount)} spans read, ${count(changedCount)} changed\n`,
    );
  };
}

function finish({ readCount, changedCount, failedCount }: Status, what: string): ExitCode {
  process.stdout.write(`Done: ${count(readCount)} spans ${what} again, ${count(changedCount)} changed.\n`);
  if (failedCount === 0) return EXIT_CODES.ok;
  process.stdout.write(`${count(failedCount)} could not be read and were left unchanged; the server’s log says why.\n`);
  return EXIT_CODES.failed;
}

function count(value: number): string {
  return value.toLocaleString('en');
}
