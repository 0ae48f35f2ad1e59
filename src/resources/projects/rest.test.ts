import type { FastifyInstance } from 'fastify';
import { beforeAll, expect, it } from 'vitest';
import { appOf } from '#api/rest/app.fixture';
import { formatGlobalId } from '#base/global-id';
import { openTestEngine } from '#store/engine/open-test-engine.fixture';
import { newProjectRow } from '#store/projects/new-project-row';
import { projectRoutes } from './rest.ts';

const NAME = 'démo / 50%';
let app: FastifyInstance;
let rowId: number;

beforeAll(async () => {
  const engine = await openTestEngine();
  const row = engine.db.insertInto('projects').values(newProjectRow(NAME)).returning('id');
  rowId = (await row.executeTakeFirstOrThrow()).id;
  app = appOf(projectRoutes({ read: () => engine }));
});

const wire = () => ({ id: formatGlobalId('Project', rowId), name: NAME, description: null });
const DEFAULT = { id: formatGlobalId('Project', 1), name: 'default', description: null };

it('lists a page, its cursor present also on the last one', async () => {
  expect((await app.inject('/v1/projects')).json()).toEqual({ data: [wire(), DEFAULT], next_cursor: null });
});

it('goes from page to page', async () => {
  const first = (await app.inject('/v1/projects?limit=1')).json<{ readonly next_cursor: string }>();
  expect(first).toMatchObject({ data: [wire()], next_cursor: expect.any(String) });
  const second = await app.inject(`/v1/projects?limit=1&cursor=${encodeURIComponent(first.next_cursor)}`);
  expect(second.json()).toEqual({ data: [DEFAULT], next_cursor: null });
});

it('narrows by a part of the name, and an empty part does not', async () => {
  const names = async (query: string) =>
    (await app.inject(`/v1/projects?${query}`)).json<{ data: { name: string }[] }>().data.map(({ name }) => name);
  expect(await names('name_contains=50%25&include_experiment_projects=true')).toEqual([NAME]);
  expect(await names('name_contains=')).toEqual([NAME, 'default']);
});

it.each(['limit=0', 'limit=10001', 'limit=x', 'include_experiment_projects=perhaps'])('refuses %s', async (query) => {
  const response = await app.inject(`/v1/projects?${query}`);
  expect(response.statusCode).toBe(422);
  expect(response.json()).toMatchObject({ detail: [{ loc: ['query', query.split('=')[0]] }] });
});

it('answers a cursor of another list with 422 and a text', async () => {
  const response = await app.inject('/v1/projects?cursor=x');
  expect([response.statusCode, response.body]).toEqual([422, expect.stringContaining('cursor')]);
});

it('gets a project by its name and by its id', async () => {
  for (const identifier of [NAME, formatGlobalId('Project', rowId)]) {
    const response = await app.inject(`/v1/projects/${encodeURIComponent(identifier)}`);
    expect(response.json()).toEqual({ data: wire() });
  }
});

it.each(['unknown', formatGlobalId('Project', 99), formatGlobalId('Trace', 1)])(
  'knows no project %s',
  async (identifier) => {
    const response = await app.inject(`/v1/projects/${identifier}`);
    expect([response.statusCode, response.body]).toEqual([404, `There is no project ${identifier}.`]);
  },
);
