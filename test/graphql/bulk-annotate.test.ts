/** Annotating and queueing many rows over GraphQL and REST, on a whole server with people: at once, and by jobs. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatGlobalId } from '#base/global-id';
import { isSampled } from '#domain/sample';
import {
  addPerson,
  bearer,
  type JsonAnswer,
  sendJson,
  type Shown,
  type TestPerson,
  WITH_PEOPLE,
} from '../harness/accounts.ts';
import { AS_ADMIN, makeSystemKey } from '../harness/asking-server.ts';
import { type GraphqlAnswer, postGraphql } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, TEST_START_US, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

/** More than are done at once. */
const MANY = 1500;

let server: TestServer;
let ann: TestPerson;
let projectId: string;

beforeAll(async () => {
  server = await startTestServer(WITH_PEOPLE);
  ann = await addPerson(server.url, 'ann', 'MEMBER');
  const spans = Array.from({ length: MANY }, (_, place) => ({
    traceId: traceId(place + 1),
    spanId: spanId(place + 1),
    startUs: TEST_START_US + place,
    attributes: { 'session.id': `session ${place % 3}` },
  }));
  await exportAll(server.url, traceRequest(spans), { ...AS_ADMIN, 'x-project-name': 'app' });
  await exportAll(server.url, traceRequest([{ traceId: traceId(9000), spanId: spanId(9000) }]), {
    ...AS_ADMIN,
    'x-project-name': 'shop',
  });
  const { body } = await ask('GET', '/v1/projects/app', undefined, AS_ADMIN);
  projectId = (body as { data: { id: string } }).data.id;
});

afterAll(() => server[Symbol.asyncDispose]());

function ask(method: string, path: string, body?: unknown, headers: Shown = ann.headers): Promise<JsonAnswer> {
  return sendJson(server.url, method, path, body, headers);
}

interface Action {
  readonly id: string;
  readonly state: string;
  readonly totalCount: number | null;
  readonly doneCount: number;
  readonly goneCount: number;
  readonly annotationName: string | null;
  readonly queueId: string | null;
}

const ACTION = 'id kind state totalCount doneCount goneCount refusedCount annotationName queueId';
const ANNOTATE = `mutation ($input: BulkSelectionInput!, $annotation: BulkAnnotationInput!) {
  action: bulkAnnotate(input: $input, annotation: $annotation) { ${ACTION} } }`;
const QUEUE = `mutation ($input: BulkSelectionInput!, $queueId: ID!, $sample: BulkSampleInput) {
  action: bulkQueue(input: $input, queueId: $queueId, sample: $sample) { ${ACTION} } }`;

async function mutate(query: string, variables: object): Promise<GraphqlAnswer<{ readonly action: Action }>> {
  return (await postGraphql(server.url, { query, variables }, ann.headers)).json() as never;
}

async function done(query: string, variables: object): Promise<Action> {
  const { data, errors } = await mutate(query, variables);
  if (data == null) throw new Error(JSON.stringify(errors));
  return data.action;
}

async function ended({ id }: Action): Promise<Action> {
  const read = `query ($id: ID!) { action: node(id: $id) { ... on BulkAction { ${ACTION} } } }`;
  await expect.poll(async () => (await done(read, { id })).state).not.toBe('RUNNING');
  return done(read, { id });
}

const traceIds = (...numbers: readonly number[]) => numbers.map((number) => formatGlobalId('Trace', number));

interface Said {
  readonly name: string;
  readonly result: object;
  readonly identifier: string;
  readonly annotator_kind: string;
  readonly source: string;
  readonly user_id: string | null;
  readonly metadata: object;
}

async function saidOf(kind: 'span' | 'trace' | 'session', query: string): Promise<readonly Said[]> {
  const { body } = await ask('GET', `/v1/projects/app/${kind}_annotations?limit=1000&${query}`);
  return (body as { data: readonly Said[] }).data;
}

