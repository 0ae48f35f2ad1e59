/** How a whole server finds out who sends a request, by every way in. Who may have what: `access/`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { frameMessage } from '#server/otlp-grpc/framing';
import { spanId, traceBody } from '../harness/otlp-json.ts';
import { encodeRequest } from '../harness/otlp-client.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { askWithoutBody, credentialsOf, Doorkeeper, GrpcCaller, type Shown } from './callers.fixture.ts';

const door = new Doorkeeper();
let server: TestServer;
let grpc: GrpcCaller;

beforeAll(async () => {
  server = await startTestServer({}, door.callers);
  grpc = new GrpcCaller(server.grpcAddress);
});

afterAll(async () => {
  await grpc[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

describe('a route', () => {
  const ask = (path: string, shown: Shown) =>
    askWithoutBody(`${server.url}${path}`, 'POST', { 'content-type': 'application/json', ...credentialsOf(shown) });

  it('refuses whom its resolver refuses, in its words', async () => {
    const { status, headers, body } = await ask('/v1/spans', 'expired');
    expect([status, headers['content-type'], body]).toEqual([
      401,
      'text/plain; charset=utf-8',
      'The token has expired.',
    ]);
  });

  it('says nothing of why its caller could not be found out, which is logged once', async () => {
    const before = server.complaints.length;
    expect(await ask('/v1/spans', 'broken')).toMatchObject({ status: 500, body: 'Internal Server Error' });
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
    for (const path of ['/', '/projects', '/healthz', '/arize_phoenix_version']) {
      expect([401, 403, 500]).not.toContain(
        (await fetch(`${server.url}${path}`, { headers: credentialsOf('broken') })).status,
      );
    }
  });
});

describe('GraphQL', () => {
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

  it('says nothing of why its caller could not be found out, which is logged once', async () => {
    const before = server.complaints.length;
    const headers = { 'content-type': 'application/json', ...credentialsOf('broken') };
    const { status, body } = await askWithoutBody(`${server.url}/graphql`, 'POST', headers);
    expect([status, body]).toEqual([500, 'Internal Server Error']);
    await expect.poll(() => server.complaints.length).toBe(before + 1);
  });
});

describe('OTLP over HTTP', () => {
  const post = (shown: Shown) =>
    askWithoutBody(`${server.url}/v1/traces`, 'POST', { 'content-type': 'application/json', ...credentialsOf(shown) });

  it('refuses with a status of OTLP', async () => {
    const refusals = (['nothing', 'expired', 'viewer'] as const).map(async (shown) => {
      const { status, body } = await post(shown);
      return [status, JSON.parse(body) as unknown];
    });
    expect(await Promise.all(refusals)).toEqual([
      [401, { code: 16, message: expect.stringMatching(/not authenticated/) }],
      [401, { code: 16, message: 'The token has expired.' }],
      [403, { code: 7, message: 'Viewers cannot perform this action' }],
    ]);
  });

  it('says nothing of why its caller could not be found out, which is logged once', async () => {
    const before = server.complaints.length;
    const { status, body } = await post('broken');
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
  const traces = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
  const message = frameMessage(
    encodeRequest(
      'application/x-protobuf',
      JSON.parse(Buffer.from(traceBody([{ spanId: spanId(22) }])).toString()) as object,
    ),
  );

  it('refuses whom its resolver refuses, in its words', async () => {
    expect(await grpc.call(traces, credentialsOf('expired'))).toMatchObject({
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
