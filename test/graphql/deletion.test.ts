/** Deleting, moving and keeping over GraphQL and REST, on a whole server, also of what is being sent meanwhile. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatGlobalId } from '#base/global-id';
import { askGraphql, queryGraphql } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, TEST_START_US, traceId, traceRequest } from '../harness/otlp-json.ts';
import { getAll, getJson } from '../harness/rest.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ DEFAULT_RETENTION_POLICY_DAYS: '0' });
});

afterAll(() => server[Symbol.asyncDispose]());

/** Sends traces of one span, a second apart; returns the id of their project. */
async function send(project: string, numbers: readonly number[]): Promise<string> {
  const spans = numbers.map((number) => ({
    traceId: traceId(number),
    spanId: spanId(number),
    startUs: TEST_START_US + number * 1_000_000,
    attributes: { 'session.id': `session ${number % 2}`, 'input.value': `words of ${number}` },
  }));
  await exportAll(server.url, traceRequest(spans), { 'x-project-name': project });
  return (await read(project))?.id ?? '';
}

interface ProjectState {
  readonly id: string;
  readonly recordCount: number;
  readonly traceCount: number;
  readonly sessionCount: number;
  readonly spans: { readonly edges: readonly { readonly node: { readonly spanId: string } }[] };
}

const STATE = `id recordCount traceCount sessionCount
  spans(first: 100, sort: { col: startTime, dir: asc }) { edges { node { spanId } } }`;

async function read(name: string): Promise<ProjectState | null> {
  const query = `query($name: String!) { getProjectByName(name: $name) { ${STATE} } }`;
  return (await queryGraphql<{ getProjectByName: ProjectState | null }>(server.url, query, { name })).getProjectByName;
}

const spansOf = (state: ProjectState | null) => state?.spans.edges.map(({ node }) => node.spanId);

/** Ids of traces by their hexadecimal ids. */
async function idsOf(numbers: readonly number[]): Promise<readonly string[]> {
  const fields = numbers.map((number) => `t${number}: getTraceByOtelId(traceId: "${traceId(number)}") { id }`);
  const traces = await queryGraphql<Record<string, { id: string }>>(server.url, `{ ${fields.join(' ')} }`);
  return Object.values(traces).map(({ id }) => id);
}

it('takes traces away, and answers with what is left', async () => {
  await send('app', [1, 2, 3, 4]);
  const query = `mutation($ids: [ID!]!) { deleteTraces(traceIds: $ids) { getProjectByName(name: "app") { ${STATE} } } }`;
  const ids = await idsOf([1, 2, 3]);
  const { deleteTraces } = await queryGraphql<{ deleteTraces: { getProjectByName: ProjectState } }>(server.url, query, {
    ids: ids.slice(0, 2),
  });
  expect(deleteTraces.getProjectByName).toMatchObject({ recordCount: 2, traceCount: 2, sessionCount: 2 });
  expect(spansOf(deleteTraces.getProjectByName)).toEqual([3, 4].map(spanId));
  const { errors } = await askGraphql(server.url, query, { ids });
  expect(errors?.[0]?.message).toBe('Some of these traces do not exist.');
  expect(spansOf(await read('app'))).toEqual([3, 4].map(spanId));
  const { data } = await askGraphql(server.url, 'query($id: ID!) { node(id: $id) { id } }', { id: ids[0] });
  expect(data).toBeNull();
});

it('moves traces, and shows them where they are now', async () => {
  await send('from', [11, 12]);
  const to = await send('to', [13]);
  const query =
    'mutation($ids: [ID!]!, $to: ID!) { transferTracesToProject(traceIds: $ids, projectId: $to) { __typename } }';
  await queryGraphql(server.url, query, { ids: await idsOf([11]), to });
  expect(spansOf(await read('from'))).toEqual([spanId(12)]);
  expect(spansOf(await read('to'))).toEqual([11, 13].map(spanId));
  expect(await read('to')).toMatchObject({ recordCount: 2, sessionCount: 1 });
  const { errors } = await askGraphql(server.url, query, { ids: await idsOf([12, 13]), to });
  expect(errors?.[0]?.message).toContain('several projects');
});

