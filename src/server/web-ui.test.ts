import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANYBODY } from '#api/caller';
import { defineRoute } from '#api/rest/route';
import { testPolicy } from '#api/test-policy.fixture';
import { NOBODY } from '#domain/caller';
import { AnswerBudget } from './answer-budget.ts';
import { ampleBodies } from './text-bodies.fixture.ts';
import { createHttpApp } from './http-app.ts';
import type { FindPage } from './redirects.ts';

const SCRIPT = 'console.log("the script")';
const LOG = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const METRICS = defineRoute({
  method: 'GET',
  path: '/metrics',
  operationId: 'metrics',
  summary: 'Metrics',
  tag: 'test',
  access: testPolicy.read,
  replies: {},
  handler: async () => ({ body: 'metrics' }),
});

let folder: string;
let app: FastifyInstance;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-web-ui-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'assets/index-abc.js'), SCRIPT);
  writeFileSync(join(folder, 'assets/index-abc.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>');
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><head><script src="./assets/index-abc.js"></script></head>',
  );
});
afterEach(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

async function start(
  rootPath = '',
  grpcAddress = 'localhost:4317',
  callers = ANYBODY,
  findPage?: FindPage,
): Promise<void> {
  app = createHttpApp({
    isOpen: true,
    cookies: { isSecure: false, path: '/' },
    callers,
    routes: [METRICS],
    answers: new AnswerBudget(),
    textBodies: ampleBodies(),
    graphql: null,
    receive: () => undefined,
    webUi: { grpcAddress: () => grpcAddress, folder, ...(findPage && { findPage }) },
    rootPath,
    allowedHosts: ['localhost'],
    allowedOrigins: [],
    registry: null,
    log: LOG,
  });
  await app.ready();
}

function get(url: string, headers: Record<string, string> = {}) {
  return app.inject({ url, headers: { host: 'localhost', ...headers } });
}

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('the page', () => {
  it.each(['/', '/projects', '/projects/UHJvamVjdDox/traces/0af7'])('answers %s', async (url) => {
    await start();
    const { statusCode, body, headers } = await get(url);
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(body).toContain('src="/assets/index-abc.js"');
  });

  it('answers below the root path, and names its files there', async () => {
    await start('/tools/cairn');
    const { body } = await get('/tools/cairn/projects');
    expect(body).toContain('src="/tools/cairn/assets/index-abc.js"');
    expect((await get('/tools/cairn/assets/index-abc.js')).body).toBe(SCRIPT);
    expect(configIn(body)).toMatchObject({ rootPath: '/tools/cairn' });
  });

  it('tells the script what it cannot know, in a block that nothing in it can end', async () => {
    await start('', '</script><script>alert(1)</script>:4317');
    const { body } = await get('/projects');
    expect(body.match(/<\/script>/g)).toHaveLength(2);
    expect(configIn(body)).toMatchObject({ grpcAddress: '</script><script>alert(1)</script>:4317' });
  });

  it('allows no script but its own, and a style only with a nonce that is new for every answer', async () => {
    await start();
    const [first, second] = await Promise.all([get('/projects'), get('/projects')]);
    const policy = String(first.headers['content-security-policy']);
    expect(policy).toContain("script-src 'self';");
    expect(first.headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(policy).not.toContain('unsafe');
    const nonce = /nonce="([^"]+)"/.exec(first.body)?.[1] ?? '';
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
    expect(second.body).not.toContain(nonce);
  });

  it('answers people in a browser with 404 where nothing is, and scripts with a text', async () => {
    await start();
    const page = await get('/nowhere', BROWSER);
    expect(page.statusCode).toBe(404);
    expect(page.body).toContain('index-abc.js');
    expect((await get('/nowhere')).headers['content-type']).toBe('text/plain; charset=utf-8');
    expect((await get('/v1/nowhere', BROWSER)).headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  it('says what to do where the UI was not built', async () => {
    rmSync(join(folder, 'index.html'));
    await start();
    const { statusCode, body } = await get('/projects', BROWSER);
    expect(statusCode).toBe(503);
    expect(body).toContain('npm run build');
  });
});

describe('a stable address', () => {
  const wayOf = async (url: string, headers: Record<string, string> = {}) => {
    const { statusCode, headers: answered, body } = await get(url, headers);
    return [statusCode, answered.location ?? body];
  };

  it('leads below the root path, whatever characters the id has', async () => {
    const asked: unknown[] = [];
    await start('/tools/cairn', 'localhost:4317', ANYBODY, async (_caller, kind, id) => {
      asked.push([kind, id]);
      return '/projects/UHJvamVjdDox';
    });
    for (const path of [
      '/tools/cairn/redirects/projects/a%20%2F%20b',
      '/redirects/sessions/x/y%3Fz',
      '/redirects/spans/50%',
    ]) {
      expect(await wayOf(path)).toEqual([302, '/tools/cairn/projects/UHJvamVjdDox']);
    }
    expect(asked).toEqual([
      ['projects', 'a / b'],
      ['sessions', 'x/y?z'],
      ['spans', '50%'],
    ]);
  });

  it('is the page that says so where nothing has the id, or none is given', async () => {
    await start('', 'localhost:4317', ANYBODY, async () => undefined);
    for (const path of ['/redirects/traces/none', '/redirects/traces/', '/redirects/traces', '/redirects/']) {
      expect(await wayOf(path), path).toEqual([404, expect.stringContaining('index-abc.js')]);
    }
  });
});

describe('somebody who is not signed in', () => {
  it.each([
    ['with the page for signing in', '<!doctype html><head></head>sign in', 'text/html; charset=utf-8'],
    ['with a text where the UI was not built', undefined, 'text/plain; charset=utf-8'],
  ])('gets 401 %s', async (_how, page, contentType) => {
    if (page !== undefined) writeFileSync(join(folder, 'sign-in.html'), page);
    await start('', 'localhost:4317', { resolve: async () => NOBODY, stillHolds: async () => true });
    const { statusCode, headers } = await get('/metrics', BROWSER);
    expect([statusCode, headers['content-type']]).toEqual([401, contentType]);
    expect(headers['www-authenticate']).toBe('Bearer realm="cairn"');
    expect((await get('/metrics')).headers['content-type']).toBe('text/plain; charset=utf-8');
    // Signs in first: the page leads on to the address that was asked for.
    expect((await get('/redirects/traces/0af7', BROWSER)).statusCode).toBe(401);
  });
});

describe('a file of the page', () => {
  it('is kept by browsers for ever when its name holds its digest, and asked for again when not', async () => {
    await start();
    expect((await get('/assets/index-abc.js')).headers['cache-control']).toContain('immutable');
    expect((await get('/favicon.svg')).headers['cache-control']).toBe('no-cache');
  });

  it('is sent compressed to those who take it so', async () => {
    await start();
    const { headers, rawPayload } = await get('/assets/index-abc.js', { 'accept-encoding': 'gzip, br' });
    expect(headers['content-encoding']).toBe('br');
    expect(headers['content-type']).toContain('javascript');
    expect(brotliDecompressSync(rawPayload).toString()).toBe(SCRIPT);
  });

  it.each([
    '/assets/..%2findex.html',
    '/assets/../../etc/passwd',
    '/index.html',
    '/assets/index-abc.js.br',
    '/assets/',
  ])('is not to be had at %s', async (url) => {
    await start();
    expect((await get(url)).statusCode).toBe(404);
  });
});

function configIn(body: string): unknown {
  return JSON.parse(/id="cairn-config">(.*?)<\/script>/.exec(body)?.[1] ?? '');
}
