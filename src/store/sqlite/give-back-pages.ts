/** Gives pages that hold nothing back to the file system, in steps that nobody has to wait for. */
import type { SqliteConnection } from './connection.ts';

/** Free pages that stay in the file, 2 MiB: what arrives next goes into them first. */
export const KEPT_FREE_PAGES = 256;

/**
 * Cuts pages off the end of the file, after moving what is in them into free ones; returns how many are left to give back. The
 * file becomes shorter when the write-ahead log is next written into it.
 */
export function giveBackPages(connection: SqliteConnection, maxPages: number): number {
  const excess = countFreePages(connection) - KEPT_FREE_PAGES;
  if (excess <= 0) return 0;
  // A number that is left out would mean all of them.
  connection.exec(`PRAGMA incremental_vacuum(${Math.max(1, Math.min(Math.floor(maxPages), excess))})`);
  return Math.max(0, countFreePages(connection) - KEPT_FREE_PAGES);
}

function countFreePages(connection: SqliteConnection): number {
  const [row] = connection.prepare('PRAGMA freelist_count').all([]) as { freelist_count: number }[];
  return row?.freelist_count ?? 0;
}