it('rows get the caller’s own annotation, which is the one of the annotate panel', async () => {
  const said = { name: 'tone', label: 'kind', score: 0.5, explanation: 'Says please.', metadata: { by: [1] } };
  const input = { projectId, rows: 'TRACES', ids: traceIds(1, 2, 999_999) };
  expect(await done(ANNOTATE, { input, annotation: said })).toMatchObject({
    kind: 'ANNOTATE',
    state: 'DONE',
    totalCount: 3,
    doneCount: 2,
    goneCount: 1,
    annotationName: 'tone',
    queueId: null,
  });
  const [first, ...others] = await saidOf('trace', `trace_ids=${traceId(1)}`);
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    name: 'tone',
    result: { label: 'kind', score: 0.5, explanation: 'Says please.' },
    metadata: { by: [1] },
    annotator_kind: 'HUMAN',
    source: 'APP',
    user_id: ann.id,
  });
  const PANEL = `mutation ($input: [CreateTraceAnnotationInput!]!) { createTraceAnnotations(input: $input) { __typename } }`;
  const own = { name: 'tone', label: 'rude', annotatorKind: 'HUMAN', source: 'APP', metadata: {} };
  expect((await mutate(PANEL, { input: [{ traceId: traceIds(1)[0], ...own }] })).errors).toBeUndefined();
  expect(await saidOf('trace', `trace_ids=${traceId(1)}`)).toMatchObject([
    { ...first, result: { label: 'rude' }, metadata: {}, updated_at: expect.any(String) },
  ]);
  await done(ANNOTATE, { input, annotation: { name: 'tone', label: 'kind' } });
  expect(await saidOf('trace', `trace_ids=${traceId(1)}`)).toMatchObject([{ result: { label: 'kind', score: null } }]);
});

it('all that match are annotated by a job, as the person who asked', async () => {
  const matching = { exceptIds: traceIds(3) };
  const begun = await done(ANNOTATE, {
    input: { projectId, rows: 'TRACES', matching },
    annotation: { name: 'all', score: 1 },
  });
  expect(begun.state).toBe('RUNNING');
  expect(await ended(begun)).toMatchObject({ state: 'DONE', totalCount: MANY - 1, doneCount: MANY - 1 });
  expect(
    await server.data.rows(`SELECT count(*) AS count, min(identifier) AS identifier, max(source) AS source
    FROM annotations WHERE name = 'all' AND user_id IS NOT NULL`),
  ).toMatchObject([{ count: MANY - 1, identifier: `px-app:${ann.id}`, source: 'APP' }]);
});

/** The account whose name stands for keys of the system. */
const SYSTEM = formatGlobalId('User', 1);

it('over REST, spans and sessions are annotated; keys without a person speak as programs', async () => {
  const path = '/v1/projects/app/bulk_actions';
  const spans = {
    action: 'annotate',
    rows: 'spans',
    ids: [formatGlobalId('Span', 1)],
    annotation: { name: 'rest', score: 2, metadata: { exact: 1 } },
  };
  expect(await ask('POST', path, spans)).toMatchObject({
    status: 200,
    body: { data: { action: 'annotate', annotation_name: 'rest', queue_id: null, done_count: 1 } },
  });
  expect(await saidOf('span', `span_ids=${spanId(1)}`)).toMatchObject([
    { name: 'rest', user_id: ann.id, source: 'APP' },
  ]);
  const ofApp = bearer((await makeSystemKey(server.url, { project_ids: [projectId] })).key);
  const sessions = { ...spans, rows: 'sessions', ids: undefined, matching: {} };
  const begun = await ask('POST', path, sessions, ofApp);
  expect(begun.status).toBe(202);
  await expect
    .poll(async () => saidOf('session', 'session_ids=session%200'))
    .toMatchObject([{ name: 'rest', identifier: '', annotator_kind: 'CODE', source: 'API', user_id: SYSTEM }]);
  expect((await ask('POST', '/v1/projects/shop/bulk_actions', spans, ofApp)).status).toBe(403);
});

