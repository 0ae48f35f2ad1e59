/** Keeps the write-ahead log from growing without end where readers overlap, so that it never starts anew by itself. */
import { statSync } from 'node:fs';
import type { SqliteConnection } from './connection.ts';

/** The size from which the log is made to start anew. */
export const MAX_LOG_BYTES = 256 * 1024 * 1024;

/**
 * A check to make between transactions, at most one attempt a minute: it waits up to a second for readers to end, during
 * which new ones already read past the log.
 */
export function logGuard(connection: SqliteConnection, path: string, now = Date.now): () => void {
  let attemptedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const bytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes < MAX_LOG_BYTES || now() - attemptedAt < ATTEMPT_EVERY_MS) return;
    attemptedAt = now();
    connection.exec(`PRAGMA busy_timeout = ${WAIT_MS}; PRAGMA wal_checkpoint(RESTART); PRAGMA busy_timeout = 5000`);
  };
}

const ATTEMPT_EVERY_MS = 60_000;
const WAIT_MS = 1000;
