import { once } from 'node:events';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { ANYBODY } from '#api/caller';
import { currentSignal } from '#base/cancellation';
import { AppError } from '#base/errors';
import type { LogFields } from '#base/log';
import { CAIRN_VERSION } from '#base/version';
import { defineRoute, type Route } from '#api/rest/route';
import { AnswerBudget } from './answer-budget.ts';
import { ampleBodies } from './text-bodies.fixture.ts';
import { createHttpApp, type HttpAppOptions } from './http-app.ts';
import { registerOtlpHttp } from './otlp-http.ts';
import { RecordingReceiver } from './recording-receiver.ts';
import { serviceRoutes } from './service-routes.ts';
import { testPolicy } from '#api/test-policy.fixture';

const HOST = 'localhost:6006';

let app: FastifyInstance;
let logged: { message: string; fields: LogFields | undefined }[] = [];

afterEach(async () => {
  await app.close();
  logged = [];
});

function get(path: string, handler: Route['handler']): Route {
  return defineRoute({
    method: 'GET',
    path,
    operationId: path,
    summary: path,
    tag: 'test',
    access: testPolicy.read,
    ...(path.includes('{name}') && { params: z.object({ name: z.string() }) }),
    replies: {},
    handler: handler as never,
  });
}

function start(options: Partial<HttpAppOptions> = {}): FastifyInstance {
  const registry = new Registry();
  const receiver = new RecordingReceiver();
  const [onFault, onRefused] = [() => undefined, () => undefined];
  app = createHttpApp({
    isOpen: true,
    cookies: { isSecure: false, path: '/' },
    callers: ANYBODY,
    answers: new AnswerBudget(),
    textBodies: ampleBodies(),
    graphql: null,
    webUi: null,
    routes: [
      ...serviceRoutes(
        { isReady: async () => true, findStoringProblem: async () => null, describe: async () => ({}) },
        registry,
      ),
      ...(options.routes ?? []),
    ],
    receive: (scope) =>
      registerOtlpHttp(scope, () => receiver, {
        pathPrefix: '',
        maxBytes: 1000,
        bodyDeadlineMs: 1000,
        onFault,
        onRefused,
      }),
    rootPath: '',
    allowedHosts: ['localhost'],
    allowedOrigins: [],
    registry,
    log: {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: (message, fields) => logged.push({ message, fields }),
    },
    ...(options.readsEnd !== undefined && { readsEnd: options.readsEnd }),
    ...(options.trustedHosts !== undefined && { trustedHosts: options.trustedHosts, isOpen: false }),
    ...(options.rootPath !== undefined && { rootPath: options.rootPath }),
    ...(options.allowedOrigins !== undefined && { allowedOrigins: options.allowedOrigins }),
  });
  return app;
}

function inject(request: InjectOptions) {
  return app.inject({ ...request, headers: { host: HOST, ...request.headers } });
}

const FAILING = get('/v1/failing', async () => {
  throw new TypeError('the secret detail');
});

it('starts however long a busy machine takes to load a part of it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  start().register(async () => void (await vi.advanceTimersByTimeAsync(60_000)));
  await expect(app.ready()).resolves.toBe(app);
});

