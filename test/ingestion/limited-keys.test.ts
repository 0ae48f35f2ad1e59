/** Keys that are limited: to reading, to sending, to projects. What they may not do they do over no transport. */
import type { ServiceError } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson, bearer, sendJson, type Shown } from '../harness/accounts.ts';
import { AS_ADMIN, ASKING, makeSystemKey } from '../harness/asking-server.ts';
import { postGraphql } from '../harness/graphql.ts';
import {
  callExport,
  callFailingExport,
  encodeRequest,
  type ExportAnswer,
  exportLogs,
  exportTraces,
} from '../harness/otlp-client.ts';
import { logsRequest, otlpSpan, resourceSpansOf, spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

let server: TestServer;
let projects: Readonly<Record<'app' | 'shop', string>>;
/** The key of the project `app`. */
let ofApp: Shown;
let reading: Shown;
let sending: Shown;
let ordinary: Shown;

beforeAll(async () => {
  server = await startTestServer(ASKING);
  projects = { app: await createProject('app'), shop: await createProject('shop') };
  ofApp = await makeKey({ project_ids: [projects.app] });
  reading = await makeKey({ operations: 'read' });
  sending = await makeKey({ operations: 'ingest' });
  ordinary = await makeKey({});
});

afterAll(() => server[Symbol.asyncDispose]());

const ask = (method: string, path: string, headers: Shown, body?: unknown) =>
  sendJson(server.url, method, path, body, headers);

async function createProject(name: string): Promise<string> {
  const { status, body } = await ask('POST', '/v1/projects', AS_ADMIN, { name });
  expect(status).toBe(200);
  return (body as { data: { id: string } }).data.id;
}

async function makeKey(limits: object): Promise<Shown> {
  return bearer((await makeSystemKey(server.url, { ...limits })).key);
}

const named = (name: string) => ({ 'openinference.project.name': name });
const REFUSED_FIELD = { errors: [{ extensions: { code: 'permission_denied' } }] };
const LIMIT = 'This key is limited to the project "app".';
const PERMISSION_DENIED = 7;

let lastTrace = 100;
const newTrace = () => traceId(++lastTrace);

const storedSpansOf = async (project: string) => {
  const { body } = await ask('GET', `/v1/projects/${project}/spans?limit=1000`, AS_ADMIN);
  return (body as { data: { context: { trace_id: string; span_id: string } }[] }).data.map(({ context }) => context);
};
const isStored = async (project: string, trace: string) =>
  (await storedSpansOf(project)).some(({ trace_id }) => trace_id === trace);
const hasProject = async (name: string) => (await ask('GET', `/v1/projects/${name}`, AS_ADMIN)).status === 200;

/** Sends one span of a trace to a project that is named in the way; returns what was answered. */
type Send = (
  trace: string,
  project: string,
  headers: Shown,
) => Promise<Pick<ExportAnswer, 'status' | 'rejectedSpans' | 'message'>>;

const grpc = (request: object, metadata: Shown) => {
  const options = { metadata: { ...metadata } };
  return callExport(server.grpcAddress, encodeRequest('application/x-protobuf', request), options)
    .then((answer) => ({ status: 200, ...answer }))
    .catch((error: unknown) => {
      const { code, details } = error as ServiceError;
      return { status: code === PERMISSION_DENIED ? 403 : code, rejectedSpans: 0, message: details };
    });
};
const http = (request: object, headers: Shown) => exportTraces(server.url, request, { headers: { ...headers } });

const WAYS: readonly (readonly [string, Send])[] = [
  [
    'OTLP over HTTP, by a header',
    (trace, project, key) =>
      http(traceRequest([{ traceId: trace, spanId: spanId(1) }], named('other')), {
        ...key,
        'x-project-name': project,
      }),
  ],
  [
    'OTLP over HTTP, by a resource',
    (trace, project, key) => http(traceRequest([{ traceId: trace, spanId: spanId(1) }], named(project)), key),
  ],
  [
    'OTLP over gRPC, by a header',
    (trace, project, key) =>
      grpc(traceRequest([{ traceId: trace, spanId: spanId(1) }]), { ...key, 'x-project-name': project }),
  ],
  [
    'OTLP over gRPC, by a resource',
    (trace, project, key) => grpc(traceRequest([{ traceId: trace, spanId: spanId(1) }], named(project)), key),
  ],
  ['a list of spans', (trace, project, key) => createSpans(trace, project, key)],
];

async function createSpans(trace: string, project: string, headers: Shown) {
  const span = {
    name: 'span',
    context: { trace_id: trace, span_id: trace.slice(-16) },
    span_kind: 'LLM',
    start_time: '2026-01-01T00:00:00Z',
    end_time: '2026-01-01T00:00:01Z',
    status_code: 'OK',
  };
  const { status, body } = await ask('POST', `/v1/projects/${project}/spans`, headers, { data: [span] });
  const isText = typeof body === 'string';
  const refused = isText ? {} : (body as { total_queued?: number; error?: string });
  return {
    status: status === 202 || refused.total_queued === 0 ? 200 : status,
    rejectedSpans: refused.total_queued === 0 ? 1 : 0,
    message: isText ? body : (refused.error ?? ''),
  };
}

describe.each(WAYS)('a key of a project, over %s,', (_way, send) => {
  it('sends to its project', async () => {
    const trace = newTrace();
    expect(await send(trace, 'app', ofApp)).toMatchObject({ status: 200, rejectedSpans: 0 });
    expect(await isStored('app', trace)).toBe(true);
  });

  it('is told the same of another project and of one that is not there, and makes none', async () => {
    for (const project of ['shop', 'default', 'not-there']) {
      const trace = newTrace();
      expect(await send(trace, project, ofApp)).toMatchObject({ status: 403, message: LIMIT });
      expect(await hasProject('not-there')).toBe(false);
      if (project !== 'not-there') expect(await isStored(project, trace)).toBe(false);
    }
  });

  it('adds nothing to a trace of another project', async () => {
    const trace = newTrace();
    await http(traceRequest([{ traceId: trace, spanId: spanId(9) }], named('shop')), ordinary);
    const answer = await send(trace, 'app', ofApp);
    expect(answer).toMatchObject({ status: 200, rejectedSpans: 1 });
    expect(answer.message).toContain('not_permitted');
    expect((await storedSpansOf('shop')).filter(({ trace_id }) => trace_id === trace)).toEqual([
      { trace_id: trace, span_id: spanId(9) },
    ]);
    expect(await isStored('app', trace)).toBe(false);
  });

  it('does not reach a project that was made again under the name of its own', async () => {
    const old = await createProject('passing');
    const key = await makeKey({ project_ids: [old] });
    expect(await send(newTrace(), 'passing', key)).toMatchObject({ status: 200, rejectedSpans: 0 });
    expect((await ask('DELETE', '/v1/projects/passing', AS_ADMIN)).status).toBe(204);
    await createProject('passing');
    const trace = newTrace();
    const { status, rejectedSpans } = await send(trace, 'passing', key);
    expect(status === 403 || rejectedSpans === 1).toBe(true);
    expect(await isStored('passing', trace)).toBe(false);
    await ask('DELETE', '/v1/projects/passing', AS_ADMIN);
  });
});

describe('a request with a key of a project', () => {
  const span = (trace: string, number: number) => otlpSpan({ traceId: trace, spanId: spanId(number) });

  it('is refused whole where one span of it is for another', async () => {
    const trace = newTrace();
    const resourceSpans = [
      resourceSpansOf([span(trace, 1)], named('app')),
      resourceSpansOf([span(newTrace(), 2)], named('shop')),
    ];
    expect(await http({ resourceSpans }, ofApp)).toMatchObject({ status: 403, message: LIMIT });
    expect(await grpc({ resourceSpans }, ofApp)).toMatchObject({ status: 403, message: LIMIT });
    expect(await isStored('app', trace)).toBe(false);
  });

  it('is refused whole also where it is stored in parts', async () => {
    const trace = newTrace();
    const many = Array.from({ length: 2500 }, (_, index) => span(trace, index + 1));
    const resourceSpans = [resourceSpansOf(many, named('app')), resourceSpansOf([span(newTrace(), 1)], named('shop'))];
    expect(await http({ resourceSpans }, ofApp)).toMatchObject({ status: 403, message: LIMIT });
    expect(await isStored('app', trace)).toBe(false);
  });

  it('has its log records held to the same', async () => {
    const trace = newTrace();
    await http(traceRequest([{ traceId: trace, spanId: spanId(1) }], named('shop')), ordinary);
    const records = [{ traceId: trace, spanId: spanId(1), eventName: 'gen_ai.choice', body: 'x' }];
    const logs = (project: string) =>
      exportLogs(server.url, logsRequest(records, { resource: named(project) }), { headers: { ...ofApp } });
    expect(await logs('shop')).toMatchObject({ status: 403, message: LIMIT });
    expect(await logs('app')).toMatchObject({ status: 200, rejectedSpans: 1, message: expect.stringContaining(trace) });
    const options = { metadata: { ...ofApp }, service: 'logs.v1.LogsService' };
    const body = encodeRequest(
      'application/x-protobuf',
      logsRequest(records, { resource: named('shop') }),
      'ExportLogsServiceRequest',
    );
    expect(await callFailingExport(server.grpcAddress, body, options)).toMatchObject({
      code: PERMISSION_DENIED,
      details: LIMIT,
    });
  });

  it('is counted with the key', async () => {
    const rows = await server.data.rows('SELECT DISTINCT api_key_id AS id FROM ingest_ledger ORDER BY 1');
    expect(rows.length).toBeGreaterThan(1);
    const keys = await server.data.rows('SELECT id FROM api_keys');
    expect(keys).toEqual(expect.arrayContaining(rows.filter(({ id }) => id !== 0)));
  });
});

const READS = ['', '/spans', '/spans/otlpv1', '/traces', '/sessions', '/search?text=span', '/logs/original'] as const;

describe('a key of a project reads', () => {
  it('what is in its project', async () => {
    for (const path of READS) {
      expect([path, (await ask('GET', `/v1/projects/app${path}`, ofApp)).status]).toEqual([path, 200]);
      expect([path, (await ask('GET', `/v1/projects/${projects.app}${path}`, ofApp)).status]).toEqual([path, 200]);
    }
    const query = await ask(
      'POST',
      '/v1/spans?project_name=app',
      { ...ofApp, accept: 'application/json' },
      { queries: [{}] },
    );
    expect(query.status).toBe(200);
  });

  it('nothing of others, and hears nothing of them', async () => {
    for (const project of ['shop', projects.shop, 'default', 'not-there', 'UHJvamVjdDo5OTk=']) {
      for (const path of READS) {
        const answer = await ask('GET', `/v1/projects/${project}${path}`, ofApp);
        expect([project, path, answer]).toEqual([project, path, { status: 403, body: LIMIT }]);
      }
      const bounds = 'start_time=2020-01-01&end_time=2030-01-01';
      expect((await ask('DELETE', `/v1/projects/${project}/traces?${bounds}`, ofApp)).status).toBe(403);
    }
    for (const name of ['shop', 'not-there', '']) {
      const query = await ask('POST', `/v1/spans?project_name=${name}`, ofApp, { queries: [{}] });
      expect([name, query]).toEqual([name, { status: 403, body: LIMIT }]);
    }
  });

  it('of projects its own alone', async () => {
    const { body } = await ask('GET', '/v1/projects', ofApp);
    expect(body).toEqual({ data: [{ id: projects.app, name: 'app', description: null }], next_cursor: null });
    expect((await ask('GET', '/v1/projects?name_contains=shop', ofApp)).body).toEqual({ data: [], next_cursor: null });
  });

  it('itself', async () => {
    expect((await ask('GET', '/v1/user', ofApp)).status).toBe(200);
  });

  it('nothing that is not about one project', async () => {
    const trace = newTrace();
    await http(traceRequest([{ traceId: trace, spanId: spanId(1) }], named('app')), ofApp);
    for (const [method, path] of [
      ['GET', '/v1/sessions'],
      ['GET', '/v1/sessions/talk?project_name=app'],
      ['GET', `/v1/traces/${trace}/original`],
      ['GET', `/v1/traces/${trace}/logs/original`],
      ['GET', `/v1/spans/${spanId(1)}/original`],
      ['DELETE', `/v1/traces/${trace}`],
      ['DELETE', `/v1/spans/${spanId(1)}`],
      ['GET', '/v1/model_prices'],
      ['GET', '/v1/users'],
      ['GET', '/v1/user/api_keys'],
      ['DELETE', '/v1/projects/app'],
    ] as const) {
      expect([path, (await ask(method, path, ofApp)).status]).toEqual([path, 403]);
    }
    expect((await ask('POST', '/v1/projects', ofApp, { name: 'more' })).status).toBe(403);
    const graphql = await postGraphql(server.url, { query: '{ projects { edges { node { name } } } }' }, ofApp);
    expect(await graphql.json()).toMatchObject(REFUSED_FIELD);
    const node = await postGraphql(server.url, { query: `{ node(id: "${projects.app}") { id } }` }, ofApp);
    expect(await node.json()).toMatchObject(REFUSED_FIELD);
    expect(await isStored('app', trace)).toBe(true);
  });

  it('from no id of an object whether there is such an object', async () => {
    await ask('PUT', '/v1/secrets', AS_ADMIN, { secrets: [{ key: 'KNOWN', value: 'x' }] });
    const secretId = (name: string) => Buffer.from(`Secret:${name}`).toString('base64');
    for (const key of [ofApp, sending]) {
      for (const ids of [
        [projects.shop, 'UHJvamVjdDo5OTk='],
        [secretId('KNOWN'), secretId('ABSENT')],
      ]) {
        for (const field of ['node(id: $id)', 'nodes(ids: [$id])']) {
          const query = `query ($id: ID!) { ${field} { __typename } }`;
          const hear = async (id = '') => (await postGraphql(server.url, { query, variables: { id } }, key)).json();
          const heard = await hear(ids[0]);
          expect(heard).toMatchObject(REFUSED_FIELD);
          expect(JSON.stringify(heard)).not.toContain('__typename');
          expect(await hear(ids[1])).toEqual(heard);
        }
      }
    }
  });
});

describe('a key limited', () => {
  it('to reading sends nothing and changes nothing', async () => {
    for (const [way, send] of WAYS) {
      expect([way, await send(newTrace(), 'app', reading)]).toMatchObject([way, { status: 403 }]);
    }
    expect((await ask('GET', '/v1/projects/app/spans', reading)).status).toBe(200);
    expect((await ask('POST', '/v1/projects', reading, { name: 'more' })).status).toBe(403);
    expect(
      (await ask('DELETE', '/v1/projects/app/traces?start_time=2020-01-01&end_time=2030-01-01', reading)).status,
    ).toBe(403);
    const query = await ask(
      'POST',
      '/v1/spans?project_name=app',
      { ...reading, accept: 'application/json' },
      { queries: [{}] },
    );
    expect(query.status).toBe(200);
    const answer = await postGraphql(server.url, { query: '{ projectCount }' }, reading);
    expect(await answer.json()).toMatchObject({ data: { projectCount: expect.any(Number) } });
    const change = await postGraphql(
      server.url,
      { query: 'mutation { createProject(input: { name: "more" }) { project { id } } }' },
      reading,
    );
    expect(await change.json()).toMatchObject(REFUSED_FIELD);
    expect(await hasProject('more')).toBe(false);
  });

  it('to sending reads nothing', async () => {
    for (const [way, send] of WAYS) {
      expect([way, await send(newTrace(), 'app', sending)]).toMatchObject([way, { status: 200, rejectedSpans: 0 }]);
    }
    for (const path of ['/v1/projects', '/v1/projects/app/spans', '/v1/user/api_keys']) {
      expect([path, (await ask('GET', path, sending)).status]).toEqual([path, 403]);
    }
    const answer = await postGraphql(server.url, { query: '{ projectCount }' }, sending);
    expect(await answer.json()).toMatchObject(REFUSED_FIELD);
  });

  it('to both sends to its projects alone', async () => {
    const key = await makeKey({ operations: 'ingest', project_ids: [projects.shop] });
    expect(await http(traceRequest([{ traceId: newTrace(), spanId: spanId(1) }], named('shop')), key)).toMatchObject({
      status: 200,
      rejectedSpans: 0,
    });
    expect((await http(traceRequest([{ traceId: newTrace(), spanId: spanId(1) }], named('app')), key)).status).toBe(
      403,
    );
    expect((await ask('GET', '/v1/projects/shop', key)).status).toBe(403);
  });
});

it('what a key is refused for its projects is in the audit log, with the name of a person’s key', async () => {
  const mia = await addPerson(server.url, 'mia', 'MEMBER');
  const data = { name: 'sender', project_ids: [projects.app] };
  const made = await ask('POST', '/v1/user/api_keys', mia.headers, { data });
  const key = bearer((made.body as { data: { key: string } }).data.key);
  for (const [way, send] of WAYS) {
    expect([way, await send(newTrace(), 'shop', key)]).toMatchObject([way, { status: 403 }]);
  }
  expect((await ask('GET', '/v1/projects/shop/spans', key)).status).toBe(403);
  expect((await ask('GET', '/v1/users', key)).status).toBe(403);
  await fetch(`${server.url}/graphql`, { method: 'POST' });
  // What was refused is written when the server stops.
  await server.server.close();
  const rows = await server.data.rows(
    `SELECT operation, caller_kind, caller_name, key_name, sum(event_count) AS count FROM audit_events
    WHERE outcome = 'refused' AND (key_name = 'sender' OR caller_kind = 'nobody')
    GROUP BY operation, caller_kind, caller_name, key_name ORDER BY operation`,
  );
  const byMia = { caller_kind: 'user', caller_name: 'mia', key_name: 'sender' };
  expect(rows.map((row) => ({ ...row, count: Number(row['count']) }))).toEqual([
    { operation: 'ingestion.traces', ...byMia, count: 4 },
    { operation: 'spans.create', ...byMia, count: 1 },
    { operation: 'spans.list', ...byMia, count: 1 },
    { operation: 'users.list', ...byMia, count: 1 },
  ]);
});
