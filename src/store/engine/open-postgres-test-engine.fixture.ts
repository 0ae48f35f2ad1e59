/** PostgreSQL databases of tests: each a copy of one at the schema of this version. */
import { createHash } from 'node:crypto';
import { createTestDatabase } from '../../../test/harness/postgres/databases.ts';
import { postgresDialect } from '../dialect/postgres.ts';
import type { StoredRow, TestEngine, TestEngines } from './test-engine.fixture.ts';
import type { WriteEngine } from './engine.ts';
import { migrate } from '../migrate.ts';
import { MIGRATIONS } from '../migrations/list.ts';
import type { PostgresAddress } from '../postgres/address.ts';
import { openPostgresReadEngine, openPostgresWriteEngine } from '../postgres/engine.ts';

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

/** An engine whose database others may open, too. */
export type PostgresTestEngine = TestEngine & { readonly address: PostgresAddress };

/** Makes a database and opens it; closing removes it. */
export async function openPostgresTestEngine(): Promise<PostgresTestEngine> {
  const database = await createTestDatabase({ template: MIGRATED });
  const engine = openOn(database.address);
  return {
    ...engine,
    address: database.address,
    rows: async (query) =>
      (typeof query === 'string' ? await engine.run(query, []) : (await query.execute(engine.db)).rows) as StoredRow[],
    exec: async (statements) => {
      if (typeof statements === 'string') await database.query(statements);
      else await statements.execute(engine.db);
    },
    close: async () => {
      await engine.close();
      await database.drop();
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

function openOn(address: PostgresAddress): WriteEngine {
  return openPostgresWriteEngine({
    address,
    dialect: postgresDialect,
    serverId: 'test',
    blockAboveBytes: null,
    prepare: async ({ db, dialect }) => {
      await migrate(db, dialect);
    },
  });
}
