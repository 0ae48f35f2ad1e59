/** Signing in to a whole server. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CookieBrowser } from '../harness/cookie-browser.ts';
import { findFreePort } from '../harness/free-port.ts';
import { exportTraces } from '../harness/otlp-client.ts';
import { spanId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

const ADMIN_SECRET = 'another-long-secret-of-this-test-01234';
const ON = { ENABLE_AUTH: 'true', SECRET: 'a-long-secret-of-this-test-0123456789', ADMIN_SECRET };
const BOTH = ['phoenix-access-token', 'phoenix-refresh-token'] as const;
const PASSWORD = 'correct-horse';

interface Person {
  readonly id: string;
  readonly email: string;
}

/** An account that chose its password. */
async function addPerson(url: string, name: string): Promise<Person> {
  const email = `${name}@example.com`;
  const response = await fetch(`${url}/v1/users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      user: { email, username: name, role: 'MEMBER', auth_method: 'LOCAL', password: 'first-password' },
      send_welcome_email: false,
    }),
  });
  if (response.status !== 201) throw new Error(await response.text());
  const { data } = (await response.json()) as { data: { id: string } };
  const browser = new CookieBrowser(url);
  expect(await browser.logIn(email, 'first-password')).toBe(204);
  expect(await changePassword(browser, 'first-password', PASSWORD)).toMatchObject({ data: { patchViewer: {} } });
  return { id: data.id, email };
}

function changePassword(browser: CookieBrowser, current: string, next: string): Promise<unknown> {
  const input = `{ currentPassword: ${JSON.stringify(current)}, newPassword: ${JSON.stringify(next)} }`;
  return browser.ask(`mutation { patchViewer(input: ${input}) { user { username } } }`);
}

async function askAsAdmin(url: string, query: string): Promise<unknown> {
  return new CookieBrowser(url, { authorization: `Bearer ${ADMIN_SECRET}` }).ask(query);
}

describe('a server that asks for credentials', () => {
  let server: TestServer;
  let url: string;
  let ada: Person;

  beforeAll(async () => {
    server = await startTestServer({ ...ON, DISABLE_RATE_LIMIT: 'true', TRUSTED_PROXIES: '127.0.0.1' });
    ({ url } = server);
    ada = await addPerson(url, 'ada');
  });

  afterAll(() => server[Symbol.asyncDispose]());

  const logIn = async ({ email } = ada, browser = new CookieBrowser(url)) => {
    expect(await browser.logIn(email, PASSWORD)).toBe(204);
    return browser;
  };
  const fail = async (times: number, email: string) => {
    for (let time = 0; time < times; time++) expect(await new CookieBrowser(url).logIn(email, 'wrong')).toBe(401);
  };
  const read = async (browser: CookieBrowser) => (await browser.send('GET', '/v1/projects')).status;

  it('refuses even the right password after five wrong ones, in any spelling of the address', async () => {
    const bob = await addPerson(url, 'bob');
    await fail(3, bob.email);
    await fail(2, ' BOB@Example.com ');
    for (const email of [bob.email, ' Bob@EXAMPLE.COM']) {
      const { status, text, headers } = await new CookieBrowser(url).send('POST', '/auth/login', {
        email,
        password: PASSWORD,
      });
      expect([status, headers.get('content-type'), text]).toEqual([
        429,
        'text/plain; charset=utf-8',
        'Too many wrong passwords. Try again later.',
      ]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(290);
    }
  });

  it('counts from the beginning after a right one', async () => {
    const cy = await addPerson(url, 'cy');
    for (let round = 0; round < 2; round++) {
      await fail(4, cy.email);
      await logIn(cy);
    }
  });

  it('lets an administrator unlock an account, who sees that it is locked', async () => {
    const dan = await addPerson(url, 'dan');
    const isLocked = () => askAsAdmin(url, `{ node(id: "${dan.id}") { ... on User { isLocked } } }`);
    expect(await isLocked()).toEqual({ data: { node: { isLocked: false } } });
    await fail(5, dan.email);
    expect(await isLocked()).toEqual({ data: { node: { isLocked: true } } });
    const unlock = `mutation { unlockUser(input: { userId: "${dan.id}" }) { user { username isLocked } } }`;
    const member = await logIn();
    expect(await member.ask(unlock)).toMatchObject({ errors: [{ message: 'Only admin can perform this action' }] });
    expect(await askAsAdmin(url, unlock)).toEqual({
      data: { unlockUser: { user: { username: 'dan', isLocked: false } } },
    });
    await logIn(dan);
    await fail(5, dan.email);
    const reset = `mutation { patchUser(input: { userId: "${dan.id}", newPassword: "by-the-admin" }) { user { isLocked } } }`;
    expect(await askAsAdmin(url, reset)).toEqual({ data: { patchUser: { user: { isLocked: false } } } });
    expect(await new CookieBrowser(url).logIn(dan.email, 'by-the-admin')).toBe(204);
  });

  it('counts wrong current passwords of somebody who is signed in, whom strangers cannot lock out of that', async () => {
    const eve = await addPerson(url, 'eve');
    const browser = await logIn(eve);
    await fail(5, eve.email);
    for (let time = 0; time < 5; time++) {
      expect(await changePassword(browser, 'wrong', 'another-horse')).toMatchObject({
        errors: [{ message: 'The current password is wrong.' }],
      });
    }
    expect(await changePassword(browser, PASSWORD, 'another-horse')).toMatchObject({
      errors: [{ message: 'Too many wrong passwords. Try again later.' }],
    });
  });

  it('signs out everywhere at once, also with the refresh token alone, and never fails for strangers', async () => {
    const [one, other, third] = [await logIn(), await logIn(), await logIn()];
    expect([await read(one), await read(other)]).toEqual([200, 200]);
    const out = await one.copy('phoenix-refresh-token').send('GET', '/auth/logout');
    expect([out.status, out.headers.get('location')]).toEqual([302, '/login']);
    expect([await read(one), await read(other), await read(third)]).toEqual([401, 401, 401]);
    expect((await other.send('POST', '/auth/refresh')).status).toBe(401);
    expect((await new CookieBrowser(url).send('GET', '/auth/logout')).status).toBe(302);
  });

  it.each([
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  ])('signs nobody out for a page of another origin: %j', async (headers) => {
    const browser = await logIn();
    const led = new CookieBrowser(url, headers);
    for (const [name, value] of browser.cookies) led.cookies.set(name, value);
    const out = await led.send('GET', '/auth/logout');
    expect([out.status, out.headers.get('location'), out.headers.getSetCookie()]).toEqual([302, '/login', []]);
    expect([await read(browser), led.cookies]).toEqual([200, browser.cookies]);
    const own = new CookieBrowser(url, { ...headers, 'sec-fetch-site': 'same-origin' });
    for (const [name, value] of browser.cookies) own.cookies.set(name, value);
    expect((await own.send('GET', '/auth/logout')).headers.getSetCookie()).toHaveLength(2);
    expect(await read(browser)).toBe(401);
  });

  it('takes a refresh token once: the access token before dies with it, and both with a second use', async () => {
    const browser = await logIn();
    const before = browser.copy(...BOTH);
    expect((await browser.send('POST', '/auth/refresh')).status).toBe(204);
    expect([await read(before), await read(browser)]).toEqual([401, 200]);
    const again = await before.send('POST', '/auth/refresh');
    expect([again.status, again.headers.get('content-type')]).toEqual([401, 'text/plain; charset=utf-8']);
    expect(await read(browser)).toBe(401);
  });

  it('renews the tokens of a browser once, however many of its pages ask at the same time', async () => {
    const browser = await logIn();
    const pages = Array.from({ length: 5 }, () => browser.copy(...BOTH));
    const answers = await Promise.all(pages.map((page) => page.send('POST', '/auth/refresh')));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(4);
  });

  it.each<[string, (parts: readonly string[]) => string]>([
    ['header', ([head = '', body, signature]) => `${head.slice(1)}.${body}.${signature}`],
    ['payload', ([head, body = '', signature]) => `${head}.${body.slice(0, -2)}.${signature}`],
    ['signature', ([head, body]) => `${head}.${body}.`],
  ])('refuses a token with a truncated %s', async (_part, truncate) => {
    const browser = await logIn();
    for (const name of BOTH) {
      browser.cookies.set(name, truncate(browser.cookies.get(name)?.split('.') ?? []));
    }
    expect([await read(browser), (await browser.send('POST', '/auth/refresh')).status]).toEqual([401, 401]);
  });

  it('gives an account that must choose a password a sign-in that can do nothing else', async () => {
    const browser = new CookieBrowser(url);
    expect(await browser.logIn('admin@localhost', 'admin')).toBe(204);
    expect(await browser.ask('{ viewer { username passwordNeedsReset } }')).toEqual({
      data: { viewer: { username: 'admin', passwordNeedsReset: true } },
    });
    expect(await read(browser)).toBe(403);
    expect((await browser.send('POST', '/auth/refresh')).status).toBe(204);
    expect((await browser.send('GET', '/auth/logout')).status).toBe(302);
  });

  it('answers a malformed body with 422, and what is missing with 401', async () => {
    const send = (body: string) =>
      fetch(`${url}/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    for (const body of ['{', '[]', 'null', '"x"', '{"email":{},"password":"x"}']) {
      expect([body, (await send(body)).status]).toEqual([body, 422]);
    }
    for (const body of ['{"email":"a@example.com","password":20261123}', `{"password":"${'typed'.repeat(1000)}"}`]) {
      expect(await (await send(body)).text()).not.toMatch(/20261123|typed/);
    }
    const missing = await send('{"email":"a@example.com"}');
    expect([missing.status, missing.headers.get('content-type'), await missing.text()]).toEqual([
      401,
      'text/plain; charset=utf-8',
      'Email and password required',
    ]);
  });

  it('logs from where somebody signed in, behind a proxy that is trusted', async () => {
    await logIn(ada, new CookieBrowser(url, { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' }));
    const rows = await server.data.rows(
      `SELECT caller_name, address FROM audit_events WHERE operation = 'signIn.login' ORDER BY id`,
    );
    expect(rows.at(-1)).toEqual({ caller_name: 'ada', address: '198.51.100.7' });
  });

  it('lets pages of any host in, as long as none are named', async () => {
    expect((await fetch(`${url}/healthz`, { headers: { origin: 'https://evil.example' } })).status).toBe(200);
  });
});

it('a lock and a sign-in outlive the server, and a lock ends after five minutes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-lock-'));
  const settings = { ...ON, DISABLE_RATE_LIMIT: 'true', WORKING_DIR: folder };
  const fail = async (times: number, server: TestServer, email: string) => {
    for (let time = 0; time < times; time++)
      expect(await new CookieBrowser(server.url).logIn(email, 'wrong')).toBe(401);
  };
  try {
    let cookies: ReadonlyMap<string, string>;
    {
      await using server = await startTestServer(settings);
      const { email } = await addPerson(server.url, 'ada');
      const browser = new CookieBrowser(server.url);
      expect(await browser.logIn(email, PASSWORD)).toBe(204);
      ({ cookies } = browser);
      await fail(5, server, email);
    }
    {
      await using server = await startTestServer(settings);
      expect(await new CookieBrowser(server.url).logIn('ada@example.com', PASSWORD)).toBe(429);
      const browser = new CookieBrowser(server.url);
      for (const [name, value] of cookies) browser.cookies.set(name, value);
      expect((await browser.send('GET', '/v1/projects')).status).toBe(200);
      // It signed in before, so that others cannot lock it out.
      expect(await browser.logIn('ada@example.com', PASSWORD)).toBe(204);
    }
    const database = new Database(join(folder, 'cairn.db'));
    database.exec('UPDATE sign_in_attempts SET locked_until_us = locked_until_us - 300000000');
    database.close();
    await using server = await startTestServer(settings);
    await fail(4, server, 'ada@example.com');
    expect(await new CookieBrowser(server.url).logIn('ada@example.com', PASSWORD)).toBe(204);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

describe('a server with trusted origins', () => {
  let server: TestServer;
  let address: string;

  beforeAll(async () => {
    const port = String(await findFreePort());
    address = `http://127.0.0.1:${port}`;
    server = await startTestServer({
      ...ON,
      PORT: port,
      CSRF_TRUSTED_ORIGINS: 'https://app.example.com',
      ROOT_URL: 'https://cairn.example.com/cairn',
      HOST_ROOT_PATH: '/cairn',
    });
  });

  afterAll(() => server[Symbol.asyncDispose]());

  const ask = async (path: string, headers: Record<string, string>, method = 'GET') => {
    const response = await fetch(`${address}${path}`, { method, headers, redirect: 'manual' });
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };

  it.each([
    ['GET', '/healthz'],
    ['GET', '/cairn/login'],
    ['GET', '/nowhere'],
    ['POST', '/auth/login'],
    ['GET', '/auth/logout'],
    ['POST', '/v1/traces'],
    ['POST', '/graphql'],
  ])('refuses %s %s of other pages', async (method, path) => {
    const untrusted = { origin: 'https://evil.example', referer: 'https://evil.example/page' };
    for (const headers of [
      { origin: untrusted.origin },
      { referer: untrusted.referer },
      { ...untrusted, origin: 'https://app.example.com' },
      { ...untrusted, referer: 'https://app.example.com/' },
      { origin: 'null' },
    ]) {
      const { status, type, text } = await ask(path, headers, method);
      expect([status, type]).toEqual([401, 'text/plain; charset=utf-8']);
      expect(text).toContain('SERVICE_CSRF_TRUSTED_ORIGINS');
    }
  });

  it.each([
    {},
    { origin: 'https://app.example.com' },
    { referer: 'https://cairn.example.com/cairn/projects' },
    { origin: 'http://127.0.0.1' },
  ])('lets a request with %j in', async (headers: Record<string, string>) => {
    expect((await ask('/healthz', headers)).status).toBe(200);
  });

  it('leads below the root path, and sends its cookies over HTTPS alone', async () => {
    const response = await fetch(`${address}/cairn/auth/logout`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/cairn/login']);
    expect(response.headers.getSetCookie()).toEqual(
      BOTH.map((name) => `${name}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict`),
    );
  });

  it('limits how often a client signs in, whatever address it claims', async () => {
    const statuses = [];
    for (let time = 0; time < 13; time++) {
      statuses.push((await ask('/auth/login', { 'x-forwarded-for': `203.0.113.${time}` }, 'POST')).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('a server behind a trusted proxy, whose storage is full', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({
      ...ON,
      TRUSTED_PROXIES: '127.0.0.1',
      ENABLE_STRONG_PASSWORD_POLICY: 'true',
      DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES: '0.000001',
      DATABASE_USAGE_INSERTION_BLOCKING_THRESHOLD_PERCENTAGE: '50',
    });
  });

  afterAll(() => server[Symbol.asyncDispose]());

  const from = (address: string) => new CookieBrowser(server.url, { 'x-forwarded-for': `198.51.100.1, ${address}` });

  it('takes no telemetry, and lets people sign in, choose a strong password, read and revoke keys', async () => {
    const browser = from('192.0.2.1');
    expect(await browser.logIn('admin@localhost', 'admin')).toBe(204);
    expect(await changePassword(browser, 'admin', 'weak')).toMatchObject({
      errors: [
        {
          message: 'A password needs at least 12 characters, an upper-case letter, a digit and one of !@#$%^&*()_+.',
        },
      ],
    });
    expect(await changePassword(browser, 'admin', 'Correct-Horse_1')).toMatchObject({ data: { patchViewer: {} } });
    expect(await browser.logIn('admin@localhost', 'Correct-Horse_1')).toBe(204);
    const { status, text } = await browser.send('POST', '/v1/user/api_keys', { data: { name: 'ci' } });
    const { id, key } = (JSON.parse(text) as { data: { id: string; key: string } }).data;
    expect(status).toBe(201);
    const program = { headers: { authorization: `Bearer ${key}` } };
    expect((await exportTraces(server.url, traceRequest([{ spanId: spanId(1) }]), program)).status).toBe(503);
    expect((await fetch(`${server.url}/v1/projects`, program)).status).toBe(200);
    expect(await browser.ask(`mutation { deleteUserApiKey(input: { id: "${id}" }) { apiKeyId } }`)).toEqual({
      data: { deleteUserApiKey: { apiKeyId: id } },
    });
    expect((await fetch(`${server.url}/v1/projects`, program)).status).toBe(401);
  });

  it('limits each client by itself, by the address that the proxy saw, and says when to try again', async () => {
    // Without a password, for checking one takes a while, in which attempts come back.
    for (let time = 0; time < 12; time++) expect(await from('192.0.2.2').logIn(`${time}@example.com`, '')).toBe(401);
    const refused = await from('192.0.2.2').send('POST', '/auth/login', { email: 'a@example.com', password: 'x' });
    expect([refused.status, refused.text]).toEqual([
      429,
      expect.stringMatching(/^Too many requests\. Try again in \d s\./),
    ]);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(5);
    expect(await from('192.0.2.3').logIn('b@example.com', 'x')).toBe(401);
    // Another budget.
    expect((await from('192.0.2.2').send('POST', '/auth/refresh')).status).toBe(401);
  });

  it('has in its log who could not sign in, by account and address, and nothing that was typed', async () => {
    for (let time = 0; time < 3; time++) expect(await from('192.0.2.4').logIn('admin@localhost', 'hunter2')).toBe(401);
    expect(await from('192.0.2.4').logIn('hunter2', 'hunter2')).toBe(401);
    await server.server.close();
    const rows =
      await server.data.rows(`SELECT caller_kind, object_type, object_id, object_name, sum(event_count) AS count
      FROM audit_events WHERE operation = 'signIn.login' AND outcome = 'refused' AND address = '192.0.2.4'
      GROUP BY caller_kind, object_type, object_id, object_name ORDER BY count`);
    expect(rows).toEqual([
      { caller_kind: 'nobody', object_type: null, object_id: null, object_name: null, count: 1 },
      { caller_kind: 'nobody', object_type: 'User', object_id: '2', object_name: 'admin', count: 3 },
    ]);
    const everything = await server.data.rows('SELECT * FROM audit_events');
    expect(JSON.stringify(everything)).not.toContain('hunter2');
  });
});

it('a server that asks nobody has no paths for signing in', async () => {
  await using server = await startTestServer();
  for (const [method, path] of [
    ['POST', '/auth/login'],
    ['GET', '/auth/logout'],
    ['POST', '/auth/refresh'],
  ] as const) {
    expect((await fetch(`${server.url}${path}`, { method, redirect: 'manual' })).status).toBe(404);
  }
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: object };
  expect(Object.keys(document.paths).filter((path) => path.startsWith('/auth/'))).toEqual([]);
});
