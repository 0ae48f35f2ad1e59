/** What a connection does with the reserve while the disk is full. */
import { AppError } from '#base/errors';
import type { SqliteConnection } from './connection.ts';
import { bytesOf, DISK_FULL, type DiskReserve, freeBytesBeside } from './disk-reserve.ts';

/** Makes room for what deletes: gives the reserve up, or moves what a reader had kept in the log. Says whether there may be some now. */
export function makeRoomToDelete(connection: SqliteConnection, path: string, reserve: DiskReserve): boolean {
  if (reserve.release()) {
    holdCheckpoints(connection);
    return true;
  }
  // Commands ask after their turn, in which another transaction may have begun.
  if (connection.inTransaction) return false;
  // SQLite would say whether the log holds anything only after it has moved what it can, and taken the last room for that.
  return bytesOf(`${path}-wal`) > 0 && emptyLog(connection, path);
}

/** A checkpoint that does not fit would take the room and empty nothing. */
export function holdCheckpoints(connection: SqliteConnection): void {
  connection.exec('PRAGMA wal_autocheckpoint = 0');
}

/**
 * To be called before what grows: near the end of the disk the log is kept short, so that all that it holds has its room in the data
 * file, and the reserve is for deleting alone.
 * @throws AppError `insufficient_storage` where there is no room for that
 */
export function keepLogShort(connection: SqliteConnection, path: string): void {
  if (freeBytesBeside(path) >= NEAR_BYTES) return;
  if (emptyLog(connection, path) && freeBytesBeside(path) >= MARGIN_BYTES) return;
  throw new AppError('insufficient_storage', DISK_FULL);
}

/** Moves the log into the data file, which needs only the pages that deleting has left, and sets the reserve aside again. */
export function regainRoom(connection: SqliteConnection, path: string, reserve: DiskReserve): void {
  emptyLog(connection, path);
  if (reserve.fit(bytesOf(path))) connection.exec('PRAGMA wal_autocheckpoint = 8000');
}

/** Moves the log into the data file; says whether there was room for that. */
function emptyLog(connection: SqliteConnection, path: string): boolean {
  const [pages] = connection.prepare('PRAGMA page_count').all([]) as { page_count: number }[];
  const [size] = connection.prepare('PRAGMA page_size').all([]) as { page_size: number }[];
  const missing = (pages?.page_count ?? 0) * (size?.page_size ?? 0) - bytesOf(path);
  if (missing > freeBytesBeside(path)) return false;
  connection.exec(`PRAGMA busy_timeout = ${WAIT_MS}; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA busy_timeout = 5000`);
  return true;
}

const NEAR_BYTES = 64 * 1024 * 1024;
const MARGIN_BYTES = 1024 * 1024;

/** Readers that are reading the log end soon; the next attempt comes after the next transaction. */
const WAIT_MS = 100;
