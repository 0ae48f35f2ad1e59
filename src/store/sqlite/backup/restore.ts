/** Puts a copy in the place of a data file that no server has open. */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, fdatasyncSync, openSync, readSync, realpathSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError, errorMessage } from '#base/errors';
import { describeDamage } from '../check-integrity.ts';
import { createFolder } from '../claim-data-file.ts';
import { openSqlite } from '../connection.ts';
import { inspectDataFile } from '../inspect.ts';
import { acquireServerLock } from '../server-lock.ts';
import type { CopyProgress } from './back-up.ts';
import { replaceDataFile } from './replace-data-file.ts';
import { assertRoomFor, PRIVATE_MODE, removeUnfinished, unfinishedPath } from './unfinished-file.ts';

/** How a copy is put back. */
export interface RestoreOptions {
  /** Whether the present data may go; else they are kept under another name. */
  readonly isDiscarding: boolean;
  /** What the file must have, in hexadecimal digits; `null` where nobody knows. */
  readonly sha256: string | null;
  readonly onProgress: (progress: CopyProgress) => void;
  readonly signal: AbortSignal;
}

/** Data that were put back. */
export interface Restored {
  readonly bytes: number;
  /** Of the file as it was read, in hexadecimal digits. */
  readonly sha256: string;
  /** Where the data are that were there before; `null` where there were none, or they were discarded. */
  readonly keptAs: string | null;
  /** Changes of the schema that the next start will make. */
  readonly pendingMigrations: number;
}

/**
 * Replaces the data file; whatever happens, either the old or the new is in its place.
 * @throws AppError with what to do; the data are as they were then
 */
export async function restoreDataFile(path: string, file: string, options: RestoreOptions): Promise<Restored> {
  assertBackup(file);
  createFolder(dirname(path));
  // The file that is replaced is the one at the end of the links.
  const place = existsSync(path) ? realpathSync(path) : path;
  if (realpathSync(file) === place) throw refuse(`${file} is the data file itself: name a backup.`);
  const lock = acquireServerLock(place, process.pid);
  if (!('release' in lock)) {
    throw refuse(`A server (process ${lock.pid}) has ${path} open: stop it first.`);
  }
  try {
    const present = inspectDataFile(place);
    if (present.state === 'foreign') throw refuse(`${path} is ${present.what}; Cairn leaves it alone.`);
    return await restoreLocked(place, file, options);
  } finally {
    lock.release();
  }
}

async function restoreLocked(place: string, file: string, options: RestoreOptions): Promise<Restored> {
  const unfinished = unfinishedPath(place);
  const bytes = statSync(file).size;
  assertRoomFor(bytes, dirname(place));
  try {
    const sha256 = await copyFile(file, unfinished, options);
    if (options.sha256 !== null && sha256 !== options.sha256.toLowerCase()) {
      throw refuse(`${file} does not have that SHA-256: its SHA-256 is ${sha256}.`);
    }
    for (const suffix of COMPANIONS) {
      if (sizeOf(`${file}${suffix}`) > 0) await copyFile(`${file}${suffix}`, `${unfinished}${suffix}`, options);
    }
    options.onProgress({ stage: 'checking', doneBytes: 0, allBytes: bytes });
    makeOneFile(unfinished, file);
    const pendingMigrations = assertSound(unfinished, file);
    const keptAs = replaceDataFile(place, unfinished, options);
    return { bytes, sha256, keptAs, pendingMigrations };
  } finally {
    removeUnfinished(unfinished);
  }
}

/** What belongs to a data file that was copied by hand. */
const COMPANIONS = ['-wal', '-journal'] as const;

/** @returns the SHA-256 */
async function copyFile(from: string, to: string, { onProgress, signal }: RestoreOptions): Promise<string> {
  const source = openSync(from, 'r');
  const target = openSync(to, 'wx', PRIVATE_MODE);
  try {
    const allBytes = statSync(from).size;
    const hash = createHash('sha256');
    const buffer = Buffer.alloc(STEP_BYTES);
    for (let doneBytes = 0; ; ) {
      const count = readSync(source, buffer, 0, STEP_BYTES, doneBytes);
      if (count === 0) break;
      const bytes = buffer.subarray(0, count);
      hash.update(bytes);
      for (let written = 0; written < count; ) {
        written += writeSync(target, bytes, written, count - written, doneBytes + written);
      }
      doneBytes += count;
      onProgress({ stage: 'copying', doneBytes, allBytes });
      await nextTurn();
      signal.throwIfAborted();
    }
    fdatasyncSync(target);
    return hash.digest('hex');
  } finally {
    closeSync(target);
    closeSync(source);
  }
}

const STEP_BYTES = 4 * 1024 * 1024;

/** Takes a log into the file that was copied with it. */
function makeOneFile(unfinished: string, file: string): void {
  try {
    const connection = openSqlite(unfinished, { readOnly: false });
    try {
      connection.exec('PRAGMA journal_mode = DELETE');
    } finally {
      connection.close();
    }
  } catch (error) {
    throw refuse(`${file} is damaged: ${errorMessage(error)}. The data is unchanged.`);
  }
}

/** How many migrations the copy lacks. */
function assertSound(unfinished: string, file: string): number {
  const copy = inspectDataFile(unfinished);
  if (copy.state !== 'ours') throw refuse(`${file} is damaged. The data is unchanged.`);
  const damage = describeDamage(unfinished);
  if (damage !== undefined) throw refuse(`${file} is damaged: ${damage}. The data is unchanged.`);
  return copy.pendingMigrations;
}

function assertBackup(file: string): void {
  const content = inspectDataFile(file);
  switch (content.state) {
    case 'ours':
      return;
    case 'absent':
      throw new AppError('not_found', `There is no file ${file}.`);
    case 'empty':
      throw refuse(`${file} is empty.`);
    case 'newer':
      throw refuse(`${file} comes from a newer version of Cairn (${content.what}): restore it with that version.`);
    case 'foreign':
      throw refuse(`${file} is ${content.what}, not a backup of Cairn.`);
    case 'unreadable':
      throw refuse(`${file} is not a backup of Cairn, or is damaged: ${content.what}.`);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function refuse(message: string): AppError {
  return new AppError('failed_precondition', message);
}
