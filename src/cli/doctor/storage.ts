import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SqliteConfig } from '#config/config';
import type { Finding } from './finding.ts';

/** Below this, a busy server fills the disk within hours, and SQLite needs room for its log beside the data. */
const MIN_FREE_BYTES = 512 * 1024 * 1024;

/** Whether the folder of the data can be written to, or made. */
export function checkFolder(database: SqliteConfig): Finding[] {
  const check = 'Folder';
  const folder = dirname(database.path);
  const existing = findExisting(folder);
  const repair =
    'Allow this user to write there, or choose another folder with SERVICE_WORKING_DIR or SERVICE_SQL_DATABASE_URL.';
  if (!statSync(existing).isDirectory()) {
    return [{ check, status: 'problem', message: `${existing} is not a folder`, repair }];
  }
  const code = existing === folder ? tryWrite(folder) : tryAccess(existing);
  if (code !== undefined) {
    return [{ check, status: 'problem', ...describeUnwritable(existing, code, repair) }];
  }
  return [
    { check, status: 'ok', message: existing === folder ? `${folder} is writable` : `${folder} will be created` },
  ];
}

/** What keeps a folder from being written to, by the code of the error. */
export function describeUnwritable(
  folder: string,
  code: string,
  otherwise: string,
): Required<Pick<Finding, 'message' | 'repair'>> {
  if (code !== 'ENOSPC' && code !== 'EDQUOT') {
    return { message: `${folder} is not writable (${code})`, repair: otherwise };
  }
  const repair = 'Make room on its disk, or delete projects or traces in the running server.';
  return { message: `there is no room left in ${folder} (${code})`, repair };
}

/** Whether the disk of the data has room. */
export function checkDisk(database: SqliteConfig, minFreeBytes = MIN_FREE_BYTES): Finding[] {
  const check = 'Disk';
  const existing = findExisting(dirname(database.path));
  const { bavail, bsize } = statfsSync(existing);
  const freeBytes = bavail * bsize;
  const message = `${formatGibibytes(freeBytes)} free at ${existing}`;
  if (freeBytes >= minFreeBytes) return [{ check, status: 'ok', message }];
  const repair = `Free at least ${formatGibibytes(minFreeBytes)}, or move the data with SERVICE_WORKING_DIR.`;
  return [{ check, status: 'problem', message, repair }];
}

function formatGibibytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}

/** The path itself, or the nearest folder above it that exists. */
function findExisting(path: string): string {
  let existing = path;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  return existing;
}

/** Writing is the only test that sees a read-only file system, a full disk and every kind of access list. */
function tryWrite(folder: string): string | undefined {
  const file = join(folder, `.cairn-doctor-${randomUUID()}`);
  try {
    writeFileSync(file, 'x', { flag: 'wx' });
    rmSync(file);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

function tryAccess(folder: string): string | undefined {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
