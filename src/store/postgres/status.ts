import { sql } from 'kysely';
import { AppError } from '#base/errors';
import { postgresDialect } from '../dialect/postgres.ts';
import type { PostgresConfig } from '../engine/engine-config.ts';
import { readContents } from '../status/contents.ts';
import type { DatabaseStatus } from '../status/database-status.ts';
import { readSchemaStatus } from '../status/schema-status.ts';
import { toRefusal } from './claim.ts';
import { openPostgresReadEngine } from './engine.ts';
import { inspectPostgres } from './inspect.ts';

/**
 * Looks at a database, which servers may use.
 * @throws AppError `failed_precondition` with what to do: no data, not ours, or not to be reached
 */
export async function readPostgresStatus({ address }: Pick<PostgresConfig, 'address'>): Promise<DatabaseStatus> {
  const { host, port, database } = address;
  const location = `${host.includes(':') ? `[${host}]` : host}:${port}/${database}`;
  const engine = openPostgresReadEngine(address, postgresDialect);
  try {
    const { db } = engine;
    const { state } = await inspectPostgres(db);
    if (state !== 'ours' && state !== 'newer') {
      throw new AppError('failed_precondition', `There is no data of Cairn in ${location}.`);
    }
    const schema = await readSchemaStatus(db);
    const isOfThisVersion = schema.pending.length === 0 && schema.unknown.length === 0;
    const { rows } = await sql<{ bytes: number }>`
      SELECT coalesce(sum(pg_total_relation_size(oid)), 0) AS bytes FROM pg_class
      WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND relkind = 'r'`.execute(
      db,
    );
    return {
      engine: 'postgres',
      location,
      serverPids: [],
      schema,
      storage: { dataBytes: rows[0]?.bytes ?? 0, freeBytes: null, logBytes: null },
      contents: isOfThisVersion ? await readContents(db) : null,
    };
  } catch (error) {
    throw error instanceof AppError ? error : toRefusal(error, address);
  } finally {
    await engine.close();
  }
}
