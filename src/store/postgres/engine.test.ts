import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, describePostgres } from '../../../test/harness/postgres/databases.ts';
import { postgresDialect } from '../dialect/postgres.ts';
import type { ReadEngine, WriteEngine } from '../engine/engine.ts';
import { openPostgresReadEngine, openPostgresWriteEngine } from './engine.ts';

describePostgres('PostgreSQL as an engine', () => {
  it('runs typed queries, texts and loads in one transaction', async () => {
    const { writer, reader } = await openEngines();
    const count = async () => (await reader.db.selectFrom('projects').select('name').execute()).length;
    await writer.db.transaction().execute(async (db) => {
      await db
        .insertInto('projects')
        .values({ id: 1, name: 'a' } as never)
        .execute();
      await writer.run('SAVEPOINT requests', []);
      await expect(writer.run('SELECT wrong', [])).rejects.toThrow();
      await writer.run('ROLLBACK TO requests', []);
      await writer.bulkInsert('projects', [{ id: 2, name: 'b' }]);
      expect(await count()).toBe(0);
    });
    expect(await count()).toBe(2);
    const changed = await writer.db
      .updateTable('projects')
      .set({ name: 'c' } as never)
      .executeTakeFirst();
    expect(changed.numUpdatedRows).toBe(2n);
    const failing = writer.db.transaction().execute(async (db) => {
      await db.deleteFrom('projects').execute();
      throw new Error('given up');
    });
    await expect(failing).rejects.toThrow('given up');
    expect(await count()).toBe(2);
  });

  it('keeps to savepoints of Kysely', async () => {
    const { writer } = await openEngines();
    const begun = await writer.db.startTransaction().execute();
    const inside = await begun.savepoint('first').execute();
    await inside
      .insertInto('projects')
      .values({ id: 1, name: 'a' } as never)
      .execute();
    await (await inside.rollbackToSavepoint('first').execute()).releaseSavepoint('first').execute();
    await begun.commit().execute();
    expect(await writer.run('SELECT id FROM projects', [])).toEqual([]);
  });

  it('reads with several connections, none of which can write', async () => {
    const { reader } = await openEngines();
    const pids = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid, pg_sleep(0.01)`.execute(reader.db);
        return rows[0]?.pid;
      }),
    );
    expect(new Set(pids).size).toBe(4);
    await expect(reader.db.deleteFrom('projects').execute()).rejects.toMatchObject({ fault: 'unavailable' });
  });

  it('refuses data while the tables hold more than they may', async () => {
    const { writer } = await openEngines({ blockAboveBytes: 10_000_000 });
    await expect(writer.assertRoom()).resolves.toBeUndefined();
    const small = await openEngines({ blockAboveBytes: 10_000 });
    await small.writer.run(`INSERT INTO projects SELECT n, 'project ' || n FROM generate_series(1, 1000) AS n`, []);
    await expect(small.writer.assertRoom()).rejects.toMatchObject({ code: 'insufficient_storage' });
  });

  it('has its tables in a schema', async () => {
    const { writer, query } = await openEngines({ schema: 'of "us"' });
    expect(await writer.run('SELECT current_schema() AS name', [])).toEqual([{ name: 'of "us"' }]);
    expect(await query(`SELECT schemaname AS name FROM pg_tables WHERE tablename = 'projects'`)).toEqual([
      { name: 'of "us"' },
    ]);
  });
});

async function openEngines(
  options: { readonly blockAboveBytes?: number; readonly schema?: string } = {},
): Promise<{ writer: WriteEngine; reader: ReadEngine; query: (text: string) => Promise<unknown[]> }> {
  const database = await createTestDatabase();
  const { schema = null, blockAboveBytes = null } = options;
  if (schema !== null) await database.query(`CREATE SCHEMA "${schema.replaceAll('"', '""')}"`);
  const address = { ...database.address, schema };
  const writer = openPostgresWriteEngine({
    address,
    dialect: postgresDialect,
    serverId: 'test',
    blockAboveBytes,
    prepare: async ({ run }) => {
      await run('CREATE TABLE projects (id bigint PRIMARY KEY, name text)', []);
    },
  });
  const reader = openPostgresReadEngine(address, postgresDialect);
  onTestFinished(async () => {
    await Promise.all([writer.close(), reader.close()]);
    await database.drop();
  });
  await writer.prepare();
  return { writer, reader, query: (text) => database.query(text) };
}