it('clears a project up to a time or whole, and deletes it', async () => {
  const id = await send('busy', [21, 22, 23]);
  const clear = 'mutation($input: ClearProjectInput!) { clearProject(input: $input) { __typename } }';
  await queryGraphql(server.url, clear, { input: { id, endTime: '2026-01-01T00:00:22.000001+00:00' } });
  expect(spansOf(await read('busy'))).toEqual([spanId(23)]);
  await queryGraphql(server.url, clear, { input: { id } });
  expect(await read('busy')).toMatchObject({ id, recordCount: 0, traceCount: 0, sessionCount: 0 });
  const remove = 'mutation($id: ID!) { deleteProject(id: $id) { getProjectByName(name: "busy") { id } } }';
  expect(await queryGraphql(server.url, remove, { id })).toEqual({ deleteProject: { getProjectByName: null } });
  const again = await send('busy', [21]);
  expect(again).not.toBe(id);
  expect(spansOf(await read('busy'))).toEqual([spanId(21)]);
  const { errors } = await askGraphql(server.url, remove, { id: (await read('default'))?.id });
  expect(errors?.[0]?.message).toContain('default cannot be deleted');
});

const POLICY = `id name cronExpression rule { __typename
  ... on TraceRetentionRuleMaxDays { maxDays } ... on TraceRetentionRuleMaxCount { maxCount }
  ... on TraceRetentionRuleMaxDaysOrCount { maxDays maxCount } }
  projects { edges { node { name } } } deletions { traceCount }`;

it('keeps policies, and gives them to projects over GraphQL and REST', async () => {
  const id = await send('kept', [31]);
  const create = `mutation($input: CreateProjectTraceRetentionPolicyInput!) {
    createProjectTraceRetentionPolicy(input: $input) { node { ${POLICY} } } }`;
  const input = {
    name: 'short',
    cronExpression: '0 3 * * 1-5',
    rule: { maxDays: { maxDays: 7.5 } },
    addProjects: [id],
  };
  type Created = { createProjectTraceRetentionPolicy: { node: { id: string } } };
  const created = await queryGraphql<Created>(server.url, create, { input });
  const { node } = created.createProjectTraceRetentionPolicy;
  expect(node).toMatchObject({
    name: 'short',
    cronExpression: '0 3 * * 1-5',
    rule: { __typename: 'TraceRetentionRuleMaxDays', maxDays: 7.5 },
    projects: { edges: [{ node: { name: 'kept' } }] },
    deletions: [],
  });
  const policyOf = async () => {
    const query = 'query($id: ID!) { node(id: $id) { ... on Project { traceRetentionPolicy { name } } } }';
    return (await queryGraphql<{ node: { traceRetentionPolicy: { name: string } } }>(server.url, query, { id })).node;
  };
  expect(await policyOf()).toEqual({ traceRetentionPolicy: { name: 'short' } });
  const patch = async (body: unknown, project = 'kept') => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'PATCH', headers, body: JSON.stringify(body) };
    const response = await fetch(`${server.url}/v1/projects/${project}/retention`, init);
    return [response.status, await response.text()] as const;
  };
  const [status, body] = await patch({ policy_id: null });
  expect([status, JSON.parse(body)]).toEqual([200, { data: { project_id: id, policy_id: null } }]);
  expect(await policyOf()).toEqual({ traceRetentionPolicy: { name: 'Default' } });
  expect(JSON.parse((await patch({ policy_id: node.id }))[1])).toEqual({
    data: { project_id: id, policy_id: node.id },
  });
  const byDefaultId = await patch({ policy_id: formatGlobalId('ProjectTraceRetentionPolicy', 0) });
  expect(JSON.parse(byDefaultId[1])).toEqual({ data: { project_id: id, policy_id: null } });
  expect((await patch({}))[0]).toBe(422);
  expect((await patch({ policy_id: id }))[0]).toBe(422);
  expect((await patch({ policy_id: node.id }, 'none'))[0]).toBe(404);
  expect((await patch({ policy_id: formatGlobalId('ProjectTraceRetentionPolicy', 99) }))[0]).toBe(404);
});

it('refuses policies that make no sense', async () => {
  const create = `mutation($input: CreateProjectTraceRetentionPolicyInput!) {
    createProjectTraceRetentionPolicy(input: $input) { node { id } } }`;
  const patch = `mutation($input: PatchProjectTraceRetentionPolicyInput!) {
    patchProjectTraceRetentionPolicy(input: $input) { node { ${POLICY} } } }`;
  const remove = `mutation($input: DeleteProjectTraceRetentionPolicyInput!) {
    deleteProjectTraceRetentionPolicy(input: $input) { node { name } } }`;
  const fine = { name: 'fine', cronExpression: '0 3 * * *', rule: { maxCount: { maxCount: 5 } } };
  const failure = async (query: string, input: object) =>
    (await askGraphql(server.url, query, { input })).errors?.[0]?.message ?? 'nothing';
  expect(await failure(create, { ...fine, cronExpression: '5 3 * * *' })).toContain('whose minute is 0');
  expect(await failure(create, { ...fine, name: ' ' })).toContain('needs a name');
  expect(await failure(create, { ...fine, rule: { maxDays: { maxDays: -1 } } })).toContain('Days are between 0');
  expect(await failure(create, { ...fine, rule: { ...fine.rule, maxDays: { maxDays: 1 } } })).not.toBe('nothing');
  expect(await failure(create, { ...fine, addProjects: [formatGlobalId('Project', 999)] })).toContain('Some of these');
  const id = formatGlobalId('ProjectTraceRetentionPolicy', 0);
  expect(await failure(patch, { id, name: 'other' })).toContain('cannot be renamed');
  expect(await failure(remove, { id })).toContain('cannot be deleted');
  const changed = await queryGraphql(server.url, patch, {
    input: { id, rule: { maxDaysOrCount: { maxDays: 365, maxCount: 1000 } } },
  });
  expect(changed).toMatchObject({
    patchProjectTraceRetentionPolicy: {
      node: { name: 'Default', rule: { __typename: 'TraceRetentionRuleMaxDaysOrCount', maxDays: 365, maxCount: 1000 } },
    },
  });
});

