/** PostgreSQL databases of tests: each a copy of one at the schema of this version. */
import { createHash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/postgres/databases.ts';
import { postgresDialect } from '../dialect/postgres.ts';
import type { StoredRow, TestEngine, TestEngines } from './test-engine.fixture.ts';
import type { WriteEngine } from './engine.ts';
import { migrate } from '../migrations/migrate.ts';
import { MIGRATIONS } from '../migrations/list.ts';
import type { PostgresAddress } from './postgres-address.ts';
import { openPostgresReadEngine, openPostgresWriteEngine } from '../postgres/engine.ts';
import type { PostgresSession } from '../postgres/session.ts';

const SCHEMA = JSON.stringify(
  MIGRATIONS.map((migration) =>
    'indexes' in migration ? migration.indexes : [...migration.statements(postgresDialect)],
  ),
);

/** The template that has the schema. */
export const MIGRATED = {
  name: createHash('sha256').update(SCHEMA).digest('hex').slice(0, 16),
  async fill(address: PostgresAddress) {
    const engine = openOn(address);
    await engine.prepare();
    await engine.close();
  },
};

/**
 * Makes a database and opens it; closing removes it.
 * @param connect makes what it runs on, instead of sessions as servers open them
 */
export async function openPostgresTestEngine(
  connect?: (address: PostgresAddress) => PostgresSession,
): Promise<TestEngine> {
  const database = await createTestDatabase({ template: MIGRATED });
  const { address } = database;
  const engine = openOn(address, 'test', connect && (() => connect(address)));
  return {
    ...testEngineOn(engine, database),
    close: async () => {
      await engine.close();
      await database.drop();
    },
  };
}

/** Opens so many servers on one database; closed when the test ends. */
export async function openPostgresServers(count: number): Promise<readonly TestEngine[]> {
  const database = await createTestDatabase({ template: MIGRATED });
  const engines = Array.from({ length: count }, (_, place) => openOn(database.address, `server ${place}`));
  onTestFinished(async () => {
    await Promise.all(engines.map((engine) => engine.close()));
    await database.drop();
  });
  return engines.map((engine) => testEngineOn(engine, database));
}

function testEngineOn(engine: WriteEngine, database: TestDatabase): TestEngine {
  return {
    ...engine,
    rows: async (query) =>
      (typeof query === 'string' ? await engine.run(query, []) : (await query.execute(engine.db)).rows) as StoredRow[],
    exec: async (statements) => {
      if (typeof statements === 'string') await database.query(statements);
      else await statements.execute(engine.db);
    },
  };
}

/** Makes a database and opens it for writing and for reading; closing removes it. */
export async function openPostgresTestEngines(): Promise<TestEngines> {
  const database = await createTestDatabase({ template: MIGRATED });
  const write = openOn(database.address);
  const read = openPostgresReadEngine(database.address, postgresDialect);
  return {
    write,
    read,
    close: async () => {
      await Promise.all([write.close(), read.close()]);
      await database.drop();
    },
  };
}

function openOn(address: PostgresAddress, serverId = 'test', open?: () => PostgresSession): WriteEngine {
  const options = {
    address,
    dialect: postgresDialect,
    serverId,
    blockAboveBytes: null,
    prepare: async ({ db, dialect }: Pick<WriteEngine, 'db' | 'dialect'>) => {
      await migrate(db, dialect);
    },
  };
  return openPostgresWriteEngine(options, open);
}
