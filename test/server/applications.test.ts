/** Applications that people let in: the whole way with a client that others wrote, and every way that must not work. */
import { createHash } from 'node:crypto';
import * as oauth from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson, bearer, sendJson, signIn, type TestPerson, WITH_PEOPLE } from '../harness/accounts.ts';
import { AS_ADMIN } from '../harness/asking-server.ts';
import { findFreePort } from '../harness/free-port.ts';
import { postGraphql } from '../harness/graphql.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

const LOOPBACK = 'http://127.0.0.1:49152/callback';
const STATE = 'a-state-of-22-characters-or-more';
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

let server: TestServer;
let url: string;
let number = 0;

beforeAll(async () => {
  server = await startTestServer(WITH_PEOPLE);
  ({ url } = server);
});
afterAll(() => server[Symbol.asyncDispose]());

const newPerson = (role: 'ADMIN' | 'MEMBER' | 'VIEWER' = 'MEMBER') => addPerson(url, `person-${++number}`, role);

/** What a client asks for. */
function request(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    response_type: 'code',
    client_id: 'phoenix-cli',
    redirect_uri: LOOPBACK,
    state: STATE,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...more,
  };
}

async function authorize(person: TestPerson | null, asked: Readonly<Record<string, string>> | string) {
  const response = await fetch(`${url}/oauth2/authorize?${new URLSearchParams(asked)}`, {
    redirect: 'manual',
    headers: person?.headers ?? {},
  });
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
}

const decide = (person: TestPerson, body: unknown, headers: Readonly<Record<string, string>> = { origin: url }) =>
  sendJson(url, 'POST', '/oauth2/authorize/decision', body, { ...person.headers, ...headers });

/** The address that an application gets after a person said yes. */
async function approve(person: TestPerson, more: Readonly<Record<string, string>> = {}): Promise<URL> {
  const { status, body } = await decide(person, { ...request(more), approved: true });
  expect(status, JSON.stringify(body)).toBe(200);
  return new URL((body as { redirect_to: string }).redirect_to);
}

const codeOf = async (person: TestPerson, more?: Readonly<Record<string, string>>) =>
  (await approve(person, more)).searchParams.get('code') ?? '';

async function postForm(path: string, fields: Readonly<Record<string, string>> | string) {
  const response = await fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams(fields) });
  const text = await response.text();
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: (text === '' ? undefined : JSON.parse(text)) as Tokens & { readonly error?: string },
  };
}

const exchange = (code: string, more: Readonly<Record<string, string>> = {}) =>
  postForm('/oauth2/token', {
    grant_type: 'authorization_code',
    code,
    code_verifier: VERIFIER,
    client_id: 'phoenix-cli',
    redirect_uri: LOOPBACK,
    ...more,
  });

const refresh = (token: string, more: Readonly<Record<string, string>> = {}) =>
  postForm('/oauth2/token', { grant_type: 'refresh_token', refresh_token: token, client_id: 'phoenix-cli', ...more });

async function grantOf(person: TestPerson, more?: Readonly<Record<string, string>>): Promise<Tokens> {
  const { status, body } = await exchange(await codeOf(person, more));
  expect(status).toBe(200);
  return body;
}

/** What reading, and writing, is answered. */
const read = async (token: string) => (await sendJson(url, 'GET', '/v1/projects', undefined, bearer(token))).status;
const write = async (token: string) =>
  (await sendJson(url, 'POST', '/v1/projects', { name: `made ${++number}` }, bearer(token))).status;

async function ask(query: string, headers: Readonly<Record<string, string>>) {
  return (await (await postGraphql(url, { query }, headers)).json()) as {
    readonly data: Readonly<Record<string, unknown>> | null;
    readonly errors?: readonly { readonly message: string }[];
  };
}

const grantsOf = async (person: TestPerson) =>
  (
    await ask(
      '{ viewer { oauth2GrantCount oauth2Grants { id clientName isFirstParty clientId scopes lastUsedAt user { id } } } }',
      person.headers,
    )
  ).data?.['viewer'] as {
    readonly oauth2GrantCount: number;
    readonly oauth2Grants: readonly { readonly id: string }[];
  };

