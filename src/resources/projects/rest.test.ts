import type { FastifyInstance } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { appOf } from '#api/rest/app.fixture';
import { formatGlobalId } from '#base/global-id';
import { remoteCommands } from '#store/commands/remote-commands';
import { runCommandsOn } from '#store/commands/run-commands.fixture';
import { openTestEngine } from '#store/engine/open-test-engine.fixture';
import { newProjectRow } from '#store/projects/new-project-row';
import { type ProjectCommands, projectCommands } from './commands.ts';
import { projectPolicy } from './policy.ts';
import { projectRoutes } from './rest.ts';

const NAME = 'démo / 50%';
let app: FastifyInstance;
let rowId: number;

beforeAll(async () => {
  const engine = await openTestEngine();
  const row = engine.db.insertInto('projects').values(newProjectRow(NAME)).returning('id');
  rowId = (await row.executeTakeFirstOrThrow()).id;
  const commands = remoteCommands<ProjectCommands>(projectPolicy, runCommandsOn(engine, [projectCommands]));
  app = appOf(projectRoutes({ read: () => engine }, commands));
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

describe('a project', () => {
  const ask = async (method: 'POST' | 'PUT', path: string, body: object) => {
    const { statusCode, body: text } = await app.inject({ method, url: `/v1/projects${path}`, payload: body });
    return [statusCode, statusCode === 200 ? JSON.parse(text).data : text];
  };

  it('is created under a name that no other has', async () => {
    const [status, created] = await ask('POST', '', { name: ' fresh ', description: 'why' });
    expect([status, created]).toEqual([200, { id: created.id, name: 'fresh', description: 'why' }]);
    expect((await app.inject('/v1/projects/fresh')).json()).toEqual({ data: created });
    expect(await ask('POST', '', { name: 'fresh' })).toEqual([409, 'A project named fresh already exists.']);
    expect(await ask('POST', '', { name: '  ' })).toEqual([422, 'A project needs a name.']);
    for (const body of [{}, { name: '' }, { name: 1 }, { name: 'x', description: 1 }]) {
      expect((await ask('POST', '', body))[0], JSON.stringify(body)).toBe(422);
    }
  });

  it('has its description changed, and its name never', async () => {
    await ask('POST', '', { name: 'described' });
    const changed = { name: 'described', description: 'new' };
    expect(await ask('PUT', '/described', { description: 'new', name: 'other' })).toMatchObject([200, changed]);
    for (const body of [{}, { description: null }]) {
      expect(await ask('PUT', '/described', body)).toMatchObject([200, changed]);
    }
    expect(await ask('PUT', '/unknown', { description: 'x' })).toEqual([404, 'There is no project unknown.']);
    expect((await ask('PUT', '/described', { description: 'x'.repeat(10_001) }))[0]).toBe(422);
  });
});
