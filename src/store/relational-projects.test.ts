import { beforeEach, describe, expect, it } from 'vitest';
import { foldCase } from '#base/text';
import type { ProjectStore } from './projects-port.ts';
import { relationalProjectStore } from './relational-projects.ts';
import { openSqlite } from './sqlite/connection.ts';
import { kyselyOnSqlite } from './sqlite/kysely-dialect.ts';
import { prepareDataFile } from './sqlite/prepare.ts';

let store: ProjectStore;

beforeEach(async () => {
  const connection = openSqlite(':memory:', { readOnly: false });
  const db = kyselyOnSqlite(connection);
  await prepareDataFile(connection, db);
  for (const name of ['Straße 50%', 'STRASSE_ÄÖ', 'other']) {
    const row = { name, name_folded: foldCase(name), description: null, created_at_us: 0 };
    await db.insertInto('projects').values(row).execute();
  }
  store = relationalProjectStore(db);
});

describe('projects', () => {
  const names = async (nameContains?: string) =>
    (await store.listProjects({ nameContains }, { limit: 10, cursor: null })).data.map((project) => project.name);

  it('are listed newest first, page by page', async () => {
    const first = await store.listProjects({}, { limit: 3, cursor: null });
    expect(first.data.map((project) => project.rowId)).toEqual([4, 3, 2]);
    expect(atob(first.nextCursor ?? '')).toBe('Project:1');
    const second = await store.listProjects({}, { limit: 3, cursor: first.nextCursor });
    expect(second).toMatchObject({ data: [{ name: 'default' }], nextCursor: null });
  });

  it('are found by part of their name in any letter case, by the rules of Unicode and without wildcards', async () => {
    expect(await names('strasse')).toEqual(['STRASSE_ÄÖ', 'Straße 50%']);
    expect(await names('äö')).toEqual(['STRASSE_ÄÖ']);
    expect(await names('50%')).toEqual(['Straße 50%']);
    expect(await names('%')).toEqual(['Straße 50%']);
    expect(await names('_')).toEqual(['STRASSE_ÄÖ']);
  });

  it('are found by row and by exact name', async () => {
    expect(await store.findProject({ rowId: 1 })).toEqual({ rowId: 1, name: 'default', description: null });
    expect(await store.findProject({ name: 'other' })).toMatchObject({ rowId: 4 });
    expect(await store.findProject({ name: 'Other' })).toBeUndefined();
  });
});
