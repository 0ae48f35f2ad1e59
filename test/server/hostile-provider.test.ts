/** A provider that lies, or whose answers were tampered with: nobody is signed in, and no account is made. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AS_ADMIN, ASKING } from '../harness/asking-server.ts';
import { sendJson } from '../harness/accounts.ts';
import { findFreePort } from '../harness/free-port.ts';
import { HOSTILE_CLIENT, type HostileProvider, type Lies, startHostileProvider } from '../harness/hostile-provider.ts';
import { ProviderBrowser } from '../harness/provider-browser.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

let provider: HostileProvider;
let server: TestServer;

const now = () => Math.floor(Date.now() / 1000);

beforeAll(async () => {
  provider = await startHostileProvider();
  const port = String(await findFreePort());
  server = await startTestServer({
    ...ASKING,
    DISABLE_RATE_LIMIT: 'true',
    PORT: port,
    ROOT_URL: `http://localhost:${port}`,
    OAUTH2_HOSTILE_CLIENT_ID: HOSTILE_CLIENT.id,
    OAUTH2_HOSTILE_CLIENT_SECRET: HOSTILE_CLIENT.secret,
    OAUTH2_HOSTILE_OIDC_CONFIG_URL: provider.configUrl,
    // The description is read once an hour: this one is of a provider that says other things of itself.
    OAUTH2_OTHER_CLIENT_ID: HOSTILE_CLIENT.id,
    OAUTH2_OTHER_CLIENT_SECRET: HOSTILE_CLIENT.secret,
    OAUTH2_OTHER_OIDC_CONFIG_URL: provider.configUrl,
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
afterEach(() => {
  provider.lies = {};
});

/** The path that somebody is led to, and the cookies that they have then. */
async function signIn(lies: Lies, name = 'hostile') {
  provider.lies = lies;
  const browser = new ProviderBrowser();
  const { url } = await browser.visit(`${server.url}/oauth2/${name}/login`);
  return { path: url.pathname + url.search, cookies: [...browser.cookies.keys()] };
}

async function emails(): Promise<readonly string[]> {
  const { body } = await sendJson(server.url, 'GET', '/v1/users', undefined, AS_ADMIN);
  return (body as { data: readonly { email: string }[] }).data.map(({ email }) => email);
}

