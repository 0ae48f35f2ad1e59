/** Kysely over a SQLite connection of this thread: statements stay prepared, and nothing is copied. */
import { type CompiledQuery, type DatabaseConnection, type Driver, Kysely, type QueryResult } from 'kysely';
import { sqliteDialect } from '../dialect/sqlite.ts';
import type { ColumnValue } from '../schema/column-value.ts';
import type { Tables } from '../schema/tables.ts';
import type { SqliteConnection } from './connection.ts';

/** Typed queries on the connection. Destroying it does not close the connection. */
export function kyselyOnSqlite(connection: SqliteConnection): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: sqliteDialect.compileFor(new LocalDriver(connection)) });
}

class LocalDriver implements Driver {
  readonly #connection: DatabaseConnection;
  readonly #sqlite: SqliteConnection;

  constructor(sqlite: SqliteConnection) {
    this.#sqlite = sqlite;
    this.#connection = {
      executeQuery: async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
        const statement = sqlite.prepare(query.sql);
        const parameters = query.parameters as readonly ColumnValue[];
        if (statement.returnsRows) return { rows: statement.all(parameters) as R[] };
        return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) };
      },
      // biome-ignore lint/correctness/useYield: the interface wants a generator; no caller streams
      async *streamQuery() {
        throw new Error('rows are read page by page, not streamed');
      },
    };
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    this.#sqlite.exec('BEGIN IMMEDIATE');
  }

  async commitTransaction(): Promise<void> {
    this.#sqlite.exec('COMMIT');
  }

  async rollbackTransaction(): Promise<void> {
    if (this.#sqlite.inTransaction) this.#sqlite.exec('ROLLBACK');
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}