/** Sends three spans of the trace, one of them failed; sent again, they are the same. */
function sendThree(project: string, trace: number): Promise<void> {
  const startUs = TEST_START_US + trace * 1_000_000;
  const spans = [0, 1, 2].map((place) => ({
    traceId: traceId(trace),
    spanId: spanId(trace * 10 + place),
    ...(place > 0 && { parentSpanId: spanId(trace * 10) }),
    startUs: startUs + place,
    status: place === 2 ? ('ERROR' as const) : ('OK' as const),
    attributes: { 'session.id': `session ${trace % 3}`, 'input.value': `words of ${trace}` },
  }));
  return exportAll(server.url, traceRequest(spans), { 'x-project-name': project });
}

async function remove(path: string): Promise<number> {
  return (await fetch(`${server.url}${path}`, { method: 'DELETE' })).status;
}

async function post(path: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
}

interface Numbers {
  readonly recordCount: number;
  readonly traceCount: number;
  readonly sessionCount: number;
}

/** What a project holds, as different parts of the product say it; `null` where there is none. */
async function numbersOf(project: string): Promise<Numbers | null> {
  const query = `query($name: String!) { project: getProjectByName(name: $name) { recordCount traceCount sessionCount
    filtered: recordCount(filterCondition: "latency_ms >= 0")
    aggregate(measures: [COUNT, TRACE_COUNT, SESSION_COUNT, ERROR_COUNT]) { groups { series { values } } }
    facets(facets: [{ by: "session.id", first: 100 }]) { facets { values { count } missingCount } }
    spans(first: 1000) { edges { node { trace { traceId } } } }
    sessions(first: 1000) { edges { node { numTraces } } } } }`;
  interface Project extends Numbers {
    readonly filtered: number;
    readonly aggregate: { readonly groups: readonly { readonly series: readonly { readonly values: number[] }[] }[] };
    readonly facets: { readonly facets: readonly { readonly values: readonly { readonly count: number }[] }[] };
    readonly spans: { readonly edges: readonly { readonly node: { readonly trace: { readonly traceId: string } } }[] };
    readonly sessions: { readonly edges: readonly { readonly node: { readonly numTraces: number } }[] };
  }
  const data = await queryGraphql<{ project: Project | null }>(server.url, query, { name: project });
  if (data.project === null) return null;
  const { filtered, aggregate, facets, spans, sessions, ...numbers } = data.project;
  const { recordCount, traceCount, sessionCount } = numbers;
  expect(filtered).toBe(recordCount);
  const errorCount = recordCount / 3;
  expect(aggregate.groups[0]?.series.map(({ values: [value] }) => value)).toEqual([
    recordCount,
    traceCount,
    sessionCount,
    errorCount,
  ]);
  expect(facets.facets[0]?.values.reduce((sum, { count }) => sum + count, 0)).toBe(recordCount);
  expect(spans.edges).toHaveLength(recordCount);
  expect(new Set(spans.edges.map(({ node }) => node.trace.traceId)).size).toBe(traceCount);
  expect(sessions.edges).toHaveLength(sessionCount);
  expect(sessions.edges.reduce((sum, { node }) => sum + node.numTraces, 0)).toBe(traceCount);
  const listed = await getAll<object>(`${server.url}/v1/projects/${project}/spans`, 7);
  expect(listed).toHaveLength(recordCount);
  return numbers;
}

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, place) => from + place);

