/** The headers that bind browsers are on every kind of answer. */
import { readFileSync } from 'node:fs';
import { request, type RequestOptions } from 'node:https';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AS_ADMIN, ASKING } from '../harness/asking-server.ts';
import { findFreePort } from '../harness/free-port.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

const HTML = { accept: 'text/html' };
const JSON_TYPE = { 'content-type': 'application/json' };
const ca = readFileSync(fixture('authority.pem'));

interface Asked {
  readonly what: string;
  readonly path: string;
  readonly options: RequestOptions;
  readonly body?: string;
}

/** Of what a server without a build of its pages serves too; its pages are a text then. */
const LINES: readonly (readonly [string, string, RequestOptions, string?])[] = [
  ['a page', '/', { headers: HTML }],
  ['a page of the router', '/projects/abc', { headers: HTML }],
  ['the page of an unknown address', '/nowhere', { headers: HTML }],
  ['health', '/healthz', {}],
  ['a list over REST', '/v1/projects', {}],
  ['an unknown path', '/v1/nowhere', {}],
  ['a wrong method', '/v1/projects', { method: 'PATCH' }],
  ['a missing thing', '/v1/projects/nowhere', {}],
  ['a malformed body', '/v1/projects/default/retention', { method: 'PATCH', headers: JSON_TYPE }, '{'],
  ['an address that cannot be decoded', '/v1/%ff', {}],
  ['a page of another origin', '/v1/projects', { headers: { origin: 'https://evil.example' } }],
  ['another host', '/v1/projects', { headers: { host: 'evil.example' } }],
  [
    'what another origin may ask',
    '/v1/projects',
    { method: 'OPTIONS', headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' } },
  ],
  ['the document of the interface', '/openapi.json', {}],
  ['the page of the documentation', '/docs', { headers: HTML }],
  ['metrics', '/metrics', {}],
  ['the page of GraphQL', '/graphql', { headers: HTML }],
  ['an operation', '/graphql', { method: 'POST', headers: JSON_TYPE }, '{"query":"{ __typename }"}'],
  ['a malformed operation', '/graphql', { method: 'POST', headers: JSON_TYPE }, '{"query":"{"}'],
  ['an export', '/v1/traces', { method: 'POST', headers: JSON_TYPE }, '{"resourceSpans":[]}'],
  ['a malformed export', '/v1/traces', { method: 'POST', headers: { 'content-type': 'application/x-protobuf' } }, 'x'],
  ['an export of an unknown type', '/v1/logs', { method: 'POST', headers: { 'content-type': 'a/b' } }, 'x'],
];
const ANSWERS = LINES.map(
  ([what, path, options, body]): Asked => ({ what, path, options, ...(body !== undefined && { body }) }),
);

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({
    TLS_ENABLED: 'true',
    TLS_CERT_FILE: fixture('server-certificate.pem'),
    TLS_KEY_FILE: fixture('server-key.pem'),
    ALLOWED_ORIGINS: 'https://app.example',
    METRICS_PORT: '0',
  });
});
afterAll(() => server[Symbol.asyncDispose]());

describe('under TLS', () => {
  it.each(ANSWERS)('$what has them', async ({ path, options, body }) => {
    const { headers, content } = await ask(`${server.url}${path}`, options, body);
    expectBound(headers, content);
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });

  it('what is no request has them', async () => {
    const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', ca, servername: 'localhost' });
    await once(socket, 'secureConnect');
    socket.write('nonsense\r\n\r\n');
    const [head = ''] = (await text(socket)).split('\r\n\r\n');
    const lines = head.split('\r\n').slice(1);
    const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]));
    expectBound(headers, '');
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });

  it('a stream of events has them from its beginning', async () => {
    const sent = request(`${server.url}/graphql`, {
      method: 'POST',
      headers: { ...JSON_TYPE, accept: 'text/event-stream' },
      ca,
      servername: 'localhost',
      agent: false,
    });
    const project = Buffer.from('Project:1').toString('base64');
    sent.end(JSON.stringify({ query: `subscription { projectChanges(projectId: "${project}") { changedAt } }` }));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.destroy();
    expect(response.headers['content-type']).toMatch(/^text\/event-stream/);
    expectBound(response.headers, '');
  });

  it('metrics at a port of their own have them, in clear and without a promise of TLS', async () => {
    const response = await fetch(server.server.metricsUrl ?? '');
    expect(await response.text()).toContain('cairn_ingest_spans_total');
    expectBound(Object.fromEntries(response.headers), '');
    expect(response.headers.get('strict-transport-security')).toBeNull();
  });
});