const REFUSED: readonly (readonly [what: string, lies: Lies, code: string])[] = [
  ['a token of another issuer', { claims: { iss: 'http://localhost:1' } }, 'auth_failed'],
  ['a token for another audience', { claims: { aud: 'another' } }, 'auth_failed'],
  ['a token for several audiences that names no party', { claims: { aud: ['hostile', 'another'] } }, 'auth_failed'],
  ['a token for another party', { claims: { azp: 'another' } }, 'auth_failed'],
  ['a token for several audiences, and another party', { claims: { aud: ['hostile', 'x'], azp: 'x' } }, 'auth_failed'],
  ['an expired token', { claims: { exp: now() - 121 } }, 'auth_failed'],
  ['a token that does not expire', { claims: { exp: undefined } }, 'auth_failed'],
  ['a token that is not good yet', { claims: { nbf: now() + 600 } }, 'auth_failed'],
  ['a token without a time of issue', { claims: { iat: undefined } }, 'auth_failed'],
  ['another nonce', { claims: { nonce: 'another' } }, 'auth_failed'],
  ['no nonce', { claims: { nonce: undefined } }, 'auth_failed'],
  ['no subject', { claims: { sub: undefined } }, 'auth_failed'],
  ['a blank subject', { claims: { sub: ' ' } }, 'auth_failed'],
  ['a long subject', { claims: { sub: 'x'.repeat(600) } }, 'auth_failed'],
  ['a subject that is no text', { claims: { sub: 7 } }, 'auth_failed'],
  ['a token signed by another key', { signature: 'foreign' }, 'auth_failed'],
  ['a token that is not signed', { signature: 'none' }, 'auth_failed'],
  ['a token signed by the secret of the client', { signature: 'symmetric' }, 'auth_failed'],
  ['another state', { answer: { state: 'another' } }, 'invalid_state'],
  ['an answer of another issuer', { answer: { iss: 'https://another.example.com' } }, 'auth_failed'],
  ['an error', { answer: { error: 'eyJ <script>', error_description: 'eyJ-secret' } }, 'auth_failed'],
  [
    'no ID token',
    { tokenAnswer: { status: 200, body: '{"access_token":"eyJ-secret","token_type":"Bearer"}' } },
    'no_oidc_support',
  ],
  ['no JSON', { tokenAnswer: { status: 200, body: 'eyJ-secret' } }, 'auth_failed'],
  ['a refusal of the code', { tokenAnswer: { status: 400, body: '{"error":"invalid_grant"}' } }, 'oauth_error'],
  ['a fault', { tokenAnswer: { status: 500, body: 'eyJ-secret' } }, 'oauth_error'],
  ['an endless answer', { tokenAnswer: { status: 200, body: ' '.repeat(2 * 1024 * 1024) } }, 'oauth_error'],
  [
    'claims of somebody else',
    { claims: { email: undefined }, userInfo: { status: 200, body: '{"sub":"ada","email":"ada@example.com"}' } },
    'auth_failed',
  ],
  ['no address', { claims: { email: undefined } }, 'missing_email_scope'],
  ['an address with hidden characters', { claims: { email: 'eve\u202e@example.com' } }, 'missing_email_scope'],
  ['an address that is no text', { claims: { email: ['eve@example.com'] } }, 'missing_email_scope'],
  [
    'no address, and a fault where it is asked for',
    { claims: { email: undefined }, userInfo: { status: 503, body: '' } },
    'oauth_error',
  ],
  [
    'no address, and a refusal where it is asked for',
    { claims: { email: undefined }, userInfo: { status: 403, body: '{}' } },
    'missing_email_scope',
  ],
];

describe('a sign-in is refused for', () => {
  it.each(REFUSED)('%s', async (_what, lies, code) => {
    const { path, cookies } = await signIn(lies);
    expect([path, cookies]).toEqual([`/login?error=${code}`, []]);
    expect(await emails()).not.toContain('eve@example.com');
    const said = server.complaints.at(-1) ?? '';
    expect(said).toMatch(new RegExp(`^A sign-in with a provider was refused. hostile ${code} .+\\.$`));
    expect(said).not.toMatch(/eyJ|secret of the|<script>/);
  });

  it('a description that leads over a network in clear', async () => {
    const clear = 'http://id.example.com/keys';
    for (const field of ['authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
      const { path } = await signIn({ description: { [field]: clear } }, 'other');
      expect([field, path]).toEqual([field, '/login?error=oauth_error']);
      // What it said is kept for an hour, unless it was not understood.
      await restart();
    }
  });
});

/** Starts the server again, on other data. */
async function restart(): Promise<void> {
  const { port } = new URL(server.url);
  await server[Symbol.asyncDispose]();
  server = await startTestServer({
    ...ASKING,
    DISABLE_RATE_LIMIT: 'true',
    PORT: port,
    ROOT_URL: `http://localhost:${port}`,
    OAUTH2_OTHER_CLIENT_ID: HOSTILE_CLIENT.id,
    OAUTH2_OTHER_CLIENT_SECRET: HOSTILE_CLIENT.secret,
    OAUTH2_OTHER_OIDC_CONFIG_URL: provider.configUrl,
  });
}

describe('a sign-in succeeds', () => {
  it('where clocks differ by less than two minutes, and the party is named', async () => {
    const { path, cookies } = await signIn(
      {
        claims: { sub: 'late', email: 'late@example.com', exp: now() - 100, nbf: now() + 100, azp: HOSTILE_CLIENT.id },
      },
      'other',
    );
    expect(path).toBe('/');
    expect(cookies).toEqual(['phoenix-access-token', 'phoenix-refresh-token']);
  });
});