async function auditOf(operation: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return server.data.rows(`SELECT * FROM audit_events WHERE operation = '${operation}' ORDER BY id`);
}

async function register(body: unknown) {
  const response = await fetch(`${url}/oauth2/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
}

describe('a client that others wrote', () => {
  it('finds the server, registers, is let in, reads, renews its tokens and gives them up', async () => {
    const person = await newPerson();
    const config = await oauth.dynamicClientRegistration(
      new URL(url),
      { client_name: 'Agent', redirect_uris: ['http://127.0.0.1/callback'] },
      oauth.None(),
      { execute: [oauth.allowInsecureRequests], algorithm: 'oauth2' },
    );
    expect(config.clientMetadata().client_id).toMatch(/^px_dcr_[A-Za-z0-9]{22}$/);
    const verifier = oauth.randomPKCECodeVerifier();
    const state = oauth.randomState();
    const address = oauth.buildAuthorizationUrl(config, {
      redirect_uri: LOOPBACK,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      resource: url,
      scope: 'anything',
    });
    const { status, location } = await authorize(person, address.searchParams.toString());
    expect([status, location?.split('?')[0]]).toEqual([302, '/oauth2/consent']);
    const asked = Object.fromEntries(new URLSearchParams(location?.split('?')[1]));
    const { body: shown } = await sendJson(
      url,
      'GET',
      `/oauth2/authorize/request?${new URLSearchParams(asked)}`,
      undefined,
      person.headers,
    );
    expect(shown).toMatchObject({ client_name: 'Agent', is_first_party: false, redirect_uri: LOOPBACK, days: 90 });
    const { body } = await decide(person, { ...asked, approved: true });
    const callback = new URL((body as { redirect_to: string }).redirect_to);
    const tokens = await oauth.authorizationCodeGrant(config, callback, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    });
    expect(Object.keys(tokens).sort()).toEqual(['access_token', 'expires_in', 'refresh_token', 'token_type']);
    expect(await read(tokens.access_token)).toBe(200);
    expect(await write(tokens.access_token)).toBe(200);
    const renewed = await oauth.refreshTokenGrant(config, tokens.refresh_token ?? '', { resource: url });
    expect([await read(tokens.access_token), await read(renewed.access_token)]).toEqual([401, 200]);
    expect(await grantsOf(person)).toMatchObject({
      oauth2GrantCount: 1,
      oauth2Grants: [{ clientName: 'Agent', isFirstParty: false, scopes: [], user: { id: person.id } }],
    });
    await oauth.tokenRevocation(config, renewed.access_token);
    expect(await read(renewed.access_token)).toBe(401);
    expect((await refresh(renewed.refresh_token ?? '')).body.error).toBe('invalid_grant');
    expect(await grantsOf(person)).toMatchObject({ oauth2GrantCount: 0 });
  });

  it('notices an answer of another server', async () => {
    const config = await oauth.discovery(new URL(url), 'phoenix-cli', undefined, oauth.None(), {
      execute: [oauth.allowInsecureRequests],
      algorithm: 'oauth2',
    });
    const callback = await approve(await newPerson());
    const foreign = new URL(callback);
    foreign.searchParams.set('iss', 'https://evil.example');
    const expected = { pkceCodeVerifier: VERIFIER, expectedState: STATE };
    await expect(oauth.authorizationCodeGrant(config, foreign, expected)).rejects.toThrow('invalid response');
    expect(await oauth.authorizationCodeGrant(config, callback, expected)).toHaveProperty('access_token');
  });
});

describe('the question to a person', () => {
  it('comes after signing in, with everything that was asked', async () => {
    const { status, location } = await authorize(null, request());
    const login = new URL(location ?? '', url);
    expect([status, login.pathname]).toEqual([302, '/login']);
    const back = new URL(login.searchParams.get('returnUrl') ?? '', url);
    expect([back.pathname, Object.fromEntries(back.searchParams)]).toEqual(['/oauth2/authorize', request()]);
  });

  it.each([
    { redirect_uri: 'https://evil.example/callback' },
    { redirect_uri: 'http://127.0.0.1.evil.example/callback' },
    { redirect_uri: 'http://127.0.0.1:1@evil.example/callback' },
    { redirect_uri: 'http://127.0.0.1:49152/other' },
    { redirect_uri: 'javascript:alert(1)' },
    { redirect_uri: '' },
    { client_id: 'px_dcr_nobodynobodynobodynob' },
  ])('is not put, and sends nobody anywhere, with %j', async (more) => {
    const person = await newPerson();
    for (const who of [person, null]) {
      const { status, location, text } = await authorize(who, request(more));
      expect([status, location, text]).toEqual([400, null, 'Invalid redirect URI']);
    }
    expect(await decide(person, { ...request(more), approved: true })).toEqual({
      status: 400,
      body: 'Invalid redirect URI',
    });
  });

  it.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ state: 'short' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: '' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ resource: 'https://evil.example' }, 'invalid_target'],
    [{ resource: 'http://127.0.0.1/v1' }, 'invalid_target'],
  ])('with %j goes back with %s', async (more, error) => {
    const person = await newPerson();
    const asked = request(more);
    const { status, location } = await authorize(person, asked);
    expect([status, location?.startsWith(`${LOOPBACK}?`)]).toEqual([302, true]);
    const answer = Object.fromEntries(new URL(location ?? '').searchParams);
    expect(answer).toMatchObject({ error, state: asked['state'], iss: url });
    const { body } = await decide(person, { ...asked, approved: true });
    expect(new URL((body as { redirect_to: string }).redirect_to).searchParams.get('error')).toBe(error);
    expect((await authorize(null, asked)).location).toMatch(/^\/login\?/);
  });

  it('is not put twice in one address', async () => {
    const person = await newPerson();
    const twice = `${new URLSearchParams(request())}&redirect_uri=${encodeURIComponent(LOOPBACK)}`;
    expect((await authorize(person, twice)).status).toBe(400);
    expect((await authorize(person, `${new URLSearchParams(request())}&state=${STATE}`)).location).toContain(
      'error=invalid_request',
    );
  });

  it('is answered by nobody else than the person, on a page of this server', async () => {
    const person = await newPerson();
    const yes = { ...request(), approved: true };
    for (const origin of ['https://evil.example', 'null', url.replace('http:', 'https:'), url.replace(/\d+$/, '1')]) {
      expect((await decide(person, yes, { origin })).status, origin).toBe(403);
    }
    expect((await decide(person, yes, {})).status).toBe(403);
    expect((await sendJson(url, 'POST', '/oauth2/authorize/decision', yes, { origin: url })).status).toBe(401);
    const { access_token: token } = await grantOf(person);
    for (const headers of [bearer(token), AS_ADMIN, { cookie: `phoenix-access-token=${token}` }]) {
      const { status } = await sendJson(url, 'POST', '/oauth2/authorize/decision', yes, { origin: url, ...headers });
      expect([401, 403]).toContain(status);
    }
  });

  it('may be answered with no', async () => {
    const { body } = await decide(await newPerson(), { ...request(), approved: false });
    const answer = new URL((body as { redirect_to: string }).redirect_to);
    expect(Object.fromEntries(answer.searchParams)).toEqual({ error: 'access_denied', state: STATE, iss: url });
    expect((await auditOf('oauth2.deny')).at(-1)).toMatchObject({
      object_type: 'OAuth2Client',
      object_name: 'Command line',
    });
  });
});

describe('a code', () => {
  it('is good for its client, its address, its verifier and its resource alone, which uses none of it up', async () => {
    const code = await codeOf(await newPerson());
    const refused = [
      [{ code_verifier: 'w'.repeat(43) }, 'invalid_grant'],
      [{ code_verifier: CHALLENGE }, 'invalid_grant'],
      [{ client_id: 'another' }, 'invalid_grant'],
      [{ redirect_uri: 'http://127.0.0.1:1/callback' }, 'invalid_grant'],
      [{ resource: `${url}/mcp` }, 'invalid_target'],
      [{ resource: 'https://evil.example' }, 'invalid_target'],
      [{ code_verifier: '' }, 'invalid_request'],
      [{ code: 'made up' }, 'invalid_grant'],
      [{ grant_type: 'password' }, 'unsupported_grant_type'],
    ] as const;
    for (const [more, error] of refused) {
      const { status, headers, body } = await exchange(code, more);
      expect([status, body.error], JSON.stringify(more)).toEqual([400, error]);
      expect(headers).toMatchObject(NO_STORE);
    }
    const { status, headers } = await exchange(code);
    expect(status).toBe(200);
    expect(headers).toMatchObject(NO_STORE);
  });

  it('is good once, also for many at a time, and ends the grant with its second use', async () => {
    const person = await newPerson();
    const code = await codeOf(person);
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(code)));
    const given = answers.filter(({ status }) => status === 200);
    expect(given).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(7);
    expect(await read(given[0]?.body.access_token ?? '')).toBe(401);
    expect(await grantsOf(person)).toMatchObject({ oauth2GrantCount: 0 });
    expect((await auditOf('oauth2.endReplayed')).at(-1)).toMatchObject({ object_name: 'Command line' });
  });

  it('that somebody copied ends nothing without the verifier', async () => {
    const person = await newPerson();
    const code = await codeOf(person);
    const { body } = await exchange(code);
    expect((await exchange(code, { code_verifier: 'w'.repeat(43) })).body.error).toBe('invalid_grant');
    expect(await read(body.access_token)).toBe(200);
  });

  it('expires after five minutes, and ends with the session in which it was given', async () => {
    const person = await newPerson();
    const code = await codeOf(person);
    await server.data.change('UPDATE oauth2_codes SET expires_at_us = expires_at_us - 300000001');
    expect((await exchange(code)).body.error).toBe('invalid_grant');
    const other = await codeOf(person);
    await fetch(`${url}/auth/logout`, { headers: person.headers, redirect: 'manual' });
    expect((await exchange(other)).body.error).toBe('invalid_grant');
  });

  it('and tokens are in the database as digests alone', async () => {
    const person = await newPerson();
    const code = await codeOf(person);
    const [row] = await server.data.rows('SELECT hash FROM oauth2_codes ORDER BY expires_at_us DESC LIMIT 1');
    expect(row).toEqual({ hash: createHash('sha256').update(code).digest('base64url') });
  });
});

describe('a refresh token', () => {
  it('is good for its client and resource alone, which does not use it up', async () => {
    const { refresh_token: token } = await grantOf(await newPerson());
    expect((await refresh(token, { client_id: 'another' })).body.error).toBe('invalid_grant');
    expect((await refresh(token, { resource: `${url}/mcp` })).body.error).toBe('invalid_target');
    expect((await refresh(token, { resource: url })).status).toBe(200);
  });

  it('that is used a second time ends everything that followed from it', async () => {
    const person = await newPerson();
    const first = await grantOf(person);
    const second = (await refresh(first.refresh_token)).body;
    expect(await read(second.access_token)).toBe(200);
    expect((await refresh(first.refresh_token)).body.error).toBe('invalid_grant');
    expect(await read(second.access_token)).toBe(401);
    expect((await refresh(second.refresh_token)).body.error).toBe('invalid_grant');
    expect(await grantsOf(person)).toMatchObject({ oauth2GrantCount: 0 });
  });

  it('is good once for many at a time', async () => {
    const { refresh_token: token } = await grantOf(await newPerson());
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { body } of answers)
      if (body.access_token !== undefined) expect(await read(body.access_token)).toBe(401);
  });

  it('renews no session of a browser, and that of a browser no grant', async () => {
    const person = await newPerson();
    const { refresh_token: token, access_token: access } = await grantOf(person);
    const renewed = await sendJson(url, 'POST', '/auth/refresh', undefined, {
      cookie: `phoenix-refresh-token=${token}`,
    });
    expect(renewed.status).toBe(401);
    const own = /phoenix-refresh-token=([^;]+)/.exec(person.headers['cookie'] ?? '')?.[1] ?? '';
    expect((await refresh(own)).body.error).toBe('invalid_grant');
    const cookie = await sendJson(url, 'GET', '/v1/projects', undefined, { cookie: `phoenix-access-token=${access}` });
    expect(cookie.status).toBe(401);
    await fetch(`${url}/auth/logout`, { headers: bearer(access), redirect: 'manual' });
    expect((await sendJson(url, 'GET', '/v1/projects', undefined, person.headers)).status).toBe(200);
  });
});

describe('a grant', () => {
  it('ends after its time, and no token of it is good for longer', async () => {
    const person = await newPerson();
    const tokens = await grantOf(person);
    const [row] = await server.data.rows('SELECT max(created_at_us) AS made, max(expires_at_us) AS ends FROM sign_ins');
    expect(Number(row?.['ends']) - Number(row?.['made'])).toBe(90 * 24 * 3600 * 1e6);
    const soon = Date.now() * 1000 + 60e6;
    await server.data.change(`UPDATE sign_ins SET expires_at_us = ${soon} WHERE id = (SELECT max(id) FROM sign_ins)`);
    const renewed = await postForm('/oauth2/token', {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
      client_id: 'phoenix-cli',
    });
    expect((renewed.body as unknown as { expires_in: number }).expires_in).toBeLessThanOrEqual(60);
    await server.data.change('UPDATE sign_ins SET expires_at_us = 1 WHERE id = (SELECT max(id) FROM sign_ins)');
    expect((await refresh(renewed.body.refresh_token)).body.error).toBe('invalid_grant');
    expect(await grantsOf(person)).toMatchObject({ oauth2GrantCount: 0 });
  });

  it('acts with the role that the person has now', async () => {
    const person = await newPerson('MEMBER');
    const { access_token: token } = await grantOf(person);
    expect(await write(token)).toBe(200);
    const rowId = Number(Buffer.from(person.id, 'base64').toString().split(':')[1]);
    await server.data.change(`UPDATE users SET role = 'VIEWER' WHERE id = ${rowId}`);
    await expect.poll(() => write(token)).toBe(403);
    expect(await read(token)).toBe(200);
  });

  it.each([
    ['an administrator changes the role', 'patchUser(input: { userId: "ID", newRole: VIEWER }) { user { id } }'],
    [
      'an administrator sets a password',
      'patchUser(input: { userId: "ID", newPassword: "a-new-password" }) { user { id } }',
    ],
    ['the account is deleted', 'deleteUsers(input: { userIds: ["ID"] }) { userIds }'],
  ])('ends when %s', async (_what, mutation) => {
    const person = await newPerson();
    const tokens = await grantOf(person);
    expect(await read(tokens.access_token)).toBe(200);
    expect((await ask(`mutation { ${mutation.replace('ID', person.id)} }`, AS_ADMIN)).errors).toBeUndefined();
    expect(await read(tokens.access_token)).toBe(401);
    expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('ends with the password, and when the person signs out', async () => {
    const person = await newPerson();
    const first = await grantOf(person);
    const change =
      'patchViewer(input: { currentPassword: "own-password", newPassword: "another-one" }) { user { id } }';
    expect((await ask(`mutation { ${change} }`, person.headers)).errors).toBeUndefined();
    expect(await read(first.access_token)).toBe(401);
    const again = { ...person, headers: await signIn(url, `person-${number}@example.com`, 'another-one') };
    const second = await grantOf(again);
    await fetch(`${url}/auth/logout`, { headers: again.headers, redirect: 'manual' });
    expect(await read(second.access_token)).toBe(401);
  });

  it('for the tools of agents is good for nothing else', async () => {
    const { access_token: token } = await grantOf(await newPerson(), { resource: `${url}/mcp` });
    expect(await read(token)).toBe(401);
    expect((await postGraphql(url, { query: '{ viewer { id } }' }, bearer(token))).status).toBe(401);
  });

  it('makes no keys and lets nobody else in', async () => {
    const { access_token: token } = await grantOf(await newPerson('ADMIN'));
    for (const path of ['/v1/user/api_keys', '/v1/system/api_keys']) {
      const { status, body } = await sendJson(url, 'POST', path, { data: { name: 'k' } }, bearer(token));
      expect([status, body]).toEqual([403, 'Applications cannot create API keys']);
    }
    const query = new URLSearchParams(request());
    const asked = await sendJson(url, 'GET', `/oauth2/authorize/request?${query}`, undefined, bearer(token));
    expect(asked.status).toBe(403);
  });

  it('is seen and revoked by the person and administrators, and by nobody else', async () => {
    const [person, stranger, admin] = [await newPerson(), await newPerson(), await newPerson('ADMIN')];
    const revoke = (id: string | undefined, { headers }: Pick<TestPerson, 'headers'>) =>
      ask(`mutation { revokeOAuth2Grant(input: { id: "${id}" }) { grantId query { __typename } } }`, headers);
    const tokens = await grantOf(person);
    const id = (await grantsOf(person)).oauth2Grants[0]?.id;
    expect((await revoke(id, stranger)).errors?.[0]?.message).toBe('OAuth2 grant not found');
    expect((await ask(`{ node(id: "${id}") { id } }`, stranger.headers)).errors).toHaveLength(1);
    expect((await ask('{ oauth2Grants { id } }', stranger.headers)).errors).toHaveLength(1);
    expect(await read(tokens.access_token)).toBe(200);
    const all = (await ask('{ oauth2Grants { id } }', admin.headers)).data?.['oauth2Grants'];
    expect(all).toContainEqual({ id });
    expect((await ask(`{ node(id: "${id}") { id } }`, admin.headers)).data).toEqual({ node: { id } });
    expect((await revoke(id, admin)).data).toMatchObject({ revokeOAuth2Grant: { grantId: id } });
    expect(await read(tokens.access_token)).toBe(401);
    const others = await grantOf(person);
    expect((await revoke((await grantsOf(person)).oauth2Grants[0]?.id, person)).errors).toBeUndefined();
    expect(await read(others.access_token)).toBe(401);
    expect((await auditOf('oauth2.revoke')).at(-1)).toMatchObject({ object_type: 'OAuth2Grant' });
    expect((await auditOf('oauth2.approve')).at(-1)).toMatchObject({ object_name: 'Command line' });
  });

  it('is not ended by a token of somebody else, nor by one that is none', async () => {
    const { access_token: token } = await grantOf(await newPerson());
    for (const fields of [{ token: 'nonsense' }, { token, client_id: 'another' }, { token: '' }]) {
      expect((await postForm('/oauth2/revoke', fields)).status).toBe(200);
    }
    expect(await read(token)).toBe(200);
  });
});

describe('registering', () => {
  it.each([
    [['http://app.example.com/cb'], 'invalid_redirect_uri'],
    [['javascript:alert(1)'], 'invalid_redirect_uri'],
    [[], 'invalid_redirect_uri'],
    [undefined, 'invalid_redirect_uri'],
    [Array.from({ length: 11 }, (_, port) => `http://127.0.0.1:${port + 1}/`), 'invalid_redirect_uri'],
  ])('refuses the addresses %j', async (addresses, error) => {
    expect(await register({ redirect_uris: addresses })).toMatchObject({ status: 400, body: { error } });
  });

  it('takes names that people can read, and gives no secret whatever is asked', async () => {
    const redirect_uris = ['https://app.example.com/cb'];
    for (const name of ['', 'a\u202Eb', 'a\u0000', 'x'.repeat(101), 7]) {
      expect(await register({ redirect_uris, client_name: name })).toMatchObject({
        body: { error: 'invalid_client_metadata' },
      });
    }
    const { status, body } = await register({ redirect_uris, token_endpoint_auth_method: 'client_secret_basic' });
    expect([status, body['token_endpoint_auth_method'], body['client_secret']]).toEqual([201, 'none', undefined]);
  });

  it('forgets applications that nobody let in for a week, and those that ended a month ago', async () => {
    const person = await newPerson();
    const ids: string[] = [];
    for (const name of ['unused', 'dead', 'alive']) {
      const { body } = await register({ client_name: name, redirect_uris: ['http://127.0.0.1/callback'] });
      ids.push(String(body['client_id']));
    }
    const [unused, dead, alive] = ids;
    await exchange(await codeOf(person, { client_id: alive ?? '' }), { client_id: alive ?? '' });
    const now = Date.now() * 1000;
    const age = (id: string | undefined, columns: string) =>
      server.data.change(`UPDATE oauth2_clients SET ${columns} WHERE client_id = '${id}'`);
    await age(unused, `created_at_us = ${now - 8 * 86_400e6}`);
    await age(dead, `last_used_at_us = ${now - 31 * 86_400e6}`);
    await age(alive, `last_used_at_us = ${now - 31 * 86_400e6}`);
    await register({ redirect_uris: ['http://127.0.0.1/callback'] });
    const left = (await server.data.rows('SELECT client_id FROM oauth2_clients')).map(({ client_id: id }) => id);
    expect(ids.map((id) => left.includes(id))).toEqual([false, false, true]);
  });

  it('ends at fifty that nobody let in, from one address in a day', async () => {
    await server.data.change(`INSERT INTO oauth2_clients (client_id, name, redirect_uris, registered_from, created_at_us)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
      SELECT 'spare ' || i, 'spare', '[]', '127.0.0.1', ${Date.now() * 1000} FROM n`);
    const response = await fetch(`${url}/oauth2/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: ['http://127.0.0.1/callback'] }),
    });
    expect(response.status).toBe(429);
    await server.data.change("DELETE FROM oauth2_clients WHERE name = 'spare'");
  });
});

describe('pages of other origins', () => {
  const origin = 'https://app.example.com';

  it('read what is public without cookies, and nothing else', async () => {
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-protected-resource',
      '/auth.md',
    ]) {
      const { headers } = await fetch(`${url}${path}`, { headers: { origin } });
      expect([headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')]).toEqual([
        '*',
        null,
      ]);
    }
    const preflight = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    for (const path of ['/oauth2/token', '/oauth2/revoke', '/oauth2/register']) {
      const { status, headers } = await fetch(`${url}${path}`, { method: 'OPTIONS', headers: preflight });
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    }
    for (const path of [
      '/oauth2/authorize',
      '/oauth2/authorize/decision',
      '/oauth2/authorize/request',
      '/v1/projects',
    ]) {
      const { headers } = await fetch(`${url}${path}`, { method: 'OPTIONS', headers: preflight });
      expect(headers.get('access-control-allow-origin'), path).toBeNull();
    }
  });
});

describe('what applications can find out', () => {
  it('is where the standards say, and unknown names are not pages', async () => {
    const metadata = await (await fetch(`${url}/.well-known/oauth-authorization-server`)).json();
    expect(metadata).toMatchObject({ issuer: url, code_challenge_methods_supported: ['S256'] });
    expect(metadata).not.toHaveProperty('scopes_supported');
    expect(await (await fetch(`${url}/.well-known/openid-configuration`)).json()).toEqual(metadata);
    expect(await (await fetch(`${url}/.well-known/oauth-protected-resource/mcp`)).json()).toMatchObject({
      resource: `${url}/mcp`,
      authorization_servers: [url],
    });
    const unknown = await fetch(`${url}/.well-known/nothing`, { headers: { accept: 'text/html' } });
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8']);
    expect(await (await fetch(`${url}/auth.md`)).text()).toContain('permissions of the person who approved');
    const { headers } = await fetch(`${url}/v1/projects`);
    expect(headers.get('www-authenticate')).toBe(
      `Bearer realm="cairn", resource_metadata="${url}/.well-known/oauth-protected-resource"`,
    );
  });

  it('names the configured address, also below a root path, whatever a request says', async () => {
    const port = await findFreePort();
    await using _below = await startTestServer({
      ...WITH_PEOPLE,
      PORT: String(port),
      HOST_ROOT_PATH: '/traces',
      ROOT_URL: 'https://cairn.example.com/traces',
      CSRF_TRUSTED_ORIGINS: 'https://trusted.example.com',
    });
    const origin = `http://127.0.0.1:${port}`;
    for (const path of [
      '/.well-known/oauth-authorization-server/traces',
      '/traces/.well-known/oauth-authorization-server',
      '/.well-known/openid-configuration/traces',
      '/traces/.well-known/openid-configuration',
    ]) {
      const response = await fetch(`${origin}${path}`, { headers: { origin: 'https://evil.example' } });
      expect(await response.json(), path).toMatchObject({ issuer: 'https://cairn.example.com/traces' });
    }
    for (const path of ['', '/mcp']) {
      const response = await fetch(`${origin}/.well-known/oauth-protected-resource/traces${path}`);
      expect(await response.json()).toMatchObject({ resource: `https://cairn.example.com/traces${path}` });
    }
    const { status, headers } = await fetch(`${origin}/traces/oauth2/authorize?${new URLSearchParams(request())}`, {
      redirect: 'manual',
      headers: { referer: 'https://agents.example.com/' },
    });
    expect([
      status,
      headers.get('location')?.startsWith('/traces/login?returnUrl=%2Ftraces%2Foauth2%2Fauthorize%3F'),
    ]).toEqual([302, true]);
  });
});

