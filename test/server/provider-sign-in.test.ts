/** Signing in to a whole server with real providers of identities. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AS_ADMIN, ASKING } from '../harness/asking-server.ts';
import { findFreePort } from '../harness/free-port.ts';
import { postGraphql } from '../harness/graphql.ts';
import { type IdentityProviderServer, startIdentityProvider, type TestClient } from '../harness/identity-provider.ts';
import { ProviderBrowser } from '../harness/provider-browser.ts';
import { sendJson } from '../harness/accounts.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

/** With characters that a form and a header each write in their own way. */
const SECRET = 'a secret: with +, %41 and-_.~ = 0123456789';

const PEOPLE = {
  ada: {
    email: 'Ada@Example.com',
    email_verified: true,
    name: 'Ada Lovelace',
    groups: ['engineers', 'everyone'],
    role: 'Owner',
  },
  grace: { email: 'grace@example.com', name: 'Grace', groups: 'engineers', role: 'Unknown' },
  mallory: { email: 'mallory@example.com', groups: ['Engineers', ' engineers'] },
};

interface Account {
  readonly username: string;
  readonly email: string;
  readonly role: string;
  readonly auth_method: string;
  readonly oauth2_user_id?: string;
}

let provider: IdentityProviderServer;
let server: TestServer;

async function start(
  clients: readonly Omit<TestClient, 'redirectUri'>[],
  settings: (configUrl: string) => Readonly<Record<string, string>>,
  options: { readonly rootPath?: string; readonly putsClaimsIntoToken?: boolean; readonly requiresPkce?: boolean } = {},
): Promise<void> {
  const { rootPath = '', ...ofProvider } = options;
  const port = String(await findFreePort());
  const rootUrl = `http://localhost:${port}${rootPath}`;
  provider = await startIdentityProvider({
    clients: clients.map((client) => ({ ...client, redirectUri: `${rootUrl}/oauth2/${client.id}/tokens` })),
    people: PEOPLE,
    ...ofProvider,
  });
  server = await startTestServer({
    ...ASKING,
    DISABLE_RATE_LIMIT: 'true',
    PORT: port,
    ROOT_URL: rootUrl,
    ...(rootPath !== '' && { HOST_ROOT_PATH: rootPath }),
    ...settings(provider.configUrl),
  });
}

/** Settings of one provider. */
function idp(name: string, configUrl: string, more: Readonly<Record<string, string>> = {}) {
  const settings = { CLIENT_ID: name.toLowerCase(), CLIENT_SECRET: SECRET, OIDC_CONFIG_URL: configUrl, ...more };
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [`OAUTH2_${name}_${key}`, value]));
}

/** Whom a browser is signed in as. */
async function viewer(browser: ProviderBrowser, url = server.url): Promise<unknown> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const query = '{ viewer { username email authMethod role { name } } }';
  const answer = (await (await postGraphql(url, { query }, { cookie })).json()) as { data?: { viewer: unknown } };
  return answer.data?.viewer ?? null;
}

async function accounts(): Promise<readonly Account[]> {
  const { body } = await sendJson(server.url, 'GET', '/v1/users', undefined, AS_ADMIN);
  return (body as { data: readonly Account[] }).data.filter(({ auth_method }) => auth_method === 'OAUTH2');
}

/** The path to which a browser is led that signs in as somebody. */
async function signIn(name: string, person: string, browser = new ProviderBrowser(), query = ''): Promise<string> {
  const { url } = await browser.signIn(`${server.url}/oauth2/${name}/login${query}`, person);
  return url.href.replace(new URL(server.url).origin, '');
}

async function stop(): Promise<void> {
  await server[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
}

describe('signing in with a provider', () => {
  beforeAll(() =>
    start(
      [
        { id: 'basic', secret: SECRET, method: 'client_secret_basic' },
        { id: 'post', secret: SECRET, method: 'client_secret_post', algorithm: 'ES256' },
        { id: 'open', method: 'none', algorithm: 'EdDSA' },
      ],
      (url) => ({
        ...idp('BASIC', url),
        ...idp('POST', url, { TOKEN_ENDPOINT_AUTH_METHOD: 'client_secret_post', USE_PKCE: 'true' }),
        ...idp('OPEN', url, { TOKEN_ENDPOINT_AUTH_METHOD: 'none', USE_PKCE: 'true', CLIENT_SECRET: '' }),
      }),
    ),
  );
  afterAll(() => stop());

  it('makes an account at the first sign-in, and finds it by issuer and subject at the next, with any client', async () => {
    const browser = new ProviderBrowser();
    expect(await signIn('basic', 'ada', browser)).toBe('/');
    const ada = { username: 'Ada Lovelace', email: 'ada@example.com', authMethod: 'OAUTH2', role: { name: 'VIEWER' } };
    expect(await viewer(browser)).toEqual(ada);
    for (const client of ['post', 'open']) {
      const other = new ProviderBrowser();
      expect(await signIn(client, 'ada', other)).toBe('/');
      expect(await viewer(other)).toEqual(ada);
    }
    expect((await accounts()).map(({ email, oauth2_user_id }) => [email, oauth2_user_id])).toEqual([
      ['ada@example.com', 'ada'],
    ]);
  });
});
