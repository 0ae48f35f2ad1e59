/** A file that is written beside its place and moved there when it is whole, so that nothing half is ever in that place. */
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statfsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AppError } from '#base/errors';

/** Readable by this user alone. */
export const PRIVATE_MODE = 0o600;

/** Where a file is written that will be at the place; removes what was left there by processes that were ended. */
export function unfinishedPath(place: string): string {
  const folder = dirname(place);
  const prefix = `${basename(place)}${UNFINISHED}`;
  for (const name of readdirSync(folder).filter((one) => one.startsWith(prefix))) {
    const pid = /^\d+/.exec(name.slice(prefix.length))?.[0];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true });
  }
  return `${place}${UNFINISHED}${process.pid}`;
}

const UNFINISHED = '.unfinished-';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Puts a file that is whole and synced into its place, whatever is there, and returns when that is on disk. */
export function putInPlace(unfinished: string, place: string): void {
  renameSync(unfinished, place);
  syncFolder(dirname(place));
}

/** Has names in a folder on disk. */
function syncFolder(folder: string): void {
  // Windows has no such thing.
  if (process.platform === 'win32') return;
  const file = openSync(folder, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Removes an unfinished file, and what SQLite may have put beside it. */
export function removeUnfinished(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${suffix}`, { force: true });
}

/** @throws AppError `insufficient_storage` where the disk of a folder has no room for that many bytes */
export function assertRoomFor(bytes: number, folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  const freeBytes = bavail * bsize;
  if (freeBytes >= bytes) return;
  throw new AppError(
    'insufficient_storage',
    `There is not enough space in ${folder}: ${formatMegabytes(bytes)} needed, ${formatMegabytes(freeBytes)} free.`,
  );
}

/** @throws AppError `not_found` where there is no folder that a file could be put into */
export function assertFolder(folder: string): void {
  if (!existsSync(folder)) throw new AppError('not_found', `There is no folder ${folder}.`);
}

function formatMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;
}
