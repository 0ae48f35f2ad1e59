/** What applications find out, and how they register. */
import { describe, expect, it } from 'vitest';
import { WITH_PEOPLE } from '../harness/accounts.ts';
import { findFreePort } from '../harness/free-port.ts';
import { startTestServer } from '../harness/server.ts';
import {
  codeOf,
  exchange,
  newPerson,
  register,
  request,
  server,
  url,
  useApplicationServer,
} from './applications.fixture.ts';

useApplicationServer();

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
