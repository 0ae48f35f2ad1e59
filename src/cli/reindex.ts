import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#base/errors';
import { type Config } from '#config/config';
import { loadConfig } from '#config/load';
import type { Flags } from '#config/read-environment';
import type { openStoppedDatabase } from '#server/open-database';
import { progressOf } from '#store/reindex/reindexer';
import { inspectDataFile } from '#store/sqlite/inspect';
import { findLockHolder } from '#store/sqlite/server-lock';
import { EXIT_CODES, type ExitCode } from './exit-codes.ts';
import { createLogger } from './logger.ts';
import { formatProblems } from './problems.ts';
import { askServer } from './running-server.ts';
import { waitForStopSignal } from './stop-signal.ts';

/** The code that opens data: only needed where no server has them open. */
export type LoadDatabase = () => Promise<{ readonly openStoppedDatabase: typeof openStoppedDatabase }>;

/** Reads stored spans anew, in the server that has them open or else here, and shows how far that is. */
export async function runReindex(flags: Flags, loadDatabase: LoadDatabase): Promise<ExitCode> {
  const { config, problems } = loadConfig(flags);
  if (config === null) {
    process.stderr.write(formatProblems(problems));
    return EXIT_CODES.usage;
  }
  const { path, isTemporary } = config.database;
  if (isTemporary || findLockHolder(path) !== undefined) return reindexInServer(config);
  const file = inspectDataFile(path);
  if (file.state === 'absent' || file.state === 'empty') {
    throw new AppError('failed_precondition', `There is no data in ${path}: name the folder with --data.`);
  }
  return reindexHere(config, loadDatabase);
}

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

async function reindexInServer(config: Config): Promise<ExitCode> {
  const begin = { method: 'POST', body: { normalise: true } } as const;
  let status = toStatus((await askServer(config, '/v1/reindex', begin)) as Answer);
  process.stdout.write('The server reads its stored spans anew. It goes on when this command is stopped.\n');
  const show = progressPrinter();
  while (status.isRunning) {
    show(status);
    await sleep(POLL_MS);
    status = toStatus((await askServer(config, '/v1/reindex')) as Answer);
  }
  return finish(status);
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

async function reindexHere(config: Config, loadDatabase: LoadDatabase): Promise<ExitCode> {
  // What applications said to models is for the server's own user alone.
  process.umask(0o077);
  const { openStoppedDatabase } = await loadDatabase();
  const database = await openStoppedDatabase(config, createLogger(config.log, process.stderr.fd));
  const stopped = waitForStopSignal(process, () => process.exit(EXIT_CODES.failed));
  const { reindexer } = database;
  try {
    let job = await reindexer.start();
    process.stdout.write('No server runs on the data: stored spans are read anew here.\n');
    const show = progressPrinter();
    const isStopped = stopped.then(() => true);
    while (job.finishedAtUs === null) {
      show({ ...job, isRunning: true, progress: progressOf(job) });
      if (await Promise.race([isStopped, sleep(POLL_MS, false)])) {
        process.stdout.write('Stopped. It goes on with the next start of the server, or of this command.\n');
        return EXIT_CODES.failed;
      }
      job = reindexer.state.job ?? job;
    }
    return finish({ ...job, isRunning: false, progress: 1 });
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

function finish({ readCount, changedCount, failedCount }: Status): ExitCode {
  process.stdout.write(`Done: ${count(readCount)} spans read anew, ${count(changedCount)} changed.\n`);
  if (failedCount === 0) return EXIT_CODES.ok;
  process.stdout.write(
    `${count(failedCount)} could not be read and stay as they were; the log of the server says why.\n`,
  );
  return EXIT_CODES.failed;
}

function count(value: number): string {
  return value.toLocaleString('en');
}
