import { describe, expect, it } from 'vitest';
import { makeAsOf, makeSqliteDatabase } from './earlier-databases.fixture.ts';
import { MIGRATIONS } from './list.ts';

const NAMES = MIGRATIONS.map(({ name }) => name);

/** What data of the fourth version lack. */
const LATER = NAMES.slice(4);

describe('bringing a database up to date', () => {
  it('says of each change of existing data when it begins, and of new data only that they are made', async () => {
    const lines: string[] = [];
    const log = (line: string) => lines.push(line);
    const database = await makeSqliteDatabase();
    await database.migrate({ log });
    await database.migrate({ log });
    const earlier = await makeAsOf(4, await makeSqliteDatabase());
    await earlier.migrate({ log });
    expect(lines.map((line) => line.replace(/in \d+\.\d s/, 'in … s'))).toEqual([
      `The schema is up to date: ${NAMES.length} changes in … s.`,
      ...LATER.map((name, place) => `Applying schema change ${name} (${place + 1} of ${LATER.length}).`),
      `The schema is up to date: ${LATER.length} changes in … s.`,
    ]);
  });

  it('is refused where it is disabled and there is something to do, and changes nothing', async () => {
    const database = await makeAsOf(4, await makeSqliteDatabase());
    const refused = database.migrate({ isDisabled: true });
    await expect(refused).rejects.toMatchObject({ code: 'failed_precondition' });
    await expect(refused).rejects.toThrow(
      `lacks ${LATER.length} changes (${LATER.join(', ')}), and SERVICE_DANGEROUSLY_DISABLE_MIGRATIONS keeps the server from applying them: run cairn db migrate`,
    );
    expect(await database.migrate()).toEqual(LATER);
    expect(await database.migrate({ isDisabled: true })).toEqual([]);
  });

  it('builds indexes of existing tables, on engines that cannot do it while others write, too', async () => {
    const database = await makeAsOf(NAMES.length, await makeSqliteDatabase());
    const indexes = { traces_by_end: 'traces (project_id, end_us)' };
    const migrations = [...MIGRATIONS, { name: '9999-index-traces', indexes }];
    expect(await database.migrate({ migrations, buildsConcurrently: true })).toEqual(['9999-index-traces']);
    await expect(database.exec('DROP INDEX traces_by_end')).resolves.toBeUndefined();
  });

  it('may make a table again that others refer to, and keeps their rows', async () => {
    const database = await makeAsOf(NAMES.length, await makeSqliteDatabase());
    const before = await database.rows();
    const statements = () => [
      'CREATE TABLE renewed_policies AS SELECT * FROM retention_policies',
      'DROP TABLE retention_policies',
      `CREATE TABLE retention_policies (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, cron TEXT NOT NULL,
        max_days REAL, max_count INTEGER, looked_at_us INTEGER NOT NULL)`,
      'INSERT INTO retention_policies SELECT * FROM renewed_policies',
      'DROP TABLE renewed_policies',
    ];
    await database.migrate({ migrations: [...MIGRATIONS, { name: '9999-renew-policies', statements }] });
    expect(before['project_retention']).toHaveLength(1);
    expect(await database.rows()).toEqual(before);
    const orphan = database.exec('INSERT INTO project_retention (project_id, policy_id) VALUES (1, 77)');
    await expect(orphan).rejects.toThrow('FOREIGN KEY constraint failed');
  });

  it('is refused where a change leaves a row that refers to nothing, and changes nothing', async () => {
    const database = await makeAsOf(NAMES.length, await makeSqliteDatabase());
    const before = await database.rows();
    const statements = () => ['DELETE FROM retention_policies WHERE id = 1'];
    const refused = database.migrate({ migrations: [...MIGRATIONS, { name: '9999-forget-policies', statements }] });
    await expect(refused).rejects.toThrow(
      'row 2 of project_retention refers to a row of retention_policies that does not exist',
    );
    expect(await database.rows()).toEqual(before);
  });
});
