/** Whoever is killed while it changes the schema has changed nothing by halves, and the next start goes on. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, describePostgres } from '../../../test/harness/postgres/databases.ts';
import { describeSchema } from '../schema/describe-schema.fixture.ts';
import {
  makeAsOf,
  makePostgresDatabase,
  makeSqliteDatabase,
  type MigratedDatabase,
} from './earlier-databases.fixture.ts';
import { MIGRATIONS } from './list.ts';

const PROGRAM = join(import.meta.dirname, 'migrate-and-die.fixture.ts');
/** Versions before the change that is interrupted: it alters tables, creates others, and changes rows. */
const BEFORE = 3;
const REST = MIGRATIONS.slice(BEFORE).map(({ name }) => name);

it('a data file is as it was, and the next start brings it up to date', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-interrupted-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await expectResumed(await makeSqliteDatabase(join(folder, 'cairn.db')), await makeSqliteDatabase());
});

describePostgres('a database of PostgreSQL whose migration is killed', () => {
  it('is as it was, and the next start brings it up to date', async () => {
    const postgres = await createTestDatabase();
    onTestFinished(() => postgres.drop());
    await expectResumed(await makePostgresDatabase(postgres), await makePostgresDatabase(postgres));
  });
});

async function expectResumed(database: MigratedDatabase, uninterrupted: MigratedDatabase): Promise<void> {
  await makeAsOf(BEFORE, database);
  const [rows, schema] = [await database.rows(), await describeSchema(database)];
  const killed = fork(PROGRAM, [JSON.stringify(database.place), REST[0] ?? '']);
  const [, signal] = (await once(killed, 'exit')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
  // PostgreSQL lets go of the lock when it has noticed.
  await database.migrate({ migrations: MIGRATIONS.slice(0, BEFORE) });
  expect(await database.rows()).toEqual(rows);
  expect(await describeSchema(database)).toBe(schema);
  expect(await database.migrate()).toEqual(REST);
  await makeAsOf(BEFORE, uninterrupted);
  await uninterrupted.migrate();
  expect(await database.rows()).toEqual(await uninterrupted.rows());
  expect(await describeSchema(database)).toBe(await describeSchema(uninterrupted));
}
