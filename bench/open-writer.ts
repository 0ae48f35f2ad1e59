/** The real writer on a file of its own, in this thread and without a sync: for filling and for measuring steps. */
import type { Kysely } from 'kysely';
import type { Tables } from '#store/schema/tables';
import { sqliteDialect } from '#store/dialect/sqlite';
import { bulkInsertOnSqlite } from '#store/spans/relational/bulk-insert';
import { runOnSqlite } from '#store/spans/relational/prepared-query';
import { RelationalSpanWriter } from '#store/spans/relational/writer';
import { openSqliteWriter } from '#store/sqlite/connection';
import { kyselyOnSqlite } from '#store/sqlite/kysely-dialect';
import { prepareDataFile } from '#store/sqlite/prepare';

/** A writer, and what closes its file. */
export interface BenchWriter {
  readonly db: Kysely<Tables>;
  readonly writer: RelationalSpanWriter;
  readonly close: () => void;
}

/** Creates the file and opens it; what it holds may be lost when the machine stops. */
export async function openBenchWriter(path: string): Promise<BenchWriter> {
  const connection = openSqliteWriter(path);
  connection.exec('PRAGMA synchronous = OFF');
  const db = kyselyOnSqlite(connection);
  await prepareDataFile(connection, db);
  const onError = (message: string, cause: unknown) => {
    throw new Error(message, { cause });
  };
  const bulkInsert = bulkInsertOnSqlite(connection, db);
  const writer = new RelationalSpanWriter({
    db,
    dialect: sqliteDialect,
    bulkInsert,
    run: runOnSqlite(connection),
    onError,
  });
  return { db, writer, close: () => connection.close() };
}
