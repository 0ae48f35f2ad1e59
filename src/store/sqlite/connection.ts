/** One SQLite connection, the only place that knows the driver. */
import Database from 'better-sqlite3';
import { addQuantile } from './quantile.ts';

/** A value that SQLite can bind. */
export type SqliteValue = string | number | bigint | null | Uint8Array;

/** A prepared statement; parameters are bound in order. */
export interface SqliteStatement {
  readonly returnsRows: boolean;
  all(parameters: readonly SqliteValue[]): unknown[];
  run(parameters: readonly SqliteValue[]): { readonly changes: number };
}

/** A connection to one database file. */
export interface SqliteConnection {
  /** A statement, prepared once and kept. */
  prepare(text: string): SqliteStatement;
  /** Runs statements without parameters. */
  exec(text: string): void;
  /** Whether a transaction is open: some errors roll it back behind the caller's back. */
  readonly inTransaction: boolean;
  close(): void;
}

/** Opens a database file; it is created unless `readOnly`. */
export function openSqlite(path: string, options: { readonly readOnly: boolean }): SqliteConnection {
  const database = new Database(path, { readonly: options.readOnly, fileMustExist: options.readOnly });
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
      const prepared = database.prepare(text);
      const statement: SqliteStatement = {
        returnsRows: prepared.reader,
        all: (parameters) => prepared.all(parameters),
        run: (parameters) => prepared.run(parameters),
      };
      statements.set(text, statement);
      if (statements.size > MAX_STATEMENTS) statements.delete(statements.keys().next().value as string);
      return statement;
    },
    exec(text) {
      database.exec(text);
    },
    get inTransaction() {
      return database.inTransaction;
    },
    close() {
      database.close();
    },
  };
}

/**
 * Opens the data file for writing: created if absent, every commit synced to disk before it returns.
 * `auto_vacuum` takes effect only before the first table, the page size likewise. A write-ahead log that grew during a
 * long read is cut back when it begins anew.
 */
export function openSqliteWriter(path: string): SqliteConnection {
  const connection = openSqlite(path, { readOnly: false });
  connection.exec(`
    PRAGMA page_size = 8192;
    PRAGMA auto_vacuum = INCREMENTAL;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA wal_autocheckpoint = 8000;
    PRAGMA journal_size_limit = 67108864;
    PRAGMA cache_size = -32768;
    PRAGMA temp_store = MEMORY;
    PRAGMA busy_timeout = 5000;
    PRAGMA trusted_schema = OFF;
  `);
  return connection;
}

/** Opens the data file for reading only. */
export function openSqliteReader(path: string): SqliteConnection {
  const connection = openSqlite(path, { readOnly: true });
  connection.exec(`
    PRAGMA query_only = ON;
    PRAGMA cache_size = -16384;
    PRAGMA temp_store = MEMORY;
    PRAGMA busy_timeout = 5000;
    PRAGMA trusted_schema = OFF;
  `);
  return connection;
}

/** Statements kept prepared; list queries vary with their filters, so the number must be bounded. */
const MAX_STATEMENTS = 500;
