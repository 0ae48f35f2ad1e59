/** A data file is one server's: whoever opens it says so, and finds out whether it may. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError, errorMessage } from '#base/errors';
import { UNFINISHED_COPY } from '../copy/unfinished.ts';
import type { ClaimOptions, DatabaseClaim } from '../engine/engine.ts';
import { isFull } from '../engine/storage-error.ts';
import { DiskReserve, isDiskShort } from './disk-reserve.ts';
import { inspectDataFile } from './inspect.ts';
import { acquireServerLock, findLockHolder } from './server-lock.ts';

/**
 * Takes the data file for this process; its folder is created where there is none.
 * @throws AppError `failed_precondition` with what to do: held by another server, of a newer version, not ours, or not to be
 * created or read
 */
export function claimDataFile(path: string, options: ClaimOptions = {}): DatabaseClaim {
  const folder = dirname(path);
  let lock: ReturnType<typeof acquireServerLock>;
  try {
    createFolder(folder);
    assertOneName(path);
    makeRoomToStart(path);
    assertOurs(path, options);
    lock = acquireServerLock(path, process.pid);
  } catch (error) {
    if (isDiskShort(path)) throw refusal(makeRoomFor(path), error);
    if (error instanceof AppError) throw error;
    throw refusal(
      `The folder ${folder} is not writable (${errorMessage(error)}): make it writable, or choose another with SERVICE_WORKING_DIR.`,
      error,
    );
  }
  if (!('release' in lock)) {
    const elsewhere =
      options.isArgument === true ? '' : ', or choose another folder with --data or SERVICE_WORKING_DIR';
    throw refusal(`Another Cairn (process ${lock.pid}) uses ${path}: stop it${elsewhere}.`);
  }
  return {
    release: () => lock.release(),
    refusal: (cause, error) => refusal(explainRefusal(path, cause, error), error),
  };
}

/** Makes a folder, level by level: a recursive mkdir of Node never ends below folders that refuse new ones in their own way, as /proc does. */
export function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  createFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

/** On a full disk, SQLite cannot even make the files that it reads with: what was set aside for that is given up, unless a server runs. */
function makeRoomToStart(path: string): void {
  if (existsSync(path) && isDiskShort(path) && findLockHolder(path) === undefined) new DiskReserve(path).release();
}

function explainRefusal(path: string, cause: string, error: unknown): string {
  if (isDiskShort(path)) return makeRoomFor(path);
  if (isFull(error)) return makeRoomFor(path, 'has no room for what a start writes, such as schema changes');
  return `The data file ${path} cannot be opened (${cause}): make it writable or repair it, or choose another with SERVICE_WORKING_DIR.`;
}

function makeRoomFor(path: string, what = 'is full'): string {
  return `The disk with ${path} ${what}: make room, or choose another folder with SERVICE_WORKING_DIR.`;
}

/**
 * The lock and the write-ahead log lie beside the name of a file: under another name of the same file, neither would be found, so that
 * a second server would write to it, or one would read it without what the log holds.
 */
function assertOneName(path: string): void {
  const links = statSync(path, { throwIfNoEntry: false })?.nlink ?? 1;
  if (links <= 1) return;
  throw refusal(
    `${path} has ${links} names (hard links), which could be opened side by side: delete the other names (find / -samefile ${path}), or copy the file with cairn db backup and open the copy.`,
  );
}

function assertOurs(path: string, { mayBeUnfinished = false, isArgument = false }: ClaimOptions): void {
  const file = inspectDataFile(path);
  const elsewhere = isArgument ? 'name another' : 'choose another with SERVICE_WORKING_DIR or SERVICE_SQL_DATABASE_URL';
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
      if (file.what !== UNFINISHED_COPY) throw refusal(`${path} is ${file.what}; Cairn leaves it alone: ${elsewhere}.`);
      if (mayBeUnfinished) return;
      throw refusal(`${path} is ${file.what}: run that command again, or ${elsewhere}.`);
    case 'unreadable': {
      const what = existsSync(path) ? file.what : 'it no longer exists';
      throw refusal(`${path} cannot be read as a database (${what}): repair or move it, or ${elsewhere}.`);
    }
  }
}

function refusal(message: string, cause?: unknown): AppError {
  return new AppError('failed_precondition', message, { cause });
}
