/**
 * One server a data file. The lock is a SQLite transaction held open on a small file beside the data: the operating
 * system lets go of it whenever the process ends, however it ends, so no stale lock needs to be recognised. Others can
 * read who holds it.
 */
import { existsSync } from 'node:fs';
import { openSqlite } from './connection.ts';

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
    connection.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN IMMEDIATE');
    connection.exec('CREATE TABLE IF NOT EXISTS holder (pid INTEGER NOT NULL); DELETE FROM holder');
    connection.prepare('INSERT INTO holder (pid) VALUES (?)').run([pid]);
    connection.exec('COMMIT; BEGIN IMMEDIATE');
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
    const [holder] = connection.prepare('SELECT pid FROM holder').all([]) as LockHolder[];
    return { pid: holder?.pid ?? 0 };
  } finally {
    connection.close();
  }
}

function lockPath(dataPath: string): string {
  return `${dataPath}.lock`;
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}
