import type { FastifyInstance } from 'fastify';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appOf } from '#api/rest/app.fixture';
import { formatGlobalId } from '#base/global-id';
import { remoteCommands } from '#store/commands/remote-commands';
import { runCommandsOn } from '#store/commands/run-commands.fixture';
import { openTestEngine } from '#store/engine/open-test-engine.fixture';
import type { TestEngine } from '#store/engine/test-engine.fixture';
import { newProjectRow } from '#store/projects/new-project-row';
import { type AnnotationConfigCommands, annotationConfigCommands } from './commands.ts';
import { annotationConfigPolicy } from './policy.ts';
import { annotationConfigRoutes } from './rest.ts';

const CONFIGS = '/v1/annotation_configs';
const CHOICE = {
  type: 'CATEGORICAL',
  name: 'tone',
  description: 'How it sounds',
  optimization_direction: 'MAXIMIZE',
  values: [{ label: 'kind', score: 1 }, { label: 'rude' }],
};
const RANGE = { type: 'CONTINUOUS', name: 'length', optimization_direction: 'MINIMIZE', lower_bound: 0 };
const FREEFORM = { type: 'FREEFORM', name: 'remarks' };

let engine: TestEngine;
let app: FastifyInstance;
let projectRowId: number;

interface Config {
  readonly id: string;
  readonly name: string;
}

beforeAll(async () => {
  engine = await openTestEngine();
  const row = engine.db.insertInto('projects').values(newProjectRow('a shop / 50%')).returning('id');
  projectRowId = (await row.executeTakeFirstOrThrow()).id;
  const commands = remoteCommands<AnnotationConfigCommands>(
    annotationConfigPolicy,
    runCommandsOn(engine, [annotationConfigCommands]),
  );
  app = appOf(annotationConfigRoutes({ read: () => engine }, commands));
});

beforeEach(() => engine.exec(`DELETE FROM annotation_configs WHERE name <> 'user_feedback'`));

async function ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) {
  const { statusCode, body, headers } = await app.inject({ method, url: path, ...(payload && { payload }) });
  const isJson = String(headers['content-type']).startsWith('application/json');
  return [
    statusCode,
    isJson ? (JSON.parse(body) as { data?: unknown; detail?: unknown; next_cursor?: unknown }) : body,
  ];
}

async function create(config: object): Promise<Config> {
  const [status, body] = await ask('POST', CONFIGS, config);
  expect(status, JSON.stringify(body)).toBe(200);
  return (body as { data: Config }).data;
}

const names = async (path: string) => {
  const [, body] = await ask('GET', path);
  return (body as { data: readonly Config[] }).data.map(({ name }) => name);
};