describe('every answer', () => {
  it.each([
    ['of a route', { url: '/healthz' }, 200],
    ['to an unknown path', { url: '/v1/unknown' }, 404],
    ['to a wrong method', { method: 'PUT', url: '/healthz' }, 405],
    ['to an address that cannot be decoded', { url: '/v1/%ff' }, 400],
    ['to a failed request', { url: '/v1/failing' }, 500],
    ['to a foreign page', { url: '/healthz', headers: { origin: 'http://evil.example' } }, 403],
    ['of the OTLP receiver', { method: 'POST', url: '/v1/traces', headers: { 'content-type': 'a/b' } }, 415],
  ] as const)('%s carries the versions and the headers that bind browsers', async (_name, request, status) => {
    start({ routes: [FAILING] });
    const response = await inject(request);
    expect(response.statusCode).toBe(status);
    expect(response.headers).toMatchObject({
      'x-phoenix-server-version': '20.26.0',
      'x-cairn-version': CAIRN_VERSION,
      'x-colab-notebook-cache-control': 'no-cache',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
  });
});

describe('errors', () => {
  it('masks what is not meant for the caller and logs it once', async () => {
    start({ routes: [FAILING] });
    const response = await inject({ url: '/v1/failing' });
    expect([response.body, response.headers['content-type']]).toEqual([
      'Internal Server Error',
      'text/plain; charset=utf-8',
    ]);
    expect(logged).toHaveLength(1);
    expect(logged[0]?.fields).toMatchObject({ method: 'GET', route: '/v1/failing', error: expect.any(TypeError) });
  });

  it('tells a message that is meant for the caller, and when to come again', async () => {
    const busy = get('/v1/busy', async () => {
      throw new AppError('unavailable', 'The disk is busy.', { retryAfterSeconds: 1.5 });
    });
    start({ routes: [busy] });
    const response = await inject({ url: '/v1/busy' });
    expect([response.statusCode, response.body, response.headers['retry-after']]).toEqual([
      503,
      'The disk is busy.',
      '2',
    ]);
    expect(logged).toEqual([]);
  });

  it('answers an unknown path as text that tells it from a missing resource, whatever the method', async () => {
    start();
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      const response = await inject({ method, url: '/v1/evaluations' });
      expect([response.statusCode, response.body]).toEqual([
        404,
        'This version does not offer this path. /openapi.json lists the paths that it offers.',
      ]);
      expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    }
  });

  it.each([
    ['/v1/trace', 'application/json'],
    ['/v1/traces/', 'application/json'],
    ['/v1/traces/v1/traces?x=1', 'application/json'],
    ['/opentelemetry/v1/logs', 'text/plain'],
    ['/', 'application/x-protobuf'],
  ])('tells an exporter that sends to %s as %s the right path, as OTLP says', async (url, contentType) => {
    start();
    const isProtobuf = contentType === 'application/x-protobuf';
    const response = await inject({ method: 'POST', url, headers: { 'content-type': contentType }, payload: '{}' });
    expect([response.statusCode, response.headers['content-type']]).toEqual([
      404,
      isProtobuf ? contentType : 'application/json',
    ]);
    expect(response.body).toContain('Send traces to /v1/traces');
    if (!isProtobuf) expect(JSON.parse(response.body)).toMatchObject({ code: 5 });
  });

  it('takes no evaluations for an export', async () => {
    start();
    const headers = { 'content-type': 'application/x-protobuf' };
    const response = await inject({ method: 'POST', url: '/v1/evaluations', headers, payload: 'x' });
    expect(response.statusCode).not.toBe(200);
    expect(response.body).not.toContain('Send traces');
  });

  it('names the methods of a path that has others, before it looks at the body', async () => {
    start();
    const headers = { 'content-type': 'text/csv' };
    const response = await inject({ method: 'POST', url: '/healthz', headers, payload: 'a,b' });
    expect([response.statusCode, response.headers['allow'], response.body]).toEqual([
      405,
      'GET, HEAD',
      'This version does not offer POST on this path, only GET, HEAD.',
    ]);
    for (const method of ['TRACE', 'PROPFIND', 'OPTIONS', 'QUERY'] as const) {
      const other = await inject({ method, url: '/healthz?x=1' });
      expect([other.statusCode, other.headers['allow']]).toEqual([405, 'GET, HEAD']);
    }
  });
});

describe('a read of a server that stops', () => {
  it('is answered with 503 when the server waits no longer', async () => {
    const begun = Promise.withResolvers<void>();
    const stop = new AbortController();
    const waiting = get('/v1/waiting', async () => {
      const signal = currentSignal();
      begun.resolve();
      if (signal !== undefined) await once(signal, 'abort');
      throw signal?.reason;
    });
    start({ routes: [waiting], readsEnd: stop.signal });
    const answer = inject({ url: '/v1/waiting' });
    await begun.promise;
    stop.abort(new AppError('unavailable', 'The server is stopping.', { retryAfterSeconds: 1 }));
    expect(await answer).toMatchObject({
      statusCode: 503,
      headers: { 'retry-after': '1' },
      body: 'The server is stopping.',
    });
    expect(logged).toEqual([]);
  });
});

describe('paths', () => {
  it('hands names over as they are, whatever is encoded in them', async () => {
    start({
      routes: [
        get('/v1/things/{name}/parts', async ({ params }: { params: { name: string } }) => ({ body: params.name })),
      ],
    });
    for (const name of ['a/b', '50%', '%2F', 'ü ?#', 'x'.repeat(3000)]) {
      const response = await inject({ url: `/v1/things/${encodeURIComponent(name)}/parts` });
      expect([response.statusCode, response.body]).toEqual([200, name]);
    }
    for (const [written, meant] of Object.entries({ '100%%20%c3%bc': '100% ü', '5%': '5%', 'a%zz%2': 'a%zz%2' })) {
      const response = await inject({ url: `/v1/things/${written}/parts` });
      expect([response.statusCode, response.body]).toEqual([200, meant]);
    }
  });

  it('are answered with the root path and without it', async () => {
    start({ rootPath: '/tools/cairn' });
    for (const url of ['/healthz', '/tools/cairn/healthz', '/tools/cairn/healthz?x=1']) {
      expect((await inject({ url })).body).toBe('OK');
    }
    expect((await inject({ url: '/tools/cairnhealthz' })).statusCode).toBe(404);
    expect((await inject({ url: '/tools/cairn' })).statusCode).toBe(404);
    const headers = { 'content-type': 'application/x-protobuf' };
    expect((await inject({ method: 'POST', url: '/tools/cairn/v1/traces', headers, payload: '' })).statusCode).toBe(
      200,
    );
  });
});

describe('foreign pages', () => {
  it('cannot send traces', async () => {
    start();
    const headers = { 'content-type': 'application/x-protobuf', origin: 'http://evil.example' };
    const response = await inject({ method: 'POST', url: '/v1/traces', headers, payload: '' });
    expect(response.statusCode).toBe(403);
  });

  it('cannot read through a name that they let resolve to this machine', async () => {
    start();
    const response = await inject({ url: '/v1/projects', headers: { host: 'evil.example:6006' } });
    expect(response.statusCode).toBe(403);
    expect(response.body).toContain('SERVICE_ALLOWED_HOSTS');
  });

  it('get no leave to read without being configured', async () => {
    start({ allowedOrigins: ['https://ui.example'] });
    const preflight = { origin: 'https://other.example', 'access-control-request-method': 'GET' };
    const response = await inject({ method: 'OPTIONS', url: '/v1/projects', headers: preflight });
    expect(response.statusCode).toBe(403);
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('may do everything with their credentials once they are configured', async () => {
    start({ allowedOrigins: ['https://ui.example'] });
    const origin = 'https://ui.example';
    const preflight = await inject({
      method: 'OPTIONS',
      url: '/v1/traces',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'content-type',
    });
    const response = await inject({ url: '/healthz', headers: { origin } });
    expect([response.body, response.headers['access-control-allow-origin']]).toEqual(['OK', origin]);
    expect(response.headers['vary']).toContain('origin');
  });
});

describe('compression', () => {
  const text = 'span '.repeat(1000);
  const routes = [get('/v1/large', async () => ({ body: text })), get('/v1/small', async () => ({ body: 'small' }))];

  it('sends large answers in gzip to those who take it', async () => {
    start({ routes });
    const response = await inject({ url: '/v1/large', headers: { 'accept-encoding': 'br, gzip;q=0.5' } });
    expect(response.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(gunzipSync(response.rawPayload).toString()).toBe(text);
    expect(response.headers['content-length']).toBe(String(response.rawPayload.length));
  });

  it.each(['gzip, deflate, br, zstd', 'ZSTD', 'gzip;q=0, *'])('prefers zstd where %s takes it', async (accept) => {
    start({ routes });
    const response = await inject({ url: '/v1/large', headers: { 'accept-encoding': accept } });
    expect(response.headers['content-encoding']).toBe('zstd');
    expect(zstdDecompressSync(response.rawPayload).toString()).toBe(text);
    expect(response.headers['content-length']).toBe(String(response.rawPayload.length));
  });

  it('gives back the bytes of large answers, of which each is whole', async () => {
    const line = `${text}\n`.repeat(100);
    const made: Buffer[] = [];
    const large = get('/v1/huge', async () => {
      const body = Buffer.from(line);
      made.push(body);
      return { body };
    });
    start({ routes: [large] });
    for (const accept of ['identity', 'zstd', 'identity']) {
      const { rawPayload } = await inject({ url: '/v1/huge', headers: { 'accept-encoding': accept } });
      expect((accept === 'zstd' ? zstdDecompressSync(rawPayload) : rawPayload).toString()).toBe(line);
    }
    await expect.poll(() => made.map(({ length }) => length)).toEqual([0, 0, 0]);
  });

  it('tells caches of whatever else an answer depends on', async () => {
    start({ routes, allowedOrigins: ['https://ui.example'] });
    const response = await inject({ url: '/v1/large', headers: { origin: 'https://ui.example' } });
    expect(response.headers['vary']?.split(', ').sort()).toEqual(['accept-encoding', 'origin']);
  });

  it.each([
    ['a client that refuses them', '/v1/large', 'gzip;q=0, *;q=0.0'],
    ['a client that names neither', '/v1/large', 'br'],
    ['a small answer', '/v1/small', 'gzip'],
  ])('leaves %s alone', async (_name, url, acceptEncoding) => {
    start({ routes });
    const response = await inject({ url, headers: { 'accept-encoding': acceptEncoding } });
    expect(response.headers['content-encoding']).toBeUndefined();
  });
});

it('times requests by their route as declared, so that names of things make no series', async () => {
  start({ routes: [get('/v1/things/{name}', async () => ({ body: 'x' }))] });
  await inject({ url: '/v1/things/first' });
  await inject({ url: '/nowhere' });
  const { body } = await inject({ url: '/metrics' });
  expect(body).toContain('cairn_http_request_seconds_count{method="GET",route="/v1/things/:name",status="200"} 1');
  expect(body).toContain('cairn_http_request_seconds_count{method="GET",route="none",status="404"} 1');
});

describe('while callers authenticate', () => {
  const ask = (headers: Record<string, string>) =>
    app.inject({ url: '/healthz', headers: { host: 'cairn.example', ...headers } });

  it('pages of untrusted hosts are refused on every path, and hosts are not', async () => {
    start({ trustedHosts: ['app.example'] });
    expect((await ask({})).statusCode).toBe(200);
    expect((await ask({ origin: 'https://app.example' })).statusCode).toBe(200);
    for (const url of ['/healthz', '/nowhere', '/v1/traces']) {
      const { statusCode, headers, body } = await app.inject({ url, headers: { referer: 'https://evil.example/' } });
      expect([statusCode, headers['content-type']]).toEqual([401, 'text/plain; charset=utf-8']);
      expect(body).toContain('SERVICE_CSRF_TRUSTED_ORIGINS');
    }
  });

  it('all pages are let in without a list', async () => {
    start({ trustedHosts: null });
    expect((await ask({ origin: 'https://evil.example' })).statusCode).toBe(200);
  });
});
