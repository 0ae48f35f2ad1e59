/** Makes what a data file takes on disk smaller while nobody waits for the writer. */
import { statSync } from 'node:fs';
import type { SqliteConnection } from './connection.ts';
import { giveBackPages } from './give-back-pages.ts';

/**
 * One step of it: what the log holds is written into the data file and the log is emptied, unless somebody reads what it held before;
 * where nothing else is going on, free pages are given back, too. Returns whether something is left to do.
 */
export function restOnSqlite(connection: SqliteConnection, path: string): (isIdle: boolean) => boolean {
  return (isIdle) => {
    const isAnyFree = isIdle && giveBackPages(connection, PAGES_A_STEP) > 0;
    return !cutLog(connection, path) || isAnyFree;
  };
}

/** Returns whether the log is empty. It waits for nobody. */
function cutLog(connection: SqliteConnection, path: string): boolean {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0) return true;
  connection.exec('PRAGMA busy_timeout = 0');
  try {
    const [outcome] = connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([]) as { readonly busy: number }[];
    return outcome?.busy === 0;
  } finally {
    connection.exec('PRAGMA busy_timeout = 5000');
  }
}

/** 4 MiB: moving them takes some tens of milliseconds. */
const PAGES_A_STEP = 512;
