import { AppError } from '#base/errors';
import { postgresDialect } from '../dialect/postgres.ts';
import type { PostgresConfig } from '../engine/engine-config.ts';
import { readContents } from '../status/contents.ts';
import type { DatabaseStatus } from '../status/database-status.ts';
import { readSchemaStatus } from '../status/schema-status.ts';
import { describeAddress } from '../engine/postgres-address.ts';
import { toRefusal } from './claim.ts';
import { openPostgresReadEngine } from './engine.ts';
import { inspectPostgres } from './inspect.ts';
import { countServers } from './presence.ts';
import { measureUsedBytes } from './used-bytes.ts';

/**
 * Looks at a database, which servers may use.
 * @throws AppError `failed_precondition` with what to do: no data, not ours, or not to be reached
 */
export async function readPostgresStatus({ address }: Pick<PostgresConfig, 'address'>): Promise<DatabaseStatus> {
  const location = describeAddress(address);
  const engine = openPostgresReadEngine(address, postgresDialect);
  try {
    const { db } = engine;
    const content = await inspectPostgres(db);
    if (content.state === 'foreign') throw new AppError('failed_precondition', `${location} is ${content.what}.`);
    if (content.state !== 'ours' && content.state !== 'newer') {
      throw new AppError('failed_precondition', `There is no Cairn data in ${location}.`);
    }
    const schema = await readSchemaStatus(db);
    const isOfThisVersion = schema.pending.length === 0 && schema.unknown.length === 0;
    return {
      engine: 'postgres',
      location,
      serverCount: await countServers(db),
      serverPids: [],
      schema,
      storage: { dataBytes: await measureUsedBytes(db), freeBytes: null, logBytes: null },
      contents: isOfThisVersion ? await readContents(db) : null,
    };
  } catch (error) {
    throw error instanceof AppError ? error : toRefusal(error, address);
  } finally {
    await engine.close();
  }
}
