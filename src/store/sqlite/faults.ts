/** What errors of SQLite come to. */
import Database from 'better-sqlite3';
import { StorageError, type StorageFault } from '../engine/storage-error.ts';

/** An error of the driver as all engines throw it; others stay what they are. */
export function toStorageError(error: unknown): unknown {
  return error instanceof Database.SqliteError
    ? new StorageError(faultOf(error.code), error.message, error, error.code)
    : error;
}

/** @see https://sqlite.org/rescode.html */
function faultOf(code: string): StorageFault {
  if (DAMAGE.test(code)) return 'damaged';
  const [, primary = ''] = /^SQLITE_([A-Z]+)/.exec(code) ?? [];
  return FAULTS.get(primary) ?? 'statement';
}

/** Whether the disk, and not what is on it, kept a page from being read: a moment later it may be readable again. */
export function isReadError(error: unknown): boolean {
  return error instanceof StorageError && error.state?.startsWith('SQLITE_IOERR') === true;
}

/** What is in the file is wrong, or cannot be read; writing that fails may succeed later. */
const DAMAGE = /^SQLITE_(CORRUPT|NOTADB|IOERR_(READ|DATA|CORRUPTFS)$)/;

const FAULTS: ReadonlyMap<string, StorageFault> = new Map([
  ['FULL', 'full'],
  ['BUSY', 'conflict'],
  ['LOCKED', 'conflict'],
  ...['IOERR', 'NOMEM', 'READONLY', 'CANTOPEN', 'INTERRUPT', 'PROTOCOL'].map((name) => [name, 'unavailable'] as const),
]);
