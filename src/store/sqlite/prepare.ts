/** Makes a data file ready to be written: marked as ours, and at the schema of this version. */
import type { Kysely } from 'kysely';
import { sqliteDialect } from '../dialect/sqlite.ts';
import { migrate, type MigrateOptions } from '../migrations/migrate.ts';
import type { Tables } from '../schema/tables.ts';
import { findBrokenKey } from './check-integrity.ts';
import type { SqliteConnection } from './connection.ts';
import { APPLICATION_ID } from './inspect.ts';

/** Prepares the file; returns the names of the schema changes that were made. */
export async function prepareDataFile(
  connection: SqliteConnection,
  db: Kysely<Tables>,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  connection.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  // A change may make a table again and drop the earlier one: with keys on, the rows that refer to it would go, too.
  connection.exec('PRAGMA foreign_keys = OFF');
  try {
    return await migrate(db, sqliteDialect, { ...options, onMade: async () => assertKeysHold(connection) });
  } finally {
    connection.exec('PRAGMA foreign_keys = ON');
  }
}

function assertKeysHold(connection: SqliteConnection): void {
  const broken = findBrokenKey(connection);
  if (broken !== undefined) throw new Error(broken);
}
