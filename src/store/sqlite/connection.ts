/** One SQLite connection, the only place that knows the driver. */
import Database from 'better-sqlite3';
import type { ColumnValue } from '../schema/column-value.ts';
import { toStorageError } from './faults.ts';
import { addQuantile } from './quantile.ts';

/** A prepared statement; parameters are bound in order. */
export interface SqliteStatement {
  readonly returnsRows: boolean;
  all(parameters: readonly ColumnValue[]): unknown[];
  run(parameters: readonly ColumnValue[]): { readonly changes: number };
}

/** A connection to one database file; what fails throws a `StorageError`. */
export interface SqliteConnection {
  /** A statement, prepared once and kept. */
  prepare(text: string): SqliteStatement;
  /** Runs statements without parameters. */
  exec(text: string): void;
  /** Runs what may change the schema's own table. */
  changeSchema(change: () => void): void;
  /** Whether a transaction is open: some errors roll it back behind the caller's back. */
  readonly inTransaction: boolean;
  close(): void;
}

/** Opens a database file; it is created unless `readOnly`. Given the bytes of one, it opens those in memory. */
export function openSqlite(path: string | Buffer, options: { readonly readOnly: boolean }): SqliteConnection {
  const database = guard(() => new Database(path, { readonly: options.readOnly, fileMustExist: options.readOnly }));
  addQuantile(database);
  const statements = new Map<string, SqliteStatement>();
  return {
    prepare(text) {
      const known = statements.get(text);
      if (known !== undefined) {
        statements.delete(text);
        statements.set(text, known);
        return known;
      }
      const statement = wrap(guard(() => database.prepare(text)));
      statements.set(text, statement);
      if (statements.size > MAX_STATEMENTS) statements.delete(statements.keys().next().value as string);
      return statement;
    },
    exec: (text) => void guard(() => database.exec(text)),
    changeSchema(change) {
      guard(() => {
        database.unsafeMode(true);
        try {
          database.pragma('writable_schema = ON');
          change();
        } finally {
          // Reads the schema again, too.
          database.pragma('writable_schema = RESET');
          database.unsafeMode(false);
        }
      });
    },
    get inTransaction() {
      return database.inTransaction;
    },
    close() {
      database.close();
    },
  };
}

function wrap(prepared: Database.Statement<unknown[]>): SqliteStatement {
  return {
    returnsRows: prepared.reader,
    all: (parameters) => guard(() => prepared.all(parameters)),
    run: (parameters) => guard(() => prepared.run(parameters)),
  };
}

function guard<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw toStorageError(error);
  }
}

/**
 * Opens the data file for writing: created if absent, every commit synced to disk before it returns.
 * `auto_vacuum` takes effect only before the first table, the page size likewise. A write-ahead log that grew during a
 * long read is cut back when it begins anew.
 */
export function openSqliteWriter(path: string | Buffer, cacheBytes = DEFAULT_CACHE_BYTES): SqliteConnection {
  const connection = openSqlite(path, { readOnly: false });
  // Setting `auto_vacuum` commits, and must not begin a checkpoint, for which a full disk has no room.
  connection.exec(`
    PRAGMA wal_autocheckpoint = 0;
    PRAGMA page_size = 8192;
    PRAGMA auto_vacuum = INCREMENTAL;
    PRAGMA journal_mode = WAL;
    PRAGMA foreign_keys = ON;
    PRAGMA synchronous = FULL;
    PRAGMA wal_autocheckpoint = 8000;
    PRAGMA journal_size_limit = 67108864;
    PRAGMA cache_size = -${2 * Math.floor(cacheBytes / 1024)};
    PRAGMA temp_store = MEMORY;
    PRAGMA busy_timeout = 5000;
    PRAGMA trusted_schema = OFF;
  `);
  return connection;
}

/** Opens the data file for reading only. */
export function openSqliteReader(path: string, cacheBytes = DEFAULT_CACHE_BYTES): SqliteConnection {
  const connection = openSqlite(path, { readOnly: true });
  connection.exec(`
    PRAGMA query_only = ON;
    PRAGMA cache_size = -${Math.floor(cacheBytes / 1024)};
    PRAGMA temp_store = MEMORY;
    PRAGMA busy_timeout = 5000;
    PRAGMA trusted_schema = OFF;
  `);
  return connection;
}

/** What a reader keeps of the file; the writer keeps twice as much. */
const DEFAULT_CACHE_BYTES = 16 * 1024 * 1024;

/** Statements kept prepared; list queries vary with their filters, so the number must be bounded. */
const MAX_STATEMENTS = 500;