describe('configs', () => {
  it('come back whole, with nulls, and are got by id and by name', async () => {
    const choice = await create(CHOICE);
    expect(choice).toEqual({
      ...CHOICE,
      id: expect.any(String),
      is_strict: false,
      values: [
        { label: 'kind', score: 1 },
        { label: 'rude', score: null },
      ],
    });
    expect(Buffer.from(choice.id, 'base64').toString()).toMatch(/^CategoricalAnnotationConfig:\d+$/);
    expect(await create({ ...RANGE, is_strict: true })).toEqual({
      ...RANGE,
      id: expect.any(String),
      description: null,
      upper_bound: null,
      is_strict: true,
    });
    expect(await create(FREEFORM)).toEqual({
      ...FREEFORM,
      id: expect.any(String),
      description: null,
      optimization_direction: null,
      threshold: null,
      lower_bound: null,
      upper_bound: null,
      is_strict: false,
    });
    for (const identifier of [choice.id, encodeURIComponent(choice.id), 'tone']) {
      expect(await ask('GET', `${CONFIGS}/${identifier}`)).toEqual([200, { data: choice }]);
    }
    const gone = formatGlobalId('CategoricalAnnotationConfig', 99_999);
    for (const identifier of ['unknown', gone, formatGlobalId('Project', 1)]) {
      expect(await ask('GET', `${CONFIGS}/${identifier}`)).toEqual([
        404,
        `There is no annotation config ${identifier}.`,
      ]);
    }
  });

  it('are listed newest first, from the row that the cursor names on', async () => {
    for (const name of ['one', 'two', 'three']) await create({ ...RANGE, name });
    const [, page] = await ask('GET', `${CONFIGS}?limit=2`);
    const { data, next_cursor: cursor } = page as { data: readonly Config[]; next_cursor: string };
    expect(data.map(({ name }) => name)).toEqual(['three', 'two']);
    const [, one] = await ask('GET', `${CONFIGS}/one`);
    expect(cursor).toBe((one as { data: Config }).data.id);
    expect(await names(`${CONFIGS}?limit=2&cursor=${encodeURIComponent(cursor)}`)).toEqual(['one', 'user_feedback']);
    const [, all] = await ask('GET', CONFIGS);
    expect(all).toMatchObject({ next_cursor: null });
    for (const bad of ['x', formatGlobalId('Project', 1), '']) {
      expect(await ask('GET', `${CONFIGS}?cursor=${bad}`)).toEqual([400, expect.stringContaining('cursor')]);
    }
    expect((await ask('GET', `${CONFIGS}?limit=0`))[0]).toBe(422);
  });

  it.each<[number, string, object, RegExp]>([
    [409, 'the name of notes', { ...RANGE, name: 'note' }, /reserved/],
    [409, 'a name that is taken', { ...RANGE, name: 'user_feedback' }, /already exists/],
    [400, 'no values', { ...CHOICE, values: [] }, /at least one label/],
    [400, 'an empty label', { ...CHOICE, values: [{ label: '' }] }, /cannot be empty/],
    [400, 'a label twice', { ...CHOICE, values: [{ label: 'a' }, { label: 'a', score: 1 }] }, /occurs twice/],
    [400, 'equal bounds', { ...RANGE, upper_bound: 0 }, /upper bound/],
    [400, 'crossed bounds', { ...FREEFORM, lower_bound: 2, upper_bound: 1 }, /upper bound/],
  ])('are refused with %i for %s, by POST and by PUT', async (status, _what, body, message) => {
    const { id } = await create({ ...CHOICE, name: 'there' });
    expect(await ask('POST', CONFIGS, body)).toEqual([status, expect.stringMatching(message)]);
    expect(await ask('PUT', `${CONFIGS}/${id}`, body)).toEqual([status, expect.stringMatching(message)]);
    expect(await names(CONFIGS)).toEqual(['there', 'user_feedback']);
  });

  it.each<[string, object]>([
    ['another type', { ...RANGE, type: 'OTHER' }],
    ['no type', { name: 'a', optimization_direction: 'NONE' }],
    ['no direction', { type: 'CONTINUOUS', name: 'a' }],
    ['another direction', { ...RANGE, optimization_direction: 'UP' }],
    ['no values', { ...CHOICE, values: undefined }],
    ['a text as a bound', { ...RANGE, lower_bound: '0' }],
    ['a number as a name', { ...RANGE, name: 1 }],
    ['a text as strictness', { ...RANGE, is_strict: 'yes' }],
  ])('are refused with 422 and JSON for %s', async (_what, body) => {
    expect(await ask('POST', CONFIGS, body)).toEqual([422, { detail: expect.any(Array) }]);
  });

  it('are replaced whole; another kind has another id, and the one before finds it still', async () => {
    const { id } = await create(CHOICE);
    const [status, body] = await ask('PUT', `${CONFIGS}/${id}`, { ...FREEFORM, threshold: 0 });
    const { data } = body as { data: Config };
    expect([status, data]).toMatchObject([200, { ...FREEFORM, description: null, threshold: 0 }]);
    expect(Buffer.from(data.id, 'base64').toString()).toMatch(/^FreeformAnnotationConfig:/);
    expect(await ask('GET', `${CONFIGS}/${id}`)).toEqual([200, { data }]);
    expect((await ask('GET', `${CONFIGS}/tone`))[0]).toBe(404);
  });

  it('are deleted, and told once more', async () => {
    const config = await create(CHOICE);
    expect(await ask('DELETE', `${CONFIGS}/${config.id}`)).toEqual([200, { data: config }]);
    expect((await ask('DELETE', `${CONFIGS}/${config.id}`))[0]).toBe(404);
  });

  it.each<[number, string, string]>([
    [422, 'no id', 'tone'],
    [422, 'an id without a number', Buffer.from('FreeformAnnotationConfig:x').toString('base64')],
    [400, 'the id of something else', formatGlobalId('Project', 1)],
    [404, 'one that is not there', formatGlobalId('FreeformAnnotationConfig', 99_999)],
  ])('are changed by their ids alone: %i for %s', async (status, _what, id) => {
    await create(CHOICE);
    expect((await ask('PUT', `${CONFIGS}/${id}`, FREEFORM))[0]).toBe(status);
    expect((await ask('DELETE', `${CONFIGS}/${id}`))[0]).toBe(status);
    expect(await names(CONFIGS)).toEqual(['tone', 'user_feedback']);
  });
});

