/** What somebody may try who has a part of what is needed: an old cookie, a token of another kind, the first password, a wider role. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson, bearer, sendJson, type Shown, type TestPerson, WITH_PEOPLE } from '../harness/accounts.ts';
import { AS_ADMIN } from '../harness/asking-server.ts';
import { CookieBrowser } from '../harness/cookie-browser.ts';
import { type GraphqlAnswer, postGraphql, readEvents } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

const SYSTEM = 'VXNlcjox';
const BUILT_IN_ADMIN = 'VXNlcjoy';
const DEFAULT_PROJECT = 'UHJvamVjdDox';

let server: TestServer;
let url: string;
let admin: TestPerson;

beforeAll(async () => {
  server = await startTestServer(WITH_PEOPLE);
  ({ url } = server);
  admin = await addPerson(url, 'ada', 'ADMIN');
});

afterAll(() => server[Symbol.asyncDispose]());

const ask = async (query: string, headers: Shown) =>
  (await (await postGraphql(url, { query }, headers)).json()) as GraphqlAnswer;
const refusalOf = async (query: string, headers: Shown) => (await ask(query, headers)).errors?.[0]?.message;
const statusOf = async (method: string, path: string, headers: Shown) =>
  (await fetch(`${url}${path}`, { method, headers, redirect: 'manual' })).status;

/** The built-in administrator, whose first password everybody knows. */
async function signInWithFirstPassword(): Promise<CookieBrowser> {
  const browser = new CookieBrowser(url);
  expect(await browser.logIn('admin@localhost', 'admin')).toBe(204);
  return browser;
}

const tokenOf = (browser: CookieBrowser, name: string) => browser.cookies.get(name) ?? expect.fail(`no ${name}`);

describe('a sign-in', () => {
  it('ends when its longest time is over, however fresh its tokens are', async () => {
    const browser = await signInWithFirstPassword();
    await server.data.change('UPDATE sign_ins SET expires_at_us = expires_at_us - 2591990000000 WHERE user_id = 2');
    const { status, headers } = await browser.send('POST', '/auth/refresh');
    expect(status).toBe(204);
    const ages = headers.getSetCookie().map((cookie) => Number(/Max-Age=(\d+)/.exec(cookie)?.[1]));
    for (const age of ages) expect(age).toBeLessThanOrEqual(10);
    await server.data.change('UPDATE sign_ins SET expires_at_us = expires_at_us - 10000000 WHERE user_id = 2');
    await expect.poll(async () => (await browser.send('GET', '/v1/user')).status).toBe(401);
    expect((await browser.send('POST', '/auth/refresh')).status).toBe(401);
  });

  it('is shown by its access token alone, and renewed by its refresh token alone', async () => {
    const browser = await signInWithFirstPassword();
    const [access, refresh, known] = ['phoenix-access-token', 'phoenix-refresh-token', 'cairn-known-browser'].map(
      (name) => tokenOf(browser, name),
    );
    expect(await statusOf('GET', '/v1/user', bearer(access ?? ''))).toBe(200);
    for (const token of [refresh, known]) {
      expect(await statusOf('GET', '/v1/user', bearer(token ?? ''))).toBe(401);
      expect(await statusOf('GET', '/v1/user', { cookie: `phoenix-access-token=${token}` })).toBe(401);
    }
    for (const token of [access, known]) {
      expect(await statusOf('POST', '/auth/refresh', { cookie: `phoenix-refresh-token=${token}` })).toBe(401);
    }
    for (const token of [access, refresh, known]) {
      const body = { token, password: 'another-password' };
      expect((await sendJson(url, 'POST', '/auth/password-reset', body, {})).status).toBe(401);
    }
    const key = await sendJson(url, 'POST', '/v1/user/api_keys', { data: { name: 'ci' } }, admin.headers);
    const text = (key.body as { data: { key: string } }).data.key;
    expect(await statusOf('GET', '/v1/user', bearer(text))).toBe(200);
    expect(await statusOf('GET', '/v1/user', { cookie: `phoenix-access-token=${text}` })).toBe(401);
  });

  it.each<[string, number, (person: TestPerson) => Promise<unknown>]>([
    ['signing out', 1, async ({ headers }) => statusOf('GET', '/auth/logout', headers)],
    ['another role', 2, async ({ id }) => ask(patchUser(id, 'newRole: VIEWER'), admin.headers)],
    ['another password', 3, async ({ id }) => ask(patchUser(id, 'newPassword: "another"'), admin.headers)],
    ['deleting the account', 4, async ({ id }) => statusOf('DELETE', `/v1/users/${id}`, admin.headers)],
  ])('ends with what it watches by %s', async (_how, number, end) => {
    const person = await addPerson(url, `watcher${number}`, 'MEMBER');
    const query = `subscription { projectChanges(projectId: "${DEFAULT_PROJECT}") { project { name } } }`;
    const stream = await postGraphql(url, { query }, { ...person.headers, accept: 'text/event-stream' });
    const events = readEvents(stream);
    expect(await events.next()).toMatchObject({ done: false });
    await end(person);
    expect(await statusOf('GET', '/v1/projects', person.headers)).toBe(401);
    await exportAll(url, traceRequest([{ traceId: traceId(number), spanId: spanId(number) }]), AS_ADMIN);
    await expect(events.next()).rejects.toThrow();
  });
});

