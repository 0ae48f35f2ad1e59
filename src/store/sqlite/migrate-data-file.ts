import { AppError, errorMessage } from '#base/errors';
import type { SqliteConfig } from '../engine/engine-config.ts';
import type { MigrateOptions } from '../migrations/migrate.ts';
import { claimDataFile } from './claim-data-file.ts';
import { openSqliteWriter } from './connection.ts';
import { kyselyOnSqlite } from './kysely-on-sqlite.ts';
import { prepareDataFile } from './prepare.ts';

/**
 * Brings a data file that no server has open to the schema of this version; it is made where there is none.
 * @returns the names of the changes that were made
 * @throws AppError `failed_precondition` with what to do
 */
export async function migrateDataFile(
  { path }: Pick<SqliteConfig, 'path'>,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  const claim = claimDataFile(path);
  try {
    const connection = openSqliteWriter(path);
    try {
      return await prepareDataFile(connection, kyselyOnSqlite(connection), options);
    } finally {
      connection.close();
    }
  } catch (error) {
    throw error instanceof AppError ? error : claim.refusal(errorMessage(error), error);
  } finally {
    claim.release();
  }
}
