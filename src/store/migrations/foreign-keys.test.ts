/** Data that break a foreign key are put right when the keys are added. */
import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, describePostgres } from '../../../test/harness/postgres/databases.ts';
import {
  makeAsOf,
  makePostgresDatabase,
  makeSqliteDatabase,
  type MigratedDatabase,
} from './earlier-databases.fixture.ts';
import { MIGRATIONS } from './list.ts';

const BEFORE = MIGRATIONS.findIndex(({ name }) => name === '0010-add-foreign-keys');

const deletion = (id: number, policyId: number | null) => `INSERT INTO deletions (id, project_id, project_name, reason,
  policy_id, state, trace_count, span_count, erased_span_count, started_at_us)
  VALUES (${id}, 2, 'x', 'retention', ${policyId}, 'finished', 0, 0, 0, 0)`;

/** Beside what is whole: rows that refer to nothing, as a crash between two statements left them. */
const ORPHANS = [
  'INSERT INTO project_retention (project_id, policy_id) VALUES (1, 77), (99, 1)',
  deletion(2, 1),
  deletion(3, 77),
  deletion(50, null),
  // Its number is not given again.
  'DELETE FROM deletions WHERE id = 50',
];

it('a data file has no orphans then, and keeps all else', async () => {
  await expectPutRight(await makeSqliteDatabase());
});

describePostgres('orphans on PostgreSQL', () => {
  it('are gone when the keys are there, and all else is kept', async () => {
    const postgres = await createTestDatabase();
    onTestFinished(() => postgres.drop());
    await expectPutRight(await makePostgresDatabase(postgres));
  });
});

async function expectPutRight(database: MigratedDatabase): Promise<void> {
  await makeAsOf(BEFORE, database);
  const whole = await database.rows();
  for (const statement of ORPHANS) await database.exec(statement);
  // Who inserts ids by hand says where numbers go on.
  await database.dialect.continueNumbers(database.db, 'deletions');
  await database.migrate();
  const after = await database.rows();
  expect(after['project_retention']).toEqual(whole['project_retention']);
  // Later migrations add columns.
  expect(after['deletions']?.[0]).toMatchObject(whole['deletions']?.[0] ?? {});
  expect(after['deletions']?.map((row) => [row['id'], row['policy_id']])).toEqual([
    [1, null],
    [2, 1],
    [3, null],
  ]);
  await expect(database.exec('INSERT INTO project_retention (project_id, policy_id) VALUES (1, 77)')).rejects.toThrow(
    /foreign key/i,
  );
  await database.exec('DELETE FROM retention_policies WHERE id = 1');
  const { project_retention, deletions } = await database.rows();
  expect([project_retention, deletions?.map((row) => row['policy_id'])]).toEqual([[], [null, null, null]]);
  const { id } = await database.db
    .insertInto('deletions')
    .values({ project_id: 2, project_name: 'x', reason: 'request', state: 'hiding', ...NO_COUNTS })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect(id).toBe(database.dialect.name === 'sqlite' ? 51 : 4);
}

const NO_COUNTS = { trace_count: 0, span_count: 0, erased_span_count: 0, started_at_us: 0 };
