/**
 * One server a data file. The lock is a SQLite transaction held open on a small file beside the data: the operating
 * system lets go of it whenever the process ends, however it ends, so no stale lock needs to be recognised. Others can
 * read who holds it.
 */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StorageError } from '../engine/storage-error.ts';
import { openSqlite, type SqliteConnection } from './connection.ts';

/** Who has the data file open. */
export interface LockHolder {
  readonly pid: number;
}

/** The lock, held until it is released or the process ends. */
export interface ServerLock {
  release(): void;
}

/** Takes the lock of a data file, or tells who has it. */
export function acquireServerLock(dataPath: string, pid: number): ServerLock | LockHolder {
  const connection = openSqlite(lockPath(dataPath), { readOnly: false });
  try {
    // Whoever only looks, or writes its name at the same moment, is done long before this has waited.
    connection.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}; BEGIN IMMEDIATE`);
    // The name is readable once it is committed, which lets go of the lock for a moment: it counts if it is still there.
    while (readHolder(connection)?.pid !== pid) {
      connection.exec('CREATE TABLE IF NOT EXISTS holder (pid INTEGER NOT NULL); DELETE FROM holder');
      connection.prepare('INSERT INTO holder (pid) VALUES (?)').run([pid]);
      connection.exec('COMMIT; BEGIN IMMEDIATE');
    }
  } catch (error) {
    connection.close();
    if (!isBusy(error)) throw error;
    return findLockHolder(dataPath) ?? { pid: 0 };
  }
  return { release: () => connection.close() };
}

/** Who holds the lock of a data file now; `undefined` when nobody does. */
export function findLockHolder(dataPath: string): LockHolder | undefined {
  if (!existsSync(lockPath(dataPath))) return undefined;
  const connection = openSqlite(lockPath(dataPath), { readOnly: false });
  try {
    connection.exec('PRAGMA busy_timeout = 0; BEGIN IMMEDIATE; ROLLBACK');
    return undefined;
  } catch (error) {
    if (!isBusy(error)) throw error;
    connection.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
    return readHolder(connection) ?? { pid: 0 };
  } finally {
    connection.close();
  }
}

/** How long another process may take to read or write a name, in milliseconds. */
const PATIENCE_MS = 500;

/** The name in the lock file; `undefined` before the first. */
function readHolder(connection: SqliteConnection): LockHolder | undefined {
  const [table] = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'holder'").all([]);
  if (table === undefined) return undefined;
  const [holder] = connection.prepare('SELECT pid FROM holder').all([]) as LockHolder[];
  return holder;
}

/** Beside the file itself, whatever links lead to it: two names of one file must meet at one lock. */
function lockPath(dataPath: string): string {
  const folder = dirname(dataPath);
  if (existsSync(dataPath)) return `${realpathSync(dataPath)}.lock`;
  return `${existsSync(folder) ? join(realpathSync(folder), basename(dataPath)) : dataPath}.lock`;
}

function isBusy(error: unknown): boolean {
  return error instanceof StorageError && error.fault === 'conflict';
}
