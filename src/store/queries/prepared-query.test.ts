import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openTestEngine } from '../engine/open-test-engine.fixture.ts';
import { type BuildQuery, prepareQuery } from './prepared-query.ts';

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
        .select(['name', sql<number>`CAST(${values.least} AS BIGINT)`.as('least')])
        .where('id', '>=', values.least)
        .where('name', 'in', dialect.textsOfJson(values.names))
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
  const scope = await openTestEngine();
  for (const name of ['a', 'b', 'c']) {
    await scope.db
      .insertInto('projects')
      .values({ name, name_folded: name, description: null, created_at_us: 1, updated_at_us: 1 })
      .execute();
  }
  return scope;
}
