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
/** Changes that are interrupted: one alters tables, creates others and changes rows, the other makes tables again. */
const INTERRUPTED = ['0004-add-costs', '0010-add-foreign-keys'];

it.each(INTERRUPTED)('a data file is as it was, and the next start brings it up to date (%s)', async (change) => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-interrupted-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await expectResumed(change, await makeSqliteDatabase(join(folder, 'cairn.db')), await makeSqliteDatabase());
});

describePostgres('a database of PostgreSQL whose migration is killed', () => {
  it.each(INTERRUPTED)('is as it was, and the next start brings it up to date (%s)', async (change) => {
    const postgres = await createTestDatabase();
    onTestFinished(() => postgres.drop());
    await expectResumed(change, await makePostgresDatabase(postgres), await makePostgresDatabase(postgres));
  });
});

async function expectResumed(
  change: string,
  database: MigratedDatabase,
  uninterrupted: MigratedDatabase,
): Promise<void> {
  const before = MIGRATIONS.findIndex(({ name }) => name === change);
  const rest = MIGRATIONS.slice(before).map(({ name }) => name);
  await makeAsOf(before, database);
  const [rows, schema] = [await database.rows(), await describeSchema(database)];
  const killed = fork(PROGRAM, [JSON.stringify(database.place), change]);
  const [, signal] = (await once(killed, 'exit')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
  // PostgreSQL lets go of the lock when it has noticed.
  await database.migrate({ migrations: MIGRATIONS.slice(0, before) });
  expect(await database.rows()).toEqual(rows);
  expect(await describeSchema(database)).toBe(schema);
  expect(await database.migrate()).toEqual(rest);
  await makeAsOf(before, uninterrupted);
  await uninterrupted.migrate();
  expect(await database.rows()).toEqual(await uninterrupted.rows());
  expect(await describeSchema(database)).toBe(await describeSchema(uninterrupted));
}
