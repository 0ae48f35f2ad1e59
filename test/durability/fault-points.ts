/**
 * Where a fault can be put into a running server: the one table of their names. A point is a call that the program makes
 * of the system, which fail-io.c stands in front of, so that the program itself holds no code and no name for it.
 */
export const FAULT_POINTS = {
  /** A write to the write-ahead log: of a commit, of spans as of compacted blocks. */
  'log-write': 1,
  /** The sync of the log that makes a commit durable, before its requests are acknowledged. */
  'log-sync': 2,
  /** A write to the data file: of a checkpoint, which brings the log back into it. */
  'data-write': 4,
  /** The sync of the data file, at the end of a checkpoint. */
  'data-sync': 8,
  /** A write to the index of the log, which readers find their pages by. */
  'index-write': 16,
  /** A file of the database is cut to a length. */
  'file-truncate': 32,
  /** The database asks for memory. */
  'database-memory': 64,
  /** An acknowledgement over HTTP leaves; it cannot fail, but the server can end at it. */
  'answer-send': 128,
} as const;

/** One of {@link FAULT_POINTS}. */
export type FaultPoint = keyof typeof FAULT_POINTS;

/** What happens at a point: the call fails with an error, or the process ends before or after it as by `kill -9`. */
export type Fault = 'EIO' | 'ENOSPC' | 'ENOMEM' | 'kill-before' | 'kill-after';

/** The variable that names the file of orders. */
export const FAULTS_VARIABLE = 'CAIRN_FAULTS';

/** All points where something is written, and all where something is made durable. */
export const WRITES: readonly FaultPoint[] = ['log-write', 'data-write', 'index-write'];
/** See {@link WRITES}. */
export const SYNCS: readonly FaultPoint[] = ['log-sync', 'data-sync'];
