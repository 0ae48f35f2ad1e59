/** Projects over GraphQL: what is said of them, and what can be done to them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askGraphql, queryGraphql } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, TEST_START_US, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

const SECOND_US = 1_000_000;

interface Named {
  readonly id: string;
  readonly name: string;
}

let server: TestServer;
let traces = 0;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server[Symbol.asyncDispose]());

function ask<Data>(query: string, variables: Record<string, unknown> = {}): Promise<Data> {
  return queryGraphql<Data>(server.url, query, variables);
}

async function createProject(input: object): Promise<Record<string, unknown>> {
  const query = `mutation($input: CreateProjectInput!) { createProject(input: $input) {
    project { id name description gradientStartColor gradientEndColor createdAt updatedAt } query { projectCount } } }`;
  const { data, errors } = await askGraphql<{ createProject: Record<string, unknown> }>(server.url, query, { input });
  return data?.createProject ?? { error: errors?.[0]?.message, code: errors?.[0]?.extensions?.code };
}

/** Sends traces of one span each: when they start, and for how long they last, in seconds. */
async function sendTraces(
  project: string,
  times: readonly (readonly [startS: number, seconds: number])[],
): Promise<void> {
  const spans = times.map(([startS, seconds], index) => ({
    traceId: traceId(++traces),
    spanId: spanId(traces),
    startUs: TEST_START_US + startS * SECOND_US,
    endUs: TEST_START_US + (startS + seconds) * SECOND_US,
    attributes: {
      'session.id': `session ${index % 2}`,
      'openinference.span.kind': 'LLM',
      'llm.token_count.prompt': 10,
      'llm.token_count.completion': 1,
    },
  }));
  await exportAll(server.url, traceRequest(spans), { 'x-project-name': project });
}

