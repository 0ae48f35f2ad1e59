/** Copies a data file while a server may be writing it. */
import { closeSync, existsSync, openSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '#base/errors';
import { StorageError } from '../../engine/storage-error.ts';
import { describeDamage } from '../check-integrity.ts';
import { openSqliteReader } from '../connection.ts';
import { inspectDataFile } from '../inspect.ts';
import { countRows } from './count-rows.ts';
import { FREEZING, type FreezingOptions, FrozenFile } from './frozen-file.ts';
import { PageCopy } from './page-copy.ts';
import {
  assertFolder,
  assertRoomFor,
  PRIVATE_MODE,
  putInPlace,
  removeUnfinished,
  unfinishedPath,
} from './unfinished-file.ts';

/** What is done at the moment, and how much of it is, in bytes. */
export interface CopyProgress {
  readonly stage: 'copying' | 'comparing' | 'checking';
  readonly doneBytes: number;
  readonly allBytes: number;
}

/** How a data file is copied. */
export interface BackupOptions {
  /** Whether a file that is there may be replaced. */
  readonly isReplacing: boolean;
  readonly onProgress: (progress: CopyProgress) => void;
  readonly signal: AbortSignal;
  /** Told when the data is let go of, and the rest is about the copy alone. */
  readonly onCopied: () => void;
  readonly freezing?: FreezingOptions;
}

/** A copy that is whole, on disk, and was compared to what was read. */
export interface Backup {
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
  /** By table: as they were in the data, and are in the copy. */
  readonly rows: Readonly<Record<string, number>>;
  /** How often the data stood still: once, and again for each time that its log became long. */
  readonly freezeCount: number;
}

/**
 * Copies the data as they are when the last of them is read: all that was acknowledged before it began, and more.
 * @throws AppError with what to do; nothing is at the place then that was not there before
 */
export async function backUpDataFile(path: string, place: string, options: BackupOptions): Promise<Backup> {
  assertOurs(path);
  assertFree(path, place, options);
  const unfinished = unfinishedPath(place);
  assertRoomFor(sizeOf(path) + sizeOf(`${path}-wal`), dirname(place));
  const target = openSync(unfinished, 'wx+', PRIVATE_MODE);
  try {
    const backup = await copyTo(path, target, options);
    options.onProgress({ stage: 'checking', doneBytes: 0, allBytes: backup.bytes });
    assertSound(unfinished, backup);
    assertFree(path, place, options);
    putInPlace(unfinished, place);
    return backup;
  } catch (error) {
    throw toBackupError(error, path);
  } finally {
    closeSync(target);
    removeUnfinished(unfinished);
  }
}

async function copyTo(path: string, target: number, options: BackupOptions): Promise<Backup> {
  const { onProgress, onCopied, signal, freezing = FREEZING } = options;
  const file = await FrozenFile.open(path, freezing);
  const source = openSync(path, 'r');
  try {
    const copy = new PageCopy({ source, target, pageBytes: file.pageBytes, signal });
    const minPages = Math.ceil(freezing.minCopyBytes / file.pageBytes);
    const freezeCount = await copyWhole(file, copy, { minPages, onProgress });
    copy.sync();
    const rows = countRows(file.reader);
    file.close();
    onCopied();
    const bytes = copy.pageCount * file.pageBytes;
    const sha256 = await copy.verify((doneBytes) => onProgress({ stage: 'comparing', doneBytes, allBytes: bytes }));
    return { bytes, sha256, rows, freezeCount };
  } finally {
    file.close();
    // Not before: it would take the locks of this process's connections away, as POSIX has it.
    closeSync(source);
  }
}

async function copyWhole(
  file: FrozenFile,
  copy: PageCopy,
  { minPages, onProgress }: Pick<BackupOptions, 'onProgress'> & { readonly minPages: number },
): Promise<number> {
  for (let freezeCount = 1; ; freezeCount++) {
    const { pageBytes, pageCount } = file;
    const enough = copy.pageCount + minPages;
    while (copy.pageCount < pageCount && (copy.pageCount < enough || !file.isLogLong)) {
      await copy.copyNext(pageCount);
      onProgress({ stage: 'copying', doneBytes: copy.pageCount * pageBytes, allBytes: pageCount * pageBytes });
    }
    if (copy.pageCount >= pageCount) return freezeCount;
    copy.sync();
    const changed = await file.refreeze();
    copy.truncate(file.pageCount);
    await copy.copyAgain(changed);
  }
}

function assertOurs(path: string): void {
  const file = inspectDataFile(path);
  switch (file.state) {
    case 'ours':
      return;
    case 'absent':
    case 'empty':
      throw refuse(`There is no data in ${path}: name the folder with --data.`);
    case 'newer':
      throw refuse(`${path} was written by a newer version of Cairn (${file.what}): use that version to back it up.`);
    case 'foreign':
      throw refuse(`${path} is ${file.what}; Cairn leaves it alone.`);
    case 'unreadable':
      throw refuse(`${path} cannot be read: ${file.what}.`);
  }
}

function assertFree(path: string, place: string, { isReplacing }: BackupOptions): void {
  const folder = dirname(place);
  assertFolder(folder);
  const data = realpathSync(path);
  const reserved = ['', '-wal', '-shm', '-journal', '.lock'].map((suffix) => `${data}${suffix}`);
  const resolved = existsSync(place) ? realpathSync(place) : join(realpathSync(folder), basename(place));
  if (reserved.includes(resolved)) throw refuse(`${place} is part of the data: name another file.`);
  if (existsSync(place)) {
    if (!statSync(place).isFile()) throw refuse(`${place} is not a file: name a file to create.`);
    if (!isReplacing) {
      throw new AppError('already_exists', `${place} already exists: name another file, or add --overwrite.`);
    }
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Pages that SQLite itself finds damaged are said to be. */
function toBackupError(error: unknown, path: string): unknown {
  if (!(error instanceof StorageError) || error.fault !== 'damaged') return error;
  const message = `${path} is damaged (${error.message}): stop the server, and copy what is whole: cairn db salvage.`;
  return new AppError('data_damaged', message, { cause: error });
}

function assertSound(unfinished: string, { rows }: Backup): void {
  const damage = describeDamage(unfinished);
  if (damage !== undefined) {
    throw new AppError(
      'internal',
      `The copy is damaged (${damage}), and so may be the data: stop the server and run \`cairn doctor\`.`,
    );
  }
  const connection = openSqliteReader(unfinished);
  try {
    if (!isDeepStrictEqual(countRows(connection), rows)) {
      throw new AppError('internal', 'The copy does not have as many rows as the data.');
    }
  } finally {
    connection.close();
  }
}

function refuse(message: string): AppError {
  return new AppError('failed_precondition', message);
}
