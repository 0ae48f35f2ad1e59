/** Gives pages that hold nothing back to the file system, in steps that nobody has to wait for. */
import type { SqliteConnection } from './connection.ts';

/**
 * Free pages that stay in a file of so many pages, because what arrives next goes into them first: a share of the file, of a large one
 * 2 MiB.
 */
export function keptFreePages(pageCount: number): number {
  return Math.min(MAX_KEPT_PAGES, Math.max(MIN_KEPT_PAGES, Math.floor(pageCount / SHARE)));
}

const SHARE = 256;
const MIN_KEPT_PAGES = 16;
const MAX_KEPT_PAGES = 256;

/**
 * Cuts pages off the end of the file, after moving what is in them into free ones; returns how many are left to give back. The
 * file becomes shorter when the write-ahead log is next written into it.
 */
export function giveBackPages(connection: SqliteConnection, maxPages: number): number {
  const excess = countExcessPages(connection);
  if (excess === 0) return 0;
  // A number that is left out would mean all of them.
  connection.exec(`PRAGMA incremental_vacuum(${Math.max(1, Math.min(Math.floor(maxPages), excess))})`);
  return countExcessPages(connection);
}

/** Free pages beyond those that stay. */
function countExcessPages(connection: SqliteConnection): number {
  const [row] = connection
    .prepare('SELECT page_count AS pages, freelist_count AS free FROM pragma_page_count(), pragma_freelist_count()')
    .all([]) as { readonly pages: number; readonly free: number }[];
  return row === undefined ? 0 : Math.max(0, row.free - keptFreePages(row.pages));
}