describe('where callers authenticate', () => {
  it('refusals and redirects have them', async () => {
    await using asking = await startTestServer({ ...ASKING, CSRF_TRUSTED_ORIGINS: 'https://app.example' });
    const statusOf = async (path: string, options: RequestInit = {}) => {
      const response = await fetch(`${asking.url}${path}`, { redirect: 'manual', ...options });
      expectBound(Object.fromEntries(response.headers), await response.text());
      return response.status;
    };
    for (const path of ['/v1/projects', '/v1/nowhere', '/graphql', '/docs', '/openapi.json', '/metrics']) {
      expect([path, await statusOf(path, { headers: HTML })]).toEqual([path, 401]);
    }
    expect(await statusOf('/v1/traces', { method: 'POST', headers: JSON_TYPE, body: '{}' })).toBe(401);
    expect(await statusOf('/v1/projects', { headers: { ...AS_ADMIN, origin: 'https://evil.example' } })).toBe(401);
    expect(await statusOf('/auth/logout')).toBe(302);
    expect(await statusOf('/docs', { headers: { ...AS_ADMIN, ...HTML } })).toBe(200);
    const login = { method: 'POST', headers: JSON_TYPE, body: '{"email":"admin@localhost","password":"admin"}' };
    const signedIn = await fetch(`${asking.url}/auth/login`, login);
    expectBound(Object.fromEntries(signedIn.headers), '');
    const cookie = signedIn.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
    expect(await statusOf('/v1/projects', { headers: { cookie: cookie.join('; ') } })).toBe(403);
  });
});

describe('in clear', () => {
  it.each([
    [undefined, null],
    ['http://cairn.example.com', null],
    ['https://cairn.example.com', 'max-age=31536000'],
  ])('where people reach the server at %s, browsers are told %s', async (rootUrl, told) => {
    const port = await findFreePort();
    await using other = await startTestServer({
      PORT: String(port),
      ...(rootUrl !== undefined && { ROOT_URL: rootUrl }),
    });
    expect(other.complaints).toEqual([]);
    for (const path of ['/', '/v1/projects', '/nowhere', '/v1/%ff']) {
      const { headers } = await fetch(`http://127.0.0.1:${port}${path}`);
      expect([path, headers.get('strict-transport-security')]).toEqual([path, told]);
    }
  });
});

function expectBound(headers: Readonly<Record<string, unknown>>, content: string): void {
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  });
  const policy = String(headers['content-security-policy']).split('; ');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy.filter((line) => line.startsWith('script-src') && line !== "script-src 'self'")).toEqual([]);
  expect(policy.join()).not.toContain('unsafe');
  if (!String(headers['content-type']).startsWith('text/html')) return;
  expect(headers['cross-origin-opener-policy']).toBe('same-origin');
  const scripts = [...content.matchAll(/<script\b([^>]*)>/g)].map(([, attributes = '']) => attributes);
  expect(scripts.filter((attributes) => !/ src=|type="application\/json"/.test(attributes))).toEqual([]);
  expect(content).not.toMatch(/<[^>]+ on[a-z]+=/);
}

async function ask(url: string, options: RequestOptions, body?: string) {
  const sent = request(url, { ...options, ca, servername: 'localhost', agent: false });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { headers: response.headers, content: await text(response) };
}

function fixture(name: string): string {
  return new URL(`../fixtures/tls/${name}`, import.meta.url).pathname;
}
