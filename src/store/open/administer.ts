/** What commands do to a whole database, on each engine. */
import type { MigrateOptions } from '../migrations/migrate.ts';
import type { DatabaseStatus } from '../status/database-status.ts';
import type { EngineConfig } from '../engine/engine-config.ts';

/**
 * How things stand, beside running servers.
 * @throws AppError `failed_precondition` with what to do
 */
export async function readDatabaseStatus(config: EngineConfig): Promise<DatabaseStatus> {
  if (config.engine === 'sqlite') return (await import('../sqlite/status.ts')).readSqliteStatus(config);
  return (await import('../postgres/status.ts')).readPostgresStatus(config);
}

/**
 * Brings the schema to that of this version.
 * @returns the names of the changes that were made
 * @throws AppError `failed_precondition` with what to do
 */
export async function migrateDatabase(config: EngineConfig, options: MigrateOptions = {}): Promise<readonly string[]> {
  if (config.engine === 'sqlite')
    return (await import('../sqlite/migrate-data-file.ts')).migrateDataFile(config, options);
  const [{ claimPostgres, toRefusal }, { preparePostgres }] = await Promise.all([
    import('../postgres/claim.ts'),
    import('../postgres/prepare.ts'),
  ]);
  await claimPostgres(config, { willWrite: true });
  try {
    return await preparePostgres(config.address, options);
  } catch (error) {
    throw toRefusal(error, config.address);
  }
}
