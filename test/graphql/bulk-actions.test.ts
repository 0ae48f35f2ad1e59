/** Deleting and moving many rows over GraphQL and REST, on a whole server: at once, and by jobs. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatGlobalId } from '#base/global-id';
import { askGraphql, queryGraphql } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, TEST_START_US, traceId, traceRequest } from '../harness/otlp-json.ts';
import { getJson } from '../harness/rest.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server[Symbol.asyncDispose]());

interface ProjectState {
  readonly id: string;
  readonly recordCount: number;
  readonly traceCount: number;
  readonly sessionCount: number;
}

interface Action {
  readonly id: string;
  readonly state: string;
  readonly totalCount: number | null;
  readonly doneCount: number;
  readonly goneCount: number;
  readonly refusedCount: number;
}

const ACTION = 'id state totalCount doneCount goneCount refusedCount';
const DELETE = `mutation ($input: BulkSelectionInput!) { bulkDelete(input: $input) { ${ACTION} } }`;
const MOVE = `mutation ($input: BulkSelectionInput!, $to: ID!) { bulkMove(input: $input, toProjectId: $to) { ${ACTION} } }`;

/** Sends traces of two spans, the second of which failed in every second trace; returns the project. */
async function send(project: string, first: number, count: number): Promise<ProjectState> {
  const spans = Array.from({ length: count }, (_, place) => {
    const number = first + place;
    const startUs = TEST_START_US + number * 1000;
    const root = { traceId: traceId(number), spanId: spanId(2 * number), startUs };
    const status = number % 2 === 0 ? ('ERROR' as const) : ('OK' as const);
    const child = { ...root, spanId: spanId(2 * number + 1), parentSpanId: root.spanId, status };
    return [{ ...root, attributes: { 'session.id': `session ${number % 4}` } }, child];
  }).flat();
  await exportAll(server.url, traceRequest(spans), { 'x-project-name': project });
  return read(project);
}

async function read(name: string): Promise<ProjectState> {
  const query = `query ($name: String!) { getProjectByName(name: $name) { id recordCount traceCount sessionCount } }`;
  return (await queryGraphql<{ getProjectByName: ProjectState }>(server.url, query, { name })).getProjectByName;
}

async function countsOf(name: string): Promise<readonly number[]> {
  const { traceCount, recordCount, sessionCount } = await read(name);
  return [traceCount, recordCount, sessionCount];
}

async function change(query: string, variables: Record<string, unknown>): Promise<Action> {
  return Object.values(await queryGraphql<Record<string, Action>>(server.url, query, variables))[0] as Action;
}

/** Ids of the traces, spans or sessions of a project, in order of start. */
async function idsOf(projectId: string, list: 'traces' | 'spans' | 'sessions'): Promise<readonly string[]> {
  const query = `query ($id: ID!) { node(id: $id) { ... on Project {
    list: ${list}(first: 1000, sort: { col: startTime, dir: asc }) { edges { node { id } } } } } }`;
  const { node } = await queryGraphql<{ node: { list: { edges: { node: { id: string } }[] } } }>(server.url, query, {
    id: projectId,
  });
  return node.list.edges.map((edge) => edge.node.id);
}

async function ended({ id }: Action): Promise<Action> {
  const query = `query ($id: ID!) { node(id: $id) { ... on BulkAction { ${ACTION} } } }`;
  const now = async () => (await queryGraphql<{ node: Action }>(server.url, query, { id })).node;
  await expect.poll(async () => (await now()).state).not.toBe('RUNNING');
  return now();
}

it('what is ticked is deleted at once, and says what was gone', async () => {
  const { id: projectId } = await send('ticked', 1, 8);
  const ids = (await idsOf(projectId, 'traces')).slice(0, 3);
  const input = { projectId, rows: 'TRACES', ids };
  expect(await change(DELETE, { input })).toMatchObject({ state: 'DONE', totalCount: 3, doneCount: 3, goneCount: 0 });
  expect(await change(DELETE, { input })).toMatchObject({ state: 'DONE', totalCount: 3, doneCount: 0, goneCount: 3 });
  expect(await countsOf('ticked')).toEqual([5, 10, 4]);
});

it('spans go alone, sessions with their traces', async () => {
  const { id: projectId } = await send('parts', 101, 8);
  const spans = (await idsOf(projectId, 'spans')).slice(0, 3);
  expect(await change(DELETE, { input: { projectId, rows: 'SPANS', ids: spans } })).toMatchObject({ doneCount: 3 });
  // A trace went with its last span.
  expect(await countsOf('parts')).toEqual([7, 13, 4]);
  const sessions = (await idsOf(projectId, 'sessions')).slice(0, 1);
  await change(DELETE, { input: { projectId, rows: 'SESSIONS', ids: sessions } });
  expect((await read('parts')).sessionCount).toBe(3);
});