describe('what a project offers', () => {
  const path = `/v1/projects/${encodeURIComponent('a shop / 50%')}/annotation_configs`;
  const byId = () => `/v1/projects/${formatGlobalId('Project', projectRowId)}/annotation_configs`;

  it('is added and removed one by one, as often as somebody likes', async () => {
    const config = await create(CHOICE);
    for (const one of [`${path}/tone`, `${byId()}/${config.id}`]) {
      expect(await ask('PUT', one)).toEqual([200, { data: config }]);
      expect(await ask('GET', path)).toEqual([200, { data: [config], next_cursor: null }]);
    }
    for (const one of [`${path}/${config.id}`, `${byId()}/tone`]) {
      expect((await ask('DELETE', one))[0]).toBe(204);
      expect(await names(byId())).toEqual([]);
    }
    expect(await names(CONFIGS)).toContain('tone');
  });

  it('is replaced as a set, and listed in pages', async () => {
    const ids: string[] = [];
    for (const name of ['one', 'two', 'three']) ids.push((await create({ ...RANGE, name })).id);
    const [status, body] = await ask('PUT', path, { annotation_config_ids: ids });
    const { data, next_cursor: none } = body as { data: readonly Config[]; next_cursor: unknown };
    expect([status, data.map(({ name }) => name), none]).toEqual([200, ['three', 'two', 'one'], null]);
    const [, page] = await ask('GET', `${path}?limit=2`);
    expect(page).toMatchObject({ data: [{ name: 'three' }, { name: 'two' }], next_cursor: ids[0] });
    expect(await names(`${path}?cursor=${encodeURIComponent(ids[0] ?? '')}`)).toEqual(['one']);
    expect(await ask('GET', `${path}?cursor=x`)).toEqual([400, expect.stringContaining('cursor')]);
    const unknown = formatGlobalId('FreeformAnnotationConfig', 99_999);
    for (const bad of ['x', formatGlobalId('Project', 1), unknown]) {
      expect((await ask('PUT', path, { annotation_config_ids: [ids[0], bad] }))[0], bad).toBe(422);
    }
    expect((await ask('PUT', path, {}))[0]).toBe(422);
    expect(await names(path)).toHaveLength(3);
    expect(await ask('PUT', path, { annotation_config_ids: [] })).toEqual([200, { data: [], next_cursor: null }]);
    expect(await names(path)).toEqual([]);
  });

  it('is found for projects and configs that are there', async () => {
    await create(CHOICE);
    const nowhere = '/v1/projects/none/annotation_configs';
    expect(await ask('GET', nowhere)).toEqual([404, 'There is no project none.']);
    expect(await ask('PUT', nowhere, { annotation_config_ids: [] })).toEqual([404, 'There is no project none.']);
    for (const method of ['PUT', 'DELETE'] as const) {
      expect(await ask(method, `${nowhere}/tone`)).toEqual([404, 'There is no project none.']);
      expect(await ask(method, `${path}/unknown`)).toEqual([404, 'There is no annotation config unknown.']);
    }
  });
});
