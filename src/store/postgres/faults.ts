/** What errors of PostgreSQL, and of the way to it, come to. */
import pg from 'pg';
import { StorageError, type StorageFault } from '../engine/storage-error.ts';

/** An error of the driver as all engines throw it; others stay what they are. */
export function toStorageError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StorageError) return error;
  const code = sqlStateOf(error);
  if (code !== undefined)
    return new StorageError(faultOf(code, error.message), `${error.message} (${code})`, error, code);
  // Errors of Node, of sockets, names and TLS, have codes of their own.
  const isLost = 'code' in error || DRIVER_LOST.test(error.message);
  return isLost ? new StorageError('unavailable', messageOf(error), error) : error;
}

/** What anything that keeps a connection from being made comes to. */
export function toConnectError(error: unknown, where: string): StorageError {
  const known = toStorageError(error);
  const message = known instanceof Error ? messageOf(known) : String(known);
  const cause = known instanceof StorageError ? (known.cause ?? known) : known;
  if (NO_PASSWORD.test(message)) {
    return new StorageError(
      'unavailable',
      `PostgreSQL at ${where} requires a password, and none is set`,
      cause,
      '28P01',
    );
  }
  return new StorageError('unavailable', `PostgreSQL at ${where} cannot be used: ${message}`, cause, sqlStateOf(known));
}

/** The five characters that PostgreSQL itself gives with an error, if it was its error. */
export function sqlStateOf(error: unknown): string | undefined {
  if (error instanceof StorageError) return error.state;
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** The driver says so of its own login. */
const NO_PASSWORD = /client password must be a/;

/** The driver says these without a code. */
const DRIVER_LOST = /^(Connection terminated|Client (has encountered|was closed)|timeout expired)/;

/** Several addresses of one name fail as one error without a message. */
function messageOf(error: Error): string {
  if (error.message !== '') return error.message;
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  return inner instanceof Error ? inner.message : error.name;
}

/** @see https://www.postgresql.org/docs/current/errcodes-appendix.html */
function faultOf(code: string, message: string): StorageFault {
  if (code === DISK_FULL) return 'full';
  if (DAMAGE.has(code)) return 'damaged';
  if (CONFLICTS.has(code)) return 'conflict';
  if (code === FEATURE_NOT_SUPPORTED && message.includes('cached plan')) return 'conflict';
  return UNAVAILABLE.has(code) || UNAVAILABLE_CLASSES.has(code.slice(0, 2)) ? 'unavailable' : 'statement';
}

const DISK_FULL = '53100';

/** A page or an index whose content is wrong. */
const DAMAGE: ReadonlySet<string> = new Set(['XX001', 'XX002']);

/** Of a prepared statement: a migration has changed its tables. */
const FEATURE_NOT_SUPPORTED = '0A000';

/** Serialization, deadlock, a lock that was not given in time. */
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01', '55P03']);

/**
 * Rights that were taken away, a schema and tables that somebody removed or puts back: no span is at fault, and none may be refused for
 * good. Written to a replica; ended while idle, or for taking long; a commit that nobody knows the end of; a prepared statement that
 * somebody between us and the server has lost.
 */
const UNAVAILABLE: ReadonlySet<string> = new Set([
  '42501',
  '3F000',
  '42P01',
  '25006',
  '25P03',
  '25P04',
  '40003',
  '26000',
]);

/** Connection, resources, an operator's intervention, the system, configuration files, the server itself. */
const UNAVAILABLE_CLASSES: ReadonlySet<string> = new Set(['08', '53', '57', '58', 'F0', 'XX']);