it('what is ticked moves with its spans and its session', async () => {
  const { id: projectId } = await send('from', 201, 8);
  const { id: to } = await send('to', 301, 1);
  const spans = (await idsOf(projectId, 'spans')).slice(0, 2);
  expect(await change(MOVE, { input: { projectId, rows: 'SPANS', ids: spans }, to })).toMatchObject({
    state: 'DONE',
    doneCount: 2,
  });
  await expect.poll(() => countsOf('to')).toEqual([2, 4, 1]);
  expect(await countsOf('from')).toEqual([7, 14, 4]);
  const sessions = await idsOf(projectId, 'sessions');
  await change(MOVE, { input: { projectId, rows: 'SESSIONS', ids: sessions }, to });
  await expect.poll(() => countsOf('to')).toEqual([9, 18, 4]);
  expect(await countsOf('from')).toEqual([0, 0, 0]);
});

it('all that match are done by a job, but for those that were unticked', async () => {
  const { id: projectId } = await send('many', 1001, 1200);
  const { id: to } = await send('else', 3001, 1);
  const [kept] = await idsOf(projectId, 'traces');
  const matching = { filterCondition: 'error_count == 0', exceptIds: [kept] };
  const moved = await ended(await change(MOVE, { input: { projectId, rows: 'TRACES', matching }, to }));
  expect(moved).toMatchObject({ state: 'DONE', totalCount: 599, doneCount: 599, goneCount: 0, refusedCount: 0 });
  await expect.poll(() => countsOf('else')).toEqual([600, 1200, 2]);
  expect(await countsOf('many')).toEqual([601, 1202, 3]);
  const all = await change(DELETE, { input: { projectId, rows: 'TRACES', matching: {} } });
  expect(await ended(all)).toMatchObject({ state: 'DONE', totalCount: 601, doneCount: 601 });
  expect(await countsOf('many')).toEqual([0, 0, 0]);
  const path = `${server.url}/v1/projects/many/bulk_actions`;
  const { data } = await getJson<{ data: readonly { id: string }[] }>(path);
  expect(data.map((action) => action.id)).toEqual([all.id, moved.id]);
  expect(await getJson(`${path}/${encodeURIComponent(moved.id)}`)).toMatchObject({
    data: { action: 'move', rows: 'traces', state: 'done', done_count: 599, destination_project_id: to },
  });
});

it('more ids than one transaction takes are done by a job', async () => {
  const { id: projectId } = await send('listed', 8001, 2);
  const unknown = Array.from({ length: 9998 }, (_, place) => formatGlobalId('Trace', 1_000_000 + place));
  const ids = [...(await idsOf(projectId, 'traces')), ...unknown];
  const begun = await change(DELETE, { input: { projectId, rows: 'TRACES', ids } });
  expect(begun).toMatchObject({ state: 'RUNNING', totalCount: 10_000 });
  expect(await ended(begun)).toMatchObject({ state: 'DONE', doneCount: 2, goneCount: 9998 });
});

it.each([
  ['neither ids nor what matches', {}, 'Give either ids or what matches.'],
  ['both', { ids: ['x'], matching: {} }, 'Give either ids or what matches.'],
  ['no ids', { ids: [] }, 'Name at least one row.'],
  ['an id of something else', { ids: ['U3BhbjoxMg=='] }, 'This is not the id of a Trace.'],
  ['a filter with a mistake', { matching: { filterCondition: 'error_count ==' } }, 'Invalid filter'],
  ['roots of traces', { matching: { rootSpansOnly: true } }, 'Only spans can be narrowed'],
])('refuses %s', async (_what, given, message) => {
  const { id: projectId } = await send('refused', 9001, 1);
  const { errors } = await askGraphql(server.url, DELETE, { input: { projectId, rows: 'TRACES', ...given } });
  expect(errors?.[0]?.message).toContain(message);
  expect((await read('refused')).traceCount).toBe(1);
});

it('is cancelled where it is, and only once', async () => {
  const { id: projectId } = await send('cancelled', 5001, 1500);
  const begun = await change(DELETE, { input: { projectId, rows: 'TRACES', matching: {} } });
  const cancel = `mutation ($id: ID!) { cancelBulkAction(id: $id) { ${ACTION} } }`;
  const { data, errors } = await askGraphql<{ cancelBulkAction: Action }>(server.url, cancel, { id: begun.id });
  const over = await ended(begun);
  // It may have been too late.
  if (errors === undefined) expect([data?.cancelBulkAction.state, over.state]).toEqual(['CANCELLED', 'CANCELLED']);
  expect((await read('cancelled')).traceCount).toBe(1500 - over.doneCount);
  const again = await askGraphql(server.url, cancel, { id: begun.id });
  expect(again.errors?.[0]?.message).toBe('This bulk action is over already.');
});

it('over REST, a move names where to, and a word that is not known is refused', async () => {
  await send('rest', 7001, 2);
  const url = `${server.url}/v1/projects/rest/bulk_actions`;
  const post = (body: unknown) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const narrowed = { action: 'delete', rows: 'traces', matching: { filters: 'error_count == 0' } };
  expect((await post(narrowed)).status).toBe(422);
  expect((await post({ action: 'move', rows: 'traces', matching: {} })).status).toBe(422);
  const moved = await post({ action: 'move', rows: 'traces', matching: {}, destination_project_identifier: 'default' });
  expect(moved.status).toBe(202);
  await expect.poll(() => countsOf('rest')).toEqual([0, 0, 0]);
});