describe('settings', () => {
  it('switch all of it off', async () => {
    await using off = await startTestServer({ ...WITH_PEOPLE, ENABLE_OAUTH2_AUTHORIZATION_SERVER: 'false' });
    for (const [method, path] of [
      ['GET', '/.well-known/oauth-authorization-server'],
      ['GET', '/.well-known/openid-configuration'],
      ['GET', '/oauth2/authorize'],
      ['POST', '/oauth2/token'],
      ['POST', '/oauth2/revoke'],
      ['POST', '/oauth2/register'],
    ] as const) {
      expect((await fetch(`${off.url}${path}`, { method })).status, path).toBe(404);
    }
    const resource = await (await fetch(`${off.url}/.well-known/oauth-protected-resource`)).json();
    expect(resource).not.toHaveProperty('authorization_servers');
  });

  it('close registering, or leave it to programs on the machine, or to some hosts', async () => {
    const post = (at: string, redirect: string) =>
      fetch(`${at}/oauth2/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: [redirect] }),
      });
    await using closed = await startTestServer({ ...WITH_PEOPLE, OAUTH2_DYNAMIC_CLIENT_REGISTRATION: 'disabled' });
    expect((await post(closed.url, 'http://127.0.0.1/')).status).toBe(403);
    const metadata = await (await fetch(`${closed.url}/.well-known/oauth-authorization-server`)).json();
    expect(metadata).not.toHaveProperty('registration_endpoint');
    await using local = await startTestServer({ ...WITH_PEOPLE, OAUTH2_DYNAMIC_CLIENT_REGISTRATION: 'local_only' });
    expect((await post(local.url, 'https://app.example.com/')).status).toBe(400);
    expect((await post(local.url, 'com.example.app:/cb')).status).toBe(201);
    await using some = await startTestServer({ ...WITH_PEOPLE, OAUTH2_ALLOWED_REDIRECT_HOSTS: 'app.example.com' });
    expect((await post(some.url, 'https://other.example.com/')).status).toBe(400);
    expect((await post(some.url, 'https://app.example.com/')).status).toBe(201);
  });

  it('limit how often clients ask', async () => {
    await using limited = await startTestServer({
      ...WITH_PEOPLE,
      DISABLE_RATE_LIMIT: 'false',
      OAUTH2_DCR_RATE_LIMIT_PER_HOUR: '2',
    });
    const statuses = async (path: string, times: number) => {
      const found: number[] = [];
      for (let time = 0; time < times; time++) {
        const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
        const response = await (path === '/oauth2/register'
          ? fetch(`${limited.url}${path}`, init)
          : fetch(`${limited.url}${path}`, { method: 'POST', body: new URLSearchParams() }));
        found.push(response.status);
      }
      return found;
    };
    expect(await statuses('/oauth2/register', 3)).toEqual([400, 400, 429]);
    expect((await statuses('/oauth2/token', 13)).at(-1)).toBe(429);
  });
});
