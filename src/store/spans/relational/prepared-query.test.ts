import { describe, expect, it } from 'vitest';
import { sqliteDialect } from '../../dialect/sqlite.ts';
import { openSqlite } from '../../sqlite/connection.ts';
import { kyselyOnSqlite } from '../../sqlite/kysely-dialect.ts';
import { prepareDataFile } from '../../sqlite/prepare.ts';
import { type BuildQuery, prepareQuery, runOnSqlite } from './prepared-query.ts';

describe('a prepared query', () => {
  it('is built once and runs with the values of each call, wherever they stand and however often', async () => {
    const scope = await openScope();
    const names: BuildQuery<{ names: string; least: number }, { name: string; least: number }> = (
      { db, dialect },
      values,
    ) => {
      builds++;
      return db
        .selectFrom('projects')
        .select((project) => ['name', project.val(values.least).as('least')])
        .where('id', '>=', values.least)
        .where('name', 'in', dialect.valuesOfJson(values.names) as never)
        .orderBy('name');
    };
    let builds = 0;
    const query = prepareQuery(names);
    expect(await query(scope, { names: '["a","c"]', least: 1 })).toEqual([
      { name: 'a', least: 1 },
      { name: 'c', least: 1 },
    ]);
    expect(await query(scope, { least: 3, names: '["a","c"]' })).toEqual([{ name: 'c', least: 3 }]);
    expect(builds).toBe(1);
  });

  it('keeps the constants of its builder', async () => {
    const scope = await openScope();
    const rename = prepareQuery(({ db }, values: { readonly name: string }) =>
      db.updateTable('projects').set({ name: values.name, description: 'renamed' }).where('id', '=', 2),
    );
    await rename(scope, { name: 'z' });
    const row = await scope.db.selectFrom('projects').select(['name', 'description']).where('id', '=', 2).execute();
    expect(row).toEqual([{ name: 'z', description: 'renamed' }]);
  });
});

async function openScope() {
  const connection = openSqlite(':memory:', { readOnly: false });
  const db = kyselyOnSqlite(connection);
  await prepareDataFile(connection, db);
  for (const name of ['a', 'b', 'c']) {
    await db
      .insertInto('projects')
      .values({ name, name_folded: name, description: null, created_at_us: 1, updated_at_us: 1 })
      .execute();
  }
  return { db, dialect: sqliteDialect, run: runOnSqlite(connection) };
}
