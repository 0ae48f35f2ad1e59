/** Indexes that a newer version adds to tables which servers write. */
import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, describePostgres, type TestDatabase } from '../../../test/harness/postgres/databases.ts';
import { MIGRATED } from '../engine/open-postgres-test-engine.fixture.ts';
import { MIGRATIONS } from '../migrations/list.ts';
import { sessionOn } from './open-session.fixture.ts';
import { preparePostgres } from './prepare.ts';

const INDEX = 'projects_by_age';
const NEXT = { name: '9999-index-projects', indexes: { [INDEX]: 'projects (created_at_us)' } };
const OPTIONS = { migrations: [...MIGRATIONS, NEXT], buildsConcurrently: true };

describePostgres('an index that is built concurrently', () => {
  it('lets others write meanwhile', async () => {
    const { database, building, commit } = await build();
    await database.query(`SET lock_timeout = '5s'`);
    await database.query(insert('meanwhile'));
    await commit();
    expect(await building).toEqual([NEXT.name]);
    expect(await database.query(IS_VALID)).toEqual([{ is_valid: true }]);
    await database.query('SET enable_seqscan = off');
    const found = await database.query('SELECT name FROM projects WHERE created_at_us = 7 ORDER BY id');
    expect(found).toEqual([{ name: 'before' }, { name: 'meanwhile' }]);
  });

  it.each([true, false])(
    'is dropped and built anew after an interruption (concurrently: %s)',
    async (buildsConcurrently) => {
      const { database, building, commit } = await build();
      const interrupted = expect(building).rejects.toMatchObject({ fault: 'unavailable' });
      await database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'CREATE INDEX%'`);
      await interrupted;
      await commit();
      expect(await database.query(IS_VALID)).toEqual([{ is_valid: false }]);
      expect(await preparePostgres(database.address, { ...OPTIONS, buildsConcurrently })).toEqual([NEXT.name]);
      expect(await database.query(IS_VALID)).toEqual([{ is_valid: true }]);
      expect(await preparePostgres(database.address, OPTIONS)).toEqual([]);
    },
  );

  it('is built by one of several servers that begin at the same moment', async () => {
    const database = await migrated();
    const lines: string[] = [];
    const begin = () => preparePostgres(database.address, { ...OPTIONS, log: (line) => lines.push(line) });
    const made = await Promise.all([begin(), begin(), begin()]);
    expect(made.flat()).toEqual([NEXT.name]);
    expect(lines).toContain('Another server is upgrading the schema; waiting for it.');
    expect(lines).toContain(`Applying schema change ${NEXT.name} (1 of 1).`);
    expect(await database.query(IS_VALID)).toEqual([{ is_valid: true }]);
  });
});

/** Begins a build, which waits for a transaction that has written. */
async function build() {
  const database = await migrated();
  const session = sessionOn(database.address, 'write');
  onTestFinished(() => session.close());
  await session.begin();
  await session.run(insert('before'), []);
  const building = preparePostgres(database.address, OPTIONS);
  await expect.poll(() => database.query(IS_VALID)).toEqual([{ is_valid: false }]);
  return { database, building, commit: () => session.commit() };
}

async function migrated(): Promise<TestDatabase> {
  const database = await createTestDatabase({ template: MIGRATED });
  onTestFinished(() => database.drop());
  return database;
}

function insert(name: string): string {
  return `INSERT INTO projects (name, name_folded, created_at_us, updated_at_us) VALUES ('${name}', '${name}', 7, 7)`;
}

const IS_VALID = `SELECT indisvalid AS is_valid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE relname = '${INDEX}'`;
