import { beforeEach, describe, expect, it } from 'vitest';
import { foldCase } from '#base/text';
import type { Kysely } from 'kysely';
import { openTestEngine } from '../engine/open-test-engine.fixture.ts';
import type { ProjectBrowser, ProjectStore } from './port.ts';
import { relationalProjectBrowser, relationalProjectStore } from './relational-projects.ts';
import type { Tables } from '../schema/tables.ts';

let store: ProjectStore;
let browser: ProjectBrowser;
let db: Kysely<Tables>;

beforeEach(async () => {
  const engine = await openTestEngine();
  ({ db } = engine);
  for (const name of ['Straße 50%', 'STRASSE_ÄÖ', 'other']) {
    const row = { name, name_folded: foldCase(name), description: null, created_at_us: 0, updated_at_us: 0 };
    await db.insertInto('projects').values(row).execute();
  }
  store = relationalProjectStore(db, engine.dialect);
  browser = relationalProjectBrowser(db, engine.dialect);
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
    expect(await store.findProject({ rowId: 1 })).toMatchObject({ rowId: 1, name: 'default', description: null });
    expect(await store.findProject({ name: 'other' })).toMatchObject({ rowId: 4 });
    expect(await store.findProject({ name: 'Other' })).toBeUndefined();
  });
});

describe('the browser of projects', () => {
  const WINDOW = { sort: 'id', order: 'asc', offset: 0, limit: 10 } as const;

  it('counts and windows what the filter leaves', async () => {
    expect(await browser.countProjects({})).toBe(4);
    expect(await browser.countProjects({ nameContains: 'strasse' })).toBe(2);
    const rows = await browser.browseProjects({ nameContains: 'strasse' }, { ...WINDOW, offset: 1, limit: 1 });
    expect(rows.map(({ rowId }) => rowId)).toEqual([3]);
  });

  it('sorts by name without regard to case', async () => {
    const rows = await browser.browseProjects({}, { ...WINDOW, sort: 'name', order: 'desc' });
    expect(rows.map(({ name }) => name)).toEqual(['STRASSE_ÄÖ', 'Straße 50%', 'other', 'default']);
  });

  it('sorts by the latest trace, projects without one last either way', async () => {
    for (const [index, projectId] of [3, 2].entries()) {
      const sums = { span_count: 0, error_count: 0, prompt_tokens: 0, completion_tokens: 0, cost_nanousd: 0 };
      const row = { id: index + 1, trace_id: String(index), project_id: projectId, start_us: index, end_us: 9 };
      await db
        .insertInto('traces')
        .values({ ...row, ...sums })
        .execute();
    }
    const ids = async (order: 'asc' | 'desc') =>
      (await browser.browseProjects({}, { ...WINDOW, sort: 'latest_trace', order })).map(({ rowId }) => rowId);
    expect(await ids('desc')).toEqual([2, 3, 4, 1]);
    expect(await ids('asc')).toEqual([3, 2, 1, 4]);
  });

  it('finds many at once, in the order asked for', async () => {
    const found = await browser.findProjects([3, 99, 1]);
    expect(found.map((project) => project?.name)).toEqual(['STRASSE_ÄÖ', undefined, 'default']);
  });
});