function patchUser(id: string, change: string): string {
  return `mutation { patchUser(input: { userId: "${id}", ${change} }) { user { username email } } }`;
}

describe('an administrator who must choose a password', () => {
  let headers: Shown;

  beforeAll(async () => {
    headers = bearer(tokenOf(await signInWithFirstPassword(), 'phoenix-access-token'));
  });

  it('sees the own account, and no other', async () => {
    const own = await ask(`{ node(id: "${BUILT_IN_ADMIN}") { ... on User { email passwordNeedsReset } } }`, headers);
    expect(own.data).toEqual({ node: { email: 'admin@localhost', passwordNeedsReset: true } });
    for (const id of [SYSTEM, admin.id]) {
      expect(await refusalOf(`{ node(id: "${id}") { ... on User { username email } } }`, headers)).toMatch(/not auth/);
    }
  });

  it.each([
    ['GET', '/v1/users'],
    ['GET', '/v1/audit_events'],
    ['GET', '/v1/user/api_keys'],
    ['POST', '/v1/user/api_keys'],
    ['POST', '/v1/system/api_keys'],
    ['PUT', '/v1/secrets'],
    ['POST', '/v1/traces'],
    ['GET', '/graphql'],
    ['GET', '/docs'],
    ['GET', '/openapi.json'],
    ['GET', '/metrics'],
    ['GET', '/v1/projects/'],
    ['GET', '/v1/%70rojects'],
  ])('is refused %s %s', async (method, path) => {
    expect(await statusOf(method, path, headers)).toBe(403);
  });

  it.each([
    '{ viewer { apiKeys { name } } }',
    '{ secrets { edges { node { key } } } }',
    'mutation { createUserApiKey(input: { name: "x" }) { jwt } }',
    'mutation { createSystemApiKey(input: { name: "x" }) { jwt } }',
    patchUser(BUILT_IN_ADMIN, 'newPassword: "another"'),
    'mutation { patchViewer(input: { newUsername: "x" }) { user { id } } }',
  ])('is refused %s', async (query) => {
    expect(await refusalOf(query, headers)).toMatch(/^Choose a new password first/);
  });
});

describe('a limited key of an administrator', () => {
  it.each(['read', 'ingest'])('that can %s sees no account but its owner’s', async (operations) => {
    const data = { name: 'limited', operations };
    const { body } = await sendJson(url, 'POST', '/v1/user/api_keys', { data }, admin.headers);
    const headers = bearer((body as { data: { key: string } }).data.key);
    const node = (id: string) => `{ node(id: "${id}") { ... on User { username email } } }`;
    expect(await ask(node(admin.id), headers)).toMatchObject({ data: { node: { username: 'ada' } } });
    for (const id of [SYSTEM, BUILT_IN_ADMIN]) expect(await refusalOf(node(id), headers)).toMatch(/not auth/);
  });
});

describe('the account of the system', () => {
  it('is changed by nobody', async () => {
    const row = () => server.data.rows('SELECT * FROM users WHERE id = 1');
    const before = await row();
    const created = (email: string, username: string, role: string) =>
      `mutation { createUser(input: { email: "${email}", username: "${username}", password: "pass", role: ${role} }) { user { id } } }`;
    for (const headers of [admin.headers, AS_ADMIN]) {
      for (const query of [
        patchUser(SYSTEM, 'newRole: ADMIN'),
        patchUser(SYSTEM, 'newUsername: "x"'),
        patchUser(SYSTEM, 'newPassword: "password"'),
        `mutation { deleteUsers(input: { userIds: ["${SYSTEM}"] }) { userIds } }`,
        `mutation { unlockUser(input: { userId: "${SYSTEM}" }) { user { id } } }`,
        created('system@localhost', 'x', 'ADMIN'),
        created('x@example.com', 'system', 'ADMIN'),
        created('x@example.com', 'x', 'SYSTEM'),
      ]) {
        expect([query, (await ask(query, headers)).errors]).toEqual([query, [expect.anything()]]);
      }
      expect(await statusOf('DELETE', `/v1/users/${SYSTEM}`, headers)).toBe(403);
    }
    const own =
      'mutation { patchViewer(input: { newUsername: "x", newPassword: "password", currentPassword: "x" }) { user { id } } }';
    expect(await refusalOf(own, AS_ADMIN)).toMatch(/Only people|wrong/);
    expect(await new CookieBrowser(url).logIn('system@localhost', 'password')).toBe(401);
    expect(await row()).toEqual(before);
    expect(await server.data.rows("SELECT id FROM users WHERE role = 'SYSTEM' OR username = 'x'")).toEqual([{ id: 1 }]);
  });
});