describe('a project', () => {
  it('is created with a trimmed name, and counted in the same answer', async () => {
    const { projectCount } = await ask<{ projectCount: number }>('{ projectCount }');
    const created = await createProject({ name: '  new one ', description: ' ' });
    expect(created).toMatchObject({
      project: { name: 'new one', description: null, gradientStartColor: expect.stringMatching(/^#[0-9a-f]{6}$/) },
      query: { projectCount: projectCount + 1 },
    });
  });

  it.each([
    [{ name: 'default' }, 'already_exists'],
    [{ name: ' ' }, 'invalid_argument'],
    [{ name: 'x'.repeat(1025) }, 'invalid_argument'],
    [{ name: 'a\u0000b' }, 'invalid_argument'],
    [{ name: 'a\nb' }, 'invalid_argument'],
    [{ name: 'pay\u202epal' }, 'invalid_argument'],
    [{ name: 'pay\u2066pal' }, 'invalid_argument'],
    [{ name: 'half \ud83d' }, 'invalid_argument'],
    [{ name: '\u200b' }, 'invalid_argument'],
    [{ name: 'x', gradientStartColor: 'red; background: url(x)' }, 'invalid_argument'],
    [{ name: 'x', description: 'x'.repeat(10_001) }, 'invalid_argument'],
    [{ name: 'x', description: 'a\u0000b' }, 'invalid_argument'],
    [{ name: 'x', description: 'pay\u202epal' }, 'invalid_argument'],
  ])('that is refused is not created: %o', async (input, code) => {
    expect(await createProject(input)).toMatchObject({ code });
  });

  it.each(['日本語', 'مشروع', 'famille 👩‍👩‍👧', "it's 50 <b>off</b>"])('may be called %s', async (name) => {
    expect(await createProject({ name })).toMatchObject({ project: { name } });
  });

  it('is described in several lines', async () => {
    const description = 'The first line\n\n\tthe last';
    expect(await createProject({ name: 'described', description })).toMatchObject({ project: { description } });
  });

  it('that is refused for a character says for which', async () => {
    expect(await createProject({ name: 'pay\u202epal' })).toMatchObject({ error: expect.stringContaining('U+202E') });
  });

  it('keeps the name that telemetry gives it', async () => {
    const name = 'a\nb\u202ec';
    const span = { traceId: traceId(++traces), spanId: spanId(traces) };
    await exportAll(server.url, traceRequest([span], { 'openinference.project.name': name }));
    const query = 'query($name: String!) { getProjectByName(name: $name) { name } }';
    expect(await ask(query, { name })).toEqual({ getProjectByName: { name } });
  });

  it('gets another description and other colours, and keeps what is not named', async () => {
    const { project } = (await createProject({ name: 'patched', description: 'old', gradientEndColor: '#010203' })) as {
      project: Named;
    };
    const query = `mutation($input: PatchProjectInput!) { patchProject(input: $input) {
      project { description gradientStartColor gradientEndColor } query { node(id: "${project.id}") { ... on Project { description } } } } }`;
    const patch = (input: object) => askGraphql(server.url, query, { input });
    expect(await patch({ id: project.id, gradientStartColor: '#0A0B0C' })).toEqual({
      data: {
        patchProject: {
          project: { description: 'old', gradientStartColor: '#0A0B0C', gradientEndColor: '#010203' },
          query: { node: { description: 'old' } },
        },
      },
    });
    expect(await patch({ id: project.id, description: '' })).toMatchObject({
      data: { patchProject: { project: { description: null } } },
    });
    expect(await patch({ id: btoa('Project:99') })).toMatchObject({ errors: [{ extensions: { code: 'not_found' } }] });
    expect(await patch({ id: btoa('Trace:1') })).toMatchObject({
      errors: [{ extensions: { code: 'invalid_argument' } }],
    });
  });

  it('opens with the tab that was chosen, until none is', async () => {
    const { project } = (await createProject({ name: 'tabbed', defaultTab: 'metrics' })) as { project: Named };
    const read = () => ask(`{ getProjectByName(name: "tabbed") { defaultTab } }`);
    expect(await read()).toEqual({ getProjectByName: { defaultTab: 'metrics' } });
    const patch = (input: string) =>
      askGraphql(server.url, `mutation { patchProject(input: { id: "${project.id}", ${input} }) { project { id } } }`);
    await patch('defaultTab: spans');
    await patch('description: "kept"');
    expect(await read()).toEqual({ getProjectByName: { defaultTab: 'spans' } });
    await patch('defaultTab: null');
    expect(await read()).toEqual({ getProjectByName: { defaultTab: null } });
    expect(await patch('defaultTab: config')).toMatchObject({
      errors: [{ message: expect.stringContaining('config') }],
    });
  });

  it('without traces says so', async () => {
    await createProject({ name: 'empty' });
    const query = `{ getProjectByName(name: "empty") { hasTraces startTime endTime recordCount traceCount sessionCount
      tokenCountTotal latencyMsQuantile(probability: 0.5) spanLatencyMsQuantile(probability: 0.5) streamingLastUpdatedAt } }`;
    expect(await ask(query)).toEqual({
      getProjectByName: {
        hasTraces: false,
        startTime: null,
        endTime: null,
        recordCount: 0,
        traceCount: 0,
        sessionCount: 0,
        tokenCountTotal: 0,
        latencyMsQuantile: null,
        spanLatencyMsQuantile: null,
        streamingLastUpdatedAt: expect.any(String) as string,
      },
    });
  });

  it('sums what started in a range', async () => {
    await sendTraces('summed', [
      [0, 1],
      [10, 2],
      [20, 4],
    ]);
    const fields = `recordCount(timeRange: $r) traceCount(timeRange: $r) sessionCount(timeRange: $r)
      tokenCountPrompt(timeRange: $r) tokenCountCompletion(timeRange: $r) tokenCountTotal(timeRange: $r)
      p50: latencyMsQuantile(probability: 0.5, timeRange: $r) p100: spanLatencyMsQuantile(probability: 1, timeRange: $r)`;
    const query = `query($r: TimeRange) { project: getProjectByName(name: "summed") { hasTraces startTime endTime ${fields} } }`;
    expect(await ask(query)).toEqual({
      project: {
        hasTraces: true,
        startTime: '2026-01-01T00:00:00+00:00',
        endTime: '2026-01-01T00:01:00+00:00',
        recordCount: 3,
        traceCount: 3,
        sessionCount: 2,
        tokenCountPrompt: 30,
        tokenCountCompletion: 3,
        tokenCountTotal: 33,
        p50: 2000,
        p100: 4000,
      },
    });
    const r = { start: '2026-01-01T00:00:10Z', end: '2026-01-01T00:00:20Z' };
    expect(await ask(query, { r })).toMatchObject({
      project: { recordCount: 1, traceCount: 1, tokenCountTotal: 11, p50: 2000, p100: 2000 },
    });
    expect(await askGraphql(server.url, query.replace('probability: 0.5', 'probability: 2'))).toMatchObject({
      errors: [{ extensions: { code: 'invalid_argument' } }],
    });
  });

  it('moves its mark forward when spans arrive', async () => {
    const query = '{ projectsLastUpdatedAt getProjectByName(name: "marked") { streamingLastUpdatedAt } }';
    const read = async () => {
      const { projectsLastUpdatedAt, getProjectByName } = await ask<{
        projectsLastUpdatedAt: string;
        getProjectByName: { streamingLastUpdatedAt: string } | null;
      }>(query);
      return [projectsLastUpdatedAt, getProjectByName?.streamingLastUpdatedAt ?? ''];
    };
    await sendTraces('marked', [[0, 1]]);
    const [all = '', marked = ''] = await read();
    await sendTraces('marked!', [[0, 1]]);
    const [later = '', same = ''] = await read();
    expect([later > all, same]).toEqual([true, marked]);
    await sendTraces('marked', [[0, 3]]);
    expect((await read())[1]?.localeCompare(marked)).toBe(1);
  });
});

describe('the list of projects', () => {
  const names = async (args: string) => {
    const { projects } = await ask<{ projects: { edges: { node: Named }[] } }>(
      `{ projects(${args}) { edges { node { id name } } } }`,
    );
    return projects.edges.map(({ node }) => node.name);
  };

  it('is sorted by name or by the latest trace, and narrowed by a part of the name', async () => {
    await sendTraces('list a', [[500, 1]]);
    await sendTraces('LIST bb', [[900, 1]]);
    await sendTraces('list ccc', [[700, 1]]);
    const filter = 'filter: { col: name, value: "list " }';
    expect(await names(`${filter}, sort: { col: name, dir: desc }`)).toEqual(['list ccc', 'LIST bb', 'list a']);
    expect(await names(`${filter}, sort: { col: endTime, dir: desc }`)).toEqual(['LIST bb', 'list ccc', 'list a']);
    expect(await names(`${filter}, first: 1`)).toEqual(['list a']);
    expect(await names(`${filter}, last: 1`)).toEqual(['list ccc']);
    expect(await names('filter: { col: name, value: "%" }')).toEqual([]);
  });

  it('is read page by page to its end', async () => {
    const all = await names('first: 1000');
    const read: string[] = [];
    let after: string | null = null;
    do {
      const {
        projects,
      }: { projects: { edges: { node: Named }[]; pageInfo: { endCursor: string; hasNextPage: boolean } } } = await ask(
        'query($after: String) { projects(first: 2, after: $after) { edges { node { id name } } pageInfo { endCursor hasNextPage } } }',
        { after },
      );
      read.push(...projects.edges.map(({ node }) => node.name));
      after = projects.pageInfo.hasNextPage ? projects.pageInfo.endCursor : null;
    } while (after !== null);
    expect(read).toEqual(all);
  });
});
