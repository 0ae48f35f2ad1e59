/** The unmodified Phoenix client of npm, by its typed paths: annotation configs, and projects. */
import { createClient } from '@arizeai/phoenix-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness/server.ts';

let server: TestServer;
let client: ReturnType<typeof createClient>;

beforeAll(async () => {
  server = await startTestServer();
  client = createClient({ options: { baseUrl: server.url } });
});
afterAll(() => server[Symbol.asyncDispose]());

/** The answer's data, without its envelope. */
async function dataOf<Data>(answer: Promise<{ data?: { data: Data } }>): Promise<Data> {
  const { data } = await answer;
  if (data === undefined) throw new Error('the client gave no data');
  return data.data;
}

const choice = {
  type: 'CATEGORICAL' as const,
  name: 'tone / 50%',
  optimization_direction: 'MAXIMIZE' as const,
  values: [{ label: 'kind', score: 1 }, { label: 'rude' }],
};

describe('annotation configs', () => {
  it('are made, found by name and by id, replaced, offered by a project, and deleted', async () => {
    const made = await dataOf(client.POST('/v1/annotation_configs', { body: choice }));
    expect(made).toMatchObject({ name: 'tone / 50%', values: [{ score: 1 }, { score: null }] });
    for (const config_identifier of [made.id, made.name]) {
      const path = { config_identifier };
      expect(await dataOf(client.GET('/v1/annotation_configs/{config_identifier}', { params: { path } }))).toEqual(
        made,
      );
    }
    const project = { project_identifier: 'default' };
    const one = { params: { path: { ...project, config_identifier: made.name } } };
    await client.PUT('/v1/projects/{project_identifier}/annotation_configs/{config_identifier}', one);
    const list = () =>
      dataOf(client.GET('/v1/projects/{project_identifier}/annotation_configs', { params: { path: project } }));
    expect(await list()).toEqual([made]);
    const range = { type: 'CONTINUOUS' as const, name: 'tone', optimization_direction: 'NONE' as const };
    const replaced = await dataOf(
      client.PUT('/v1/annotation_configs/{config_id}', { params: { path: { config_id: made.id } }, body: range }),
    );
    expect(replaced).toMatchObject({ type: 'CONTINUOUS', name: 'tone', lower_bound: null });
    expect(await list()).toEqual([replaced]);
    await client.DELETE('/v1/projects/{project_identifier}/annotation_configs/{config_identifier}', {
      params: { path: { ...project, config_identifier: 'tone' } },
    });
    expect(await list()).toEqual([]);
    const set = await dataOf(
      client.PUT('/v1/projects/{project_identifier}/annotation_configs', {
        params: { path: project },
        body: { annotation_config_ids: [replaced.id] },
      }),
    );
    expect(set).toEqual([replaced]);
    const gone = { params: { path: { config_id: replaced.id } } };
    expect(await dataOf(client.DELETE('/v1/annotation_configs/{config_id}', gone))).toEqual(replaced);
    expect(await list()).toEqual([]);
  });

  it('are read page by page', async () => {
    for (const name of ['a', 'b', 'c']) await client.POST('/v1/annotation_configs', { body: { ...choice, name } });
    const names: string[] = [];
    let cursor: string | null = null;
    do {
      const { data }: { data?: { data: { name: string }[]; next_cursor: string | null } } = await client.GET(
        '/v1/annotation_configs',
        { params: { query: { limit: 1, cursor } } },
      );
      names.push(...(data?.data ?? []).map(({ name }) => name));
      cursor = data?.next_cursor ?? null;
    } while (cursor !== null);
    expect(names).toEqual(['c', 'b', 'a', 'user_feedback']);
  });

  it('are refused with the status that callers look for', async () => {
    const post = (body: typeof choice) => client.POST('/v1/annotation_configs', { body });
    await expect(post({ ...choice, name: 'note' })).rejects.toMatchObject({ status: 409 });
    await expect(post({ ...choice, name: 'user_feedback' })).rejects.toMatchObject({ status: 409 });
    await expect(post({ ...choice, name: 'x', values: [] })).rejects.toMatchObject({ status: 400 });
  });
});

it('projects are made, described, listed and deleted', async () => {
  const name = 'démo / 50%';
  const made = await dataOf(client.POST('/v1/projects', { body: { name, description: 'one' } }));
  expect(made).toEqual({ id: expect.any(String) as string, name, description: 'one' });
  const path = { project_identifier: name };
  const changed = await dataOf(
    client.PUT('/v1/projects/{project_identifier}', { params: { path }, body: { description: 'two' } }),
  );
  expect(changed).toEqual({ ...made, description: 'two' });
  const query = { name_contains: 'DÉMO / 50%' };
  expect(await dataOf(client.GET('/v1/projects', { params: { query } }))).toEqual([changed]);
  await expect(client.POST('/v1/projects', { body: { name } })).rejects.toMatchObject({ status: 409 });
  await client.DELETE('/v1/projects/{project_identifier}', { params: { path: { project_identifier: made.id } } });
  await expect(client.GET('/v1/projects/{project_identifier}', { params: { path } })).rejects.toMatchObject({
    status: 404,
  });
  const kept = { params: { path: { project_identifier: 'default' } } };
  await expect(client.DELETE('/v1/projects/{project_identifier}', kept)).rejects.toMatchObject({ status: 403 });
});
