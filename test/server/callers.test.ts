/** Who may have what of a whole server, by every way in: whoever may not hears it before a body is read. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GraphQLObjectType } from 'graphql';
import { type Access, isAllowed, type Permission } from '#domain/access';
import { createGraphqlSchema, type GraphqlParts } from '#server/graphql/schema';
import { GRPC_METHODS } from '#server/otlp-grpc/call';
import { frameMessage } from '#server/otlp-grpc/framing';
import { createRouteTable, describeApi, type RouteParts } from '#server/route-table';
import { type GraphqlAnswer, postGraphql, readEvents } from '../harness/graphql.ts';
import { spanId, traceBody } from '../harness/otlp-json.ts';
import { encodeRequest } from '../harness/otlp-client.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { askWithoutBody, credentialsOf, Doorkeeper, GrpcCaller, type Shown } from './callers.fixture.ts';
import { operationOf } from './operation-of.fixture.ts';

/** What is served; nothing of it is asked for here. */
const ROUTES = await createRouteTable({ services: {} } as RouteParts);
const SCHEMA = await createGraphqlSchema({ services: {} } as GraphqlParts);
const PROTECTED = ROUTES.filter(({ access }) => access.access !== 'public');

const door = new Doorkeeper();
let server: TestServer;
let grpc: GrpcCaller;

beforeAll(async () => {
  server = await startTestServer({ OTLP_HTTP_PORT: '0' }, door.resolveCaller);
  grpc = new GrpcCaller(server.grpcAddress);
});