describe('while it is being sent', () => {
  it('a project can be deleted again and again, and what was sent after the last time is there', async () => {
    const sending = numbers(100, 24).map((trace) => sendThree('busy', trace));
    const statuses: number[] = [];
    for (let time = 0; time < 4; time++) statuses.push(await remove('/v1/projects/busy'));
    await Promise.all(sending);
    expect(statuses.every((status) => status === 204 || status === 404)).toBe(true);
    expect((await numbersOf('busy'))?.traceCount ?? 0).toBeLessThanOrEqual(24);
    await remove('/v1/projects/busy');
    expect(await numbersOf('busy')).toBeNull();
    await Promise.all(numbers(100, 24).map((trace) => sendThree('busy', trace)));
    expect(await numbersOf('busy')).toEqual({ recordCount: 72, traceCount: 24, sessionCount: 3 });
  });

  it('a trace can be deleted and sent again, and is there whole or not at all', async () => {
    await sendThree('same', 200);
    for (let time = 0; time < 5; time++) {
      const [status] = await Promise.all([remove(`/v1/traces/${traceId(200)}`), sendThree('same', 200)]);
      expect([204, 404]).toContain(status);
      const found = await numbersOf('same');
      expect([0, 3]).toContain(found?.recordCount);
    }
    await sendThree('same', 200);
    expect(await numbersOf('same')).toEqual({ recordCount: 3, traceCount: 1, sessionCount: 1 });
  });

  it('a trace can be moved to and fro, and is in one project', async () => {
    await sendThree('here', 300);
    await sendThree('there', 301);
    const move = (to: string) =>
      post('/v1/traces/transfer', { trace_identifiers: [traceId(300)], destination_project_identifier: to });
    const statuses = await Promise.all([
      move('there'),
      move('here'),
      sendThree('here', 300),
      move('there'),
      move('here'),
    ]);
    expect(statuses.filter((status) => typeof status === 'number').every((status) => status === 200)).toBe(true);
    const [here, there] = [await numbersOf('here'), await numbersOf('there')];
    expect((here?.traceCount ?? 0) + (there?.traceCount ?? 0)).toBe(2);
    expect((here?.recordCount ?? 0) + (there?.recordCount ?? 0)).toBe(6);
  });

  it('what is deleted twice at once is gone once', async () => {
    await Promise.all(numbers(400, 9).map((trace) => sendThree('twice', trace)));
    const path = `/v1/traces/${traceId(400)}`;
    const statuses = await Promise.all([remove(path), remove(path), remove(path)]);
    expect(statuses.toSorted((a, b) => a - b)[0]).toBe(204);
    expect(statuses.every((status) => status === 204 || status === 404)).toBe(true);
    const sessions = await Promise.all([
      remove('/v1/sessions/session%201?project_identifier=twice'),
      remove('/v1/projects/twice/traces?start_time=2025-01-01T00:00:00Z&end_time=2026-01-01T00:06:43Z'),
      remove(`/v1/spans/${spanId(4080)}`),
    ]);
    expect(sessions.every((status) => status === 204 || status === 404)).toBe(true);
    // Of 400 to 408: 400 to 402 by time, of the others 403 and 406 by their session; 408 is left with two spans.
    const left = await getAll<{ context: { span_id: string } }>(`${server.url}/v1/projects/twice/spans`, 100);
    expect(left.map(({ context }) => context.span_id).toSorted()).toEqual(
      [4040, 4041, 4042, 4050, 4051, 4052, 4070, 4071, 4072, 4081, 4082].map(spanId).toSorted(),
    );
  });
});

it('what was deleted is erased, and found by no search', async () => {
  await Promise.all(numbers(500, 10).map((trace) => sendThree('searched', trace)));
  type Found = { data: readonly object[]; pending_span_count: number };
  const search = (text: string) => getJson<Found>(`${server.url}/v1/projects/searched/search?text=${text}&limit=100`);
  await expect.poll(async () => (await search('words')).data.length).toBe(30);
  expect(
    await remove('/v1/projects/searched/traces?start_time=2025-01-01T00:00:00Z&end_time=2026-01-01T00:08:25Z'),
  ).toBe(204);
  expect((await search('words')).data).toHaveLength(15);
  expect((await search('"words of 500"')).data).toEqual([]);
  const query = `{ getProjectByName(name: "searched") { deletions { reason traceCount spanCount finishedAt } } }`;
  interface Data {
    readonly getProjectByName: { readonly deletions: readonly { readonly finishedAt: string | null }[] };
  }
  const deletionsOf = async () => (await queryGraphql<Data>(server.url, query)).getProjectByName.deletions;
  await expect
    .poll(deletionsOf)
    .toEqual([{ reason: 'REQUEST', traceCount: 5, spanCount: 15, finishedAt: expect.any(String) }]);
  expect(await numbersOf('searched')).toEqual({ recordCount: 15, traceCount: 5, sessionCount: 3 });
  expect(server.complaints).toEqual([]);
});
