/** Applications that people let in: the whole way with a client that others wrote, and every way that must not work. */
import { createHash } from 'node:crypto';
import * as oauth from 'openid-client';
import { describe, expect, it } from 'vitest';
import { bearer, sendJson } from '../harness/accounts.ts';
import { AS_ADMIN } from '../harness/asking-server.ts';
import {
  approve,
  auditOf,
  authorize,
  CHALLENGE,
  codeOf,
  decide,
  exchange,
  grantOf,
  grantsOf,
  LOOPBACK,
  newPerson,
  read,
  refresh,
  request,
  server,
  STATE,
  url,
  useApplicationServer,
  VERIFIER,
  write,
} from './applications.fixture.ts';

useApplicationServer();

const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

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