afterAll(async () => {
  await grpc[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** The largest role that an access refuses, and how. */
function tooLittleFor(access: Access): { shown: Shown; status: number; grpcStatus: string; message: RegExp } {
  if (access === 'read') return { shown: 'nothing', status: 401, grpcStatus: '16', message: /not authenticated/ };
  const isAdmin = access === 'admin';
  return {
    shown: isAdmin ? 'member' : 'viewer',
    status: 403,
    grpcStatus: '7',
    message: isAdmin ? /^Only admin can/ : /^Viewers cannot/,
  };
}

describe('a route', () => {
  const address = (path: string) => `${server.url}${path.replaceAll(/\{\w+\}/g, 'unknown')}`;
  const ask = (method: string, path: string, shown: Shown) =>
    askWithoutBody(address(path), method, { 'content-type': 'application/json', ...credentialsOf(shown) });

  it.each(PROTECTED)('$method $path refuses who may not, before the body', async ({ method, path, access }) => {
    const { shown, status, message } = tooLittleFor(access.access);
    expect(await ask(method, path, shown)).toMatchObject({ status, body: expect.stringMatching(message) });
    expect(await ask(method, path, 'nothing')).toMatchObject({ status: 401 });
    const expired = await ask(method, path, 'expired');
    expect([expired.status, expired.headers['content-type'], expired.body]).toEqual([
      401,
      'text/plain; charset=utf-8',
      'The token has expired.',
    ]);
  });

  it.each(ROUTES.filter(({ method }) => method === 'GET'))(
    '$method $path answers who may',
    async ({ path, access: { access } }) => {
      const shown = access === 'public' ? 'broken' : access === 'admin' ? 'admin' : 'viewer';
      const { status } = await fetch(address(path), { headers: credentialsOf(shown) });
      expect([401, 403, 500]).not.toContain(status);
    },
  );

  it('says nothing of why its caller could not be found out, which is logged once', async () => {
    const before = server.complaints.length;
    expect(await ask('POST', '/v1/spans', 'broken')).toMatchObject({ status: 500, body: 'Internal Server Error' });
    await expect.poll(() => server.complaints.length).toBe(before + 1);
    expect(server.complaints.at(-1)).toContain('the keys cannot be read');
  });

  it('waits for a slow resolver, and others need not', async () => {
    const answered = fetch(`${server.url}/v1/projects`, { headers: credentialsOf('slow') });
    await expect.poll(() => door.waiting).toBe(1);
    expect((await fetch(`${server.url}/v1/projects`, { headers: credentialsOf('viewer') })).status).toBe(200);
    door.letIn();
    expect((await answered).status).toBe(200);
  });

  it('forgets a client that leaves in the meantime', async () => {
    const before = server.complaints.length;
    const leave = new AbortController();
    const url = `${server.url}/v1/projects`;
    const answered = fetch(url, { headers: credentialsOf('slow'), signal: leave.signal });
    await expect.poll(() => door.waiting).toBe(1);
    leave.abort();
    await expect(answered).rejects.toThrow();
    door.letIn();
    expect((await fetch(url, { headers: credentialsOf('viewer') })).status).toBe(200);
    expect(server.complaints.length).toBe(before);
  });

  it('is a page for anybody', async () => {
    for (const path of ['/', '/projects', '/docs', '/metrics']) {
      expect([401, 403, 500]).not.toContain(
        (await fetch(`${server.url}${path}`, { headers: credentialsOf('broken') })).status,
      );
    }
  });
});

describe('GraphQL', () => {
  async function ask<Data>(query: string, shown: Shown): Promise<GraphqlAnswer<Data>> {
    const response = await postGraphql(server.url, { query }, credentialsOf(shown));
    expect(response.status).toBe(200);
    return (await response.json()) as GraphqlAnswer<Data>;
  }

  it.each(['application/json', 'text/event-stream', 'multipart/mixed'])(
    'refuses who shows nothing before the operation is read, also where %s is wanted',
    async (accept) => {
      const headers = { 'content-type': 'application/json', accept };
      const refused = await askWithoutBody(`${server.url}/graphql`, 'POST', headers);
      expect(refused).toMatchObject({ status: 401, body: expect.stringMatching(/not authenticated/) });
      const expired = { ...headers, ...credentialsOf('expired') };
      const { status, body } = await askWithoutBody(`${server.url}/graphql`, 'POST', expired);
      expect([status, body]).toEqual([401, 'The token has expired.']);
    },
  );

  it('gives its page to those who may read', async () => {
    expect((await fetch(`${server.url}/graphql`)).status).toBe(401);
    const { status } = await fetch(`${server.url}/graphql`, { headers: credentialsOf('viewer') });
    expect([401, 403]).not.toContain(status);
  });

  const fields = (['query', 'mutation', 'subscription'] as const).flatMap((kind) =>
    Object.values(rootType(kind).getFields()).map((field) => ({
      kind,
      name: field.name,
      operation: operationOf(kind, field),
      access: (field.extensions['access'] as Permission).access,
    })),
  );

  it.each(fields.filter(({ access }) => !isAllowed({ kind: 'user', role: 'viewer', rowId: 1, name: '' }, access)))(
    '$kind $name refuses who may not',
    async ({ operation, name, access }) => {
      const { shown, message } = tooLittleFor(access);
      expect(await ask(operation, shown)).toMatchObject({
        errors: [
          {
            message: expect.stringMatching(message),
            path: [name],
            extensions: { code: 'permission_denied' },
          },
        ],
      });
    },
  );

  it.each(fields.filter(({ kind }) => kind === 'query'))(
    '$kind $name answers who may',
    async ({ operation, access }) => {
      const { errors = [] } = await ask(operation, access === 'admin' ? 'admin' : 'viewer');
      const codes = errors.map(({ extensions }) => extensions?.code);
      expect(codes.filter((code) => code === 'permission_denied' || code === 'internal')).toEqual([]);
    },
  );

  it('tells a viewer what changes', async () => {
    const body = traceBody([{ spanId: spanId(20) }]);
    const headers = { 'content-type': 'application/json', ...credentialsOf('member') };
    expect((await fetch(`${server.url}/v1/traces`, { method: 'POST', headers, body })).status).toBe(200);
    const found = await ask<{ getProjectByName: { id: string } }>(
      '{ getProjectByName(name: "default") { id } }',
      'viewer',
    );
    const query = `subscription { projectChanges(projectId: "${found.data?.getProjectByName.id}") { project { name } } }`;
    const accept = { accept: 'text/event-stream' };
    const stream = await postGraphql(server.url, { query }, { ...accept, ...credentialsOf('viewer') });
    for await (const event of readEvents(stream)) {
      expect(event).toEqual({ data: { projectChanges: { project: { name: 'default' } } } });
      break;
    }
  });

  it('says nothing of why its caller could not be found out, which is logged once', async () => {
    const before = server.complaints.length;
    const headers = { 'content-type': 'application/json', ...credentialsOf('broken') };
    const { status, body } = await askWithoutBody(`${server.url}/graphql`, 'POST', headers);
    expect([status, body]).toEqual([500, 'Internal Server Error']);
    await expect.poll(() => server.complaints.length).toBe(before + 1);
  });
});

describe('OTLP over HTTP', () => {
  const exports = Object.entries(describeApi(ROUTES).paths)
    .filter(([, operations]) => String(operations['post']?.['operationId']).startsWith('export'))
    .map(([path]) => path);
  const ways = exports.flatMap((path) => [path, `/api/public/otel${path}`, `/otel${path}`]);
  const post = (path: string, shown: Shown, url = server.url) =>
    askWithoutBody(`${url}${path}`, 'POST', { 'content-type': 'application/json', ...credentialsOf(shown) });

  it('has three paths for three signals', () => expect(ways).toHaveLength(9));

  it.each(ways)('%s refuses who may not, before the body', async (path) => {
    for (const url of [server.url, server.server.otlpHttpUrl ?? '']) {
      const nobody = await post(path, 'nothing', url);
      expect([nobody.status, JSON.parse(nobody.body)]).toEqual([
        401,
        { code: 16, message: expect.stringMatching(/not authenticated/) },
      ]);
      const viewer = await post(path, 'viewer', url);
      expect([viewer.status, JSON.parse(viewer.body)]).toEqual([
        403,
        { code: 7, message: 'Viewers cannot perform this action' },
      ]);
      expect(JSON.parse((await post(path, 'expired', url)).body)).toEqual({
        code: 16,
        message: 'The token has expired.',
      });
    }
  });

  it('says nothing of why its caller could not be found out, which is logged once', async () => {
    const before = server.complaints.length;
    const { status, body } = await post('/v1/traces', 'broken');
    expect([status, JSON.parse(body)]).toEqual([500, { code: 13, message: 'Internal Server Error' }]);
    await expect.poll(() => server.complaints.length).toBe(before + 1);
  });

  it('stores what was sent while its caller was found out', async () => {
    const body = traceBody([{ spanId: spanId(21) }]);
    const headers = { 'content-type': 'application/json', ...credentialsOf('slow') };
    const stored = fetch(`${server.url}/v1/traces`, { method: 'POST', headers, body });
    await expect.poll(() => door.waiting).toBe(1);
    door.letIn();
    expect((await stored).status).toBe(200);
  });
});

describe('gRPC', () => {
  const exports = [...GRPC_METHODS].filter(([, { signal }]) => signal !== null).map(([path]) => path);
  const [traces = ''] = exports;
  const message = frameMessage(
    encodeRequest(
      'application/x-protobuf',
      JSON.parse(Buffer.from(traceBody([{ spanId: spanId(22) }])).toString()) as object,
    ),
  );

  it.each(exports)('%s refuses who may not, before the message', async (path) => {
    expect(await grpc.call(path, credentialsOf('nothing'))).toMatchObject({ 'grpc-status': '16' });
    expect(await grpc.call(path, credentialsOf('viewer'))).toMatchObject({
      'grpc-status': '7',
      'grpc-message': 'Viewers cannot perform this action',
    });
    expect(await grpc.call(path, credentialsOf('expired'))).toMatchObject({
      'grpc-status': '16',
      'grpc-message': 'The token has expired.',
    });
  });

  it('tells anybody of its health', async () => {
    const health = '/grpc.health.v1.Health/Check';
    expect(await grpc.call(health, credentialsOf('broken'), frameMessage(new Uint8Array()))).toMatchObject({
      'grpc-status': '0',
    });
  });

  it('says nothing of why its caller could not be found out, which is logged once', async () => {
    const before = server.complaints.length;
    expect(await grpc.call(traces, credentialsOf('broken'))).toMatchObject({
      'grpc-status': '13',
      'grpc-message': 'Internal Server Error',
    });
    await expect.poll(() => server.complaints.length).toBe(before + 1);
  });

  it('stores what was sent while its caller was found out, unless that took too long', async () => {
    const stored = grpc.call(traces, credentialsOf('slow'), message);
    const late = grpc.call(traces, { ...credentialsOf('slow'), 'grpc-timeout': '10m' }, message);
    const empty = grpc.call(traces, credentialsOf('slow'), new Uint8Array());
    expect(await late).toMatchObject({ 'grpc-status': '4' });
    await expect.poll(() => door.waiting).toBe(3);
    door.letIn();
    expect(await stored).toMatchObject({ 'grpc-status': '0' });
    expect(await empty).toMatchObject({ 'grpc-status': '3' });
  });
});

function rootType(kind: 'query' | 'mutation' | 'subscription'): GraphQLObjectType {
  const type = {
    query: SCHEMA.getQueryType(),
    mutation: SCHEMA.getMutationType(),
    subscription: SCHEMA.getSubscriptionType(),
  };
  return type[kind] ?? expect.fail(`the schema has no ${kind}`);
}
