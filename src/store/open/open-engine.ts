/** The one place that knows which engines there are; each is loaded where it is asked for. */
import { coordinateAlone } from '../coordination/alone.ts';
import type { Coordination } from '../coordination/port.ts';
import type { SqlDialect } from '../dialect/dialect.ts';
import { postgresDialect } from '../dialect/postgres.ts';
import { sqliteDialect } from '../dialect/sqlite.ts';
import type { JobId } from '../jobs/job.ts';
import type { MigrateOptions } from '../migrations/migrate.ts';
import type { PostgresAddress } from '../engine/postgres-address.ts';
import type { ClaimOptions, DatabaseClaim, ReadEngine, ReplicaEngine, WriteEngine } from '../engine/engine.ts';
import type { EngineConfig } from '../engine/engine-config.ts';

/**
 * Before the first is opened in a process.
 * @throws AppError `failed_precondition` with what to do
 */
export async function claimDatabase(config: EngineConfig, options: ClaimOptions = {}): Promise<DatabaseClaim> {
  if (config.engine === 'sqlite')
    return (await import('../sqlite/claim-data-file.ts')).claimDataFile(config.path, options);
  return (await import('../postgres/claim.ts')).claimPostgres(config, options);
}

/**
 * Opens the data for writing. `onLost` hears when what is written is out of reach of others.
 * @param migrating how the schema is brought up to date when it is prepared
 */
export async function openWriteEngine(
  config: EngineConfig,
  onLost: (message: string) => void,
  migrating: MigrateOptions = {},
): Promise<WriteEngine> {
  if (config.engine === 'sqlite')
    return (await import('../sqlite/engine.ts')).openSqliteWriteEngine(config, onLost, migrating);
  const [{ openPostgresWriteEngine }, { preparePostgres }] = await Promise.all([
    import('../postgres/engine.ts'),
    import('../postgres/prepare.ts'),
  ]);
  return openPostgresWriteEngine({
    ...config,
    dialect: postgresDialect,
    prepare: async () => void (await preparePostgres(config.address, migrating)),
  });
}

/** Opens the data for reading. */
export async function openReadEngine(config: EngineConfig): Promise<ReadEngine> {
  if (config.engine === 'sqlite') return (await import('../sqlite/engine.ts')).openSqliteReadEngine(config);
  return (await import('../postgres/engine.ts')).openPostgresReadEngine(config.address, postgresDialect);
}

/** Opens a replica of the data for reading. */
export async function openReplicaEngine(primary: EngineConfig, replica: PostgresAddress): Promise<ReplicaEngine> {
  if (primary.engine === 'sqlite') throw new Error('a file has no replica');
  const { openPostgresReplicaEngine } = await import('../postgres/replica-engine.ts');
  return openPostgresReplicaEngine(primary.address, replica, postgresDialect);
}

/**
 * Begins to share the work with other servers on the same data, where there may be any.
 * @param findJobs those that are neither paused nor over
 */
export async function openCoordination(
  config: EngineConfig,
  findJobs: () => Promise<readonly JobId[]>,
  onError: (message: string, error: unknown) => void,
): Promise<Coordination> {
  if (config.engine === 'sqlite') return coordinateAlone(findJobs, onError);
  const { PostgresCoordination } = await import('../postgres/coordination.ts');
  const coordination = new PostgresCoordination({ ...config, onError });
  await coordination.attempted;
  return coordination;
}

/** What statements are written in, by engine. */
export const DIALECTS: Readonly<Record<EngineConfig['engine'], SqlDialect>> = {
  sqlite: sqliteDialect,
  postgres: postgresDialect,
};