it('refuses notes, what is beyond its bounds, and what a strict config refuses, before anything begins', async () => {
  const path = '/v1/projects/app/bulk_actions';
  const post = (annotation: object) =>
    ask('POST', path, { action: 'annotate', rows: 'traces', matching: {}, annotation });
  expect(await post({ name: 'note', label: 'x' })).toMatchObject({
    status: 400,
    body: expect.stringContaining('note'),
  });
  expect((await post({ name: ' ' })).status).toBe(422);
  expect((await post({ name: 'x', explanation: 'x'.repeat(70_000) })).status).toBe(422);
  expect((await post({ name: 'x', labels: 'y' })).status).toBe(422);
  const values = [{ label: 'good', score: 1 }];
  const config = { type: 'CATEGORICAL', name: 'strict', optimization_direction: 'NONE', values, is_strict: true };
  expect((await ask('POST', '/v1/annotation_configs', config)).status).toBe(200);
  expect(await post({ name: 'strict', label: 'bad' })).toMatchObject({
    status: 422,
    body: expect.stringContaining('bad'),
  });
  const { errors } = await mutate(ANNOTATE, {
    input: { projectId, rows: 'TRACES', matching: {} },
    annotation: { name: 'note' },
  });
  expect(errors?.[0]?.message).toContain('reserved for notes');
  expect(await server.data.rows(`SELECT 1 FROM annotations WHERE name IN ('note', 'x', 'strict')`)).toEqual([]);
});

it('rows are added to a queue once each, all or a sample, and only where it holds such rows', async () => {
  await server.data.change(`INSERT INTO annotation_queues (id, name, target, reviews_per_item, is_blind, hold_minutes, created_at_us, updated_at_us)
    VALUES (7, 'checks', 'trace', 1, 0, 15, 1, 1)`);
  const queueId = formatGlobalId('AnnotationQueue', 7);
  const queued = async () =>
    (await server.data.rows('SELECT target_row_id FROM annotation_queue_items ORDER BY target_row_id')).map((row) =>
      Number(row['target_row_id']),
    );
  const some = { projectId, rows: 'TRACES', ids: traceIds(1, 2) };
  expect(await done(QUEUE, { input: some, queueId })).toMatchObject({
    kind: 'QUEUE',
    state: 'DONE',
    doneCount: 2,
    queueId,
  });
  expect(await done(QUEUE, { input: some, queueId })).toMatchObject({ doneCount: 2, goneCount: 0 });
  expect(await queued()).toEqual([1, 2]);
  const all = { projectId, rows: 'TRACES', matching: {} };
  expect(await ended(await done(QUEUE, { input: all, queueId, sample: { percent: 10 } }))).toMatchObject({
    state: 'DONE',
  });
  const share = Array.from({ length: MANY }, (_, place) => place + 1).filter((rowId) => isSampled(7, rowId, 10));
  expect(await queued()).toEqual([...new Set([1, 2, ...share])].toSorted((a, b) => a - b));
  const five = await ended(await done(QUEUE, { input: all, queueId, sample: { count: 5 } }));
  expect(five).toMatchObject({ state: 'DONE', totalCount: 5, doneCount: 5 });
  const path = '/v1/projects/app/bulk_actions';
  const rest = { action: 'queue', rows: 'traces', ids: traceIds(3), queue_identifier: 'checks' };
  expect(await ask('POST', path, rest)).toMatchObject({
    status: 200,
    body: { data: { queue_id: queueId, done_count: 1 } },
  });
  expect((await ask('POST', path, { ...rest, queue_identifier: 'none' })).status).toBe(404);
  expect((await ask('POST', path, { ...rest, sample: { percent: 1, count: 1 } })).status).toBe(422);
  expect((await ask('POST', path, { ...rest, sample: { percent: 101 } })).status).toBe(422);
  expect((await ask('POST', path, { ...rest, sample: { count: 0 } })).status).toBe(422);
  const spans = { ...rest, rows: 'spans', ids: [formatGlobalId('Span', 1)] };
  expect(await ask('POST', path, spans)).toMatchObject({
    status: 422,
    body: expect.stringContaining('This queue holds traces'),
  });
  const ofApp = bearer((await makeSystemKey(server.url, { project_ids: [projectId] })).key);
  expect((await ask('POST', path, rest, ofApp)).status).toBe(403);
  expect((await ask('POST', path, { ...rest, queue_identifier: 'none' }, ofApp)).status).toBe(403);
});
