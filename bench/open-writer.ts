/** The real writer on a file of its own, in this thread and without a sync: for filling and for measuring steps. */
import type { Kysely } from 'kysely';
import type { Tables } from '#store/schema/tables';
import { RelationalSpanWriter } from '#store/writer/writer';
import { sqliteEngineOn } from '#store/sqlite/engine';
import { openSqliteWriter } from '#store/sqlite/connection';
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
  const engine = sqliteEngineOn(connection);
  const { db } = engine;
  await prepareDataFile(connection, db);
  const onError = (message: string, cause: unknown) => {
    throw new Error(message, { cause });
  };
  const writer = new RelationalSpanWriter({ ...engine, onError });
  return { db, writer, close: () => connection.close() };
}
