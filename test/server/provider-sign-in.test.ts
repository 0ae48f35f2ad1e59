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
  const answer = await postGraphql(url, { query }, { cookie });
  if (answer.status === 401) return null;
  return ((await answer.json()) as { data?: { viewer: unknown } }).data?.viewer ?? null;
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

  it('uses PKCE where it is set, and asks for no more than it should', async () => {
    const asked = async (name: string) => {
      const { headers } = await new ProviderBrowser().load(`${server.url}/oauth2/${name}/login`);
      return Object.fromEntries(new URL(headers.get('location') ?? '').searchParams);
    };
    expect(await asked('basic')).toEqual({
      client_id: 'basic',
      redirect_uri: `${server.url}/oauth2/basic/tokens`,
      response_type: 'code',
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/) as unknown,
      nonce: expect.stringMatching(/^[\w-]{43}$/) as unknown,
    });
    expect(await asked('open')).toMatchObject({ code_challenge_method: 'S256', code_challenge: expect.any(String) });
  });

  it('leads to where it began, and to no other site', async () => {
    expect(await signIn('basic', 'ada', undefined, '?returnUrl=/projects%3Fsort%3Dname%23there')).toBe(
      '/projects?sort=name#there',
    );
    for (const address of ['https://evil.example.com', '//evil.example.com', '/\\evil.example.com', 'projects']) {
      const query = `?returnUrl=${encodeURIComponent(address)}`;
      expect(await signIn('basic', 'ada', undefined, query)).toBe('/login?error=unsafe_return_url');
    }
  });

  it('begins with a POST, too, and knows no other provider', async () => {
    const browser = new ProviderBrowser();
    const begun = await browser.load(`${server.url}/oauth2/basic/login`, 'POST');
    expect([begun.status, new URL(begun.headers.get('location') ?? '').origin]).toEqual([302, provider.issuer]);
    for (const [method, status] of [
      ['GET', 307],
      ['POST', 303],
    ] as const) {
      const refused = await browser.load(`${server.url}/oauth2/nobody/login`, method);
      expect([refused.status, refused.headers.get('location')]).toEqual([status, '/login?error=unknown_idp']);
    }
  });

  it('keeps what binds the answer in cookies that scripts cannot read, for a short time', async () => {
    const { headers } = await new ProviderBrowser().load(`${server.url}/oauth2/open/login`);
    expect(headers.getSetCookie().map((cookie) => cookie.replace(/=[^;]+/, '=…'))).toEqual([
      'phoenix-oauth2-state=…; Max-Age=900; Path=/; HttpOnly; SameSite=Lax',
      'phoenix-oauth2-nonce=…; Max-Age=900; Path=/; HttpOnly; SameSite=Lax',
      'phoenix-oauth2-code-verifier=…; Max-Age=900; Path=/; HttpOnly; SameSite=Lax',
    ]);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('takes an answer once, and only in the browser that began', async () => {
    const browser = new ProviderBrowser();
    const { url } = await browser.choose(`${server.url}/oauth2/basic/login`, 'grace');
    const before = new Map(browser.cookies);
    const pathOf = async (other: ProviderBrowser) => (await other.visit(url.href)).url.href.replace(server.url, '');
    expect(await pathOf(new ProviderBrowser())).toBe('/login?error=invalid_state');
    expect(await pathOf(browser)).toBe('/');
    expect([...browser.cookies.keys()].filter((name) => name.includes('oauth2'))).toEqual([]);
    const replaying = new ProviderBrowser();
    for (const [name, value] of before) replaying.cookies.set(name, value);
    expect(await pathOf(replaying)).toBe('/login?error=invalid_state');
    expect(await viewer(replaying)).toBeNull();
    expect(server.complaints.join('\n')).toContain('This answer of the provider was used before.');
  });

  it.each(['phoenix-oauth2-state', 'phoenix-oauth2-nonce', 'phoenix-oauth2-code-verifier'])(
    'refuses an answer where the cookie %s is another one, or gone',
    async (name) => {
      const other = new ProviderBrowser();
      await other.load(`${server.url}/oauth2/open/login`);
      for (const value of ['', 'made-up', other.cookies.get(name) ?? '']) {
        const browser = new ProviderBrowser();
        const { url } = await browser.choose(`${server.url}/oauth2/open/login`, 'ada');
        browser.cookies.set(name, value);
        const { pathname, searchParams } = (await browser.visit(url.href)).url;
        expect(pathname).toBe('/login');
        expect(searchParams.get('error')).toMatch(/^(invalid_state|auth_failed|oauth_error)$/);
        expect(await viewer(browser)).toBeNull();
      }
    },
  );

  it('refuses an answer of one provider at the address of another', async () => {
    const browser = new ProviderBrowser();
    const { url } = await browser.choose(`${server.url}/oauth2/basic/login`, 'ada');
    const elsewhere = url.href.replace('/oauth2/basic/', '/oauth2/post/');
    expect((await browser.visit(elsewhere)).url.search).toBe('?error=invalid_state');
  });

  it('says that the provider refused', async () => {
    expect(await signIn('basic', 'nobody')).toBe('/login?error=auth_failed');
    expect(server.complaints.at(-1)).toContain('The provider refused the sign-in: access_denied.');
  });

  it('is in the audit log, as are new accounts', async () => {
    const { body } = await sendJson(server.url, 'GET', '/v1/audit_events?limit=1000', undefined, AS_ADMIN);
    const events = (body as { data: readonly Record<string, unknown>[] }).data;
    const of = (operation: string) => events.filter((event) => event['operation'] === operation);
    expect(of('providerSignIn.admit').at(-1)).toMatchObject({
      outcome: 'done',
      object_type: 'User',
      object_name: 'Ada Lovelace',
      changes: ['username', 'email', 'role', 'auth_method'],
    });
    expect(of('providerSignIn.signIn').at(-1)).toMatchObject({
      outcome: 'done',
      caller_name: 'Ada Lovelace',
      object_name: 'Ada Lovelace',
    });
  });

  it('works again when the keys of the provider have changed, and when it was away', async () => {
    expect(await signIn('basic', 'ada')).toBe('/');
    await provider.rotateKeys();
    expect(await signIn('basic', 'ada')).toBe('/');
    const browser = new ProviderBrowser();
    const { url } = await browser.choose(`${server.url}/oauth2/basic/login`, 'ada');
    await provider.stop();
    expect((await browser.visit(url.href)).url.search).toBe('?error=oauth_error');
    await provider.start();
    expect(await signIn('basic', 'ada')).toBe('/');
  });

  it('logs neither a token nor a secret', () => {
    const log = server.complaints.join('\n');
    expect(log).not.toContain(SECRET);
    expect(log).not.toMatch(/eyJ|access_token|id_token|code=/);
  });
});

describe('a provider that is away when the server starts', () => {
  beforeAll(() => start([{ id: 'dex', secret: SECRET, method: 'client_secret_basic' }], (url) => idp('DEX', url)));
  afterAll(() => stop());

  it('is asked again at each sign-in', async () => {
    await provider.stop();
    expect(await signIn('dex', 'ada')).toBe('/login?error=oauth_error');
    expect(server.complaints.at(-1)).toContain(
      `The provider’s configuration at ${provider.configUrl} could not be read`,
    );
    await provider.start();
    expect(await signIn('dex', 'ada')).toBe('/');
  });
});

describe('groups and roles', () => {
  beforeAll(() =>
    start(
      [{ id: 'dex', secret: SECRET, method: 'client_secret_basic' }],
      (url) =>
        idp('DEX', url, {
          SCOPES: 'groups',
          GROUPS_ATTRIBUTE_PATH: 'groups',
          ALLOWED_GROUPS: 'ops, engineers',
          ROLE_ATTRIBUTE_PATH: 'role',
          ROLE_MAPPING: 'Owner:ADMIN,Dev:MEMBER',
        }),
      // So that they are read where the ID token does not have them.
      { putsClaimsIntoToken: false },
    ),
  );
  afterAll(() => stop());

  it('let in members of a group, with the role of the provider, at each sign-in', async () => {
    const browser = new ProviderBrowser();
    expect(await signIn('dex', 'ada', browser)).toBe('/');
    expect(await viewer(browser)).toMatchObject({ role: { name: 'ADMIN' } });
    provider.people.set('ada', { ...PEOPLE.ada, role: 'Dev' });
    expect(await signIn('dex', 'ada')).toBe('/');
    // The sign-in of before stays, and may do what the role lets it.
    expect(await viewer(browser)).toMatchObject({ role: { name: 'MEMBER' } });
    expect(await signIn('dex', 'grace')).toBe('/');
    expect((await accounts()).map(({ username, role }) => [username, role])).toEqual([
      ['Grace', 'VIEWER'],
      ['Ada Lovelace', 'MEMBER'],
    ]);
  });

  it('refuse everybody else, and make no account', async () => {
    expect(await signIn('dex', 'mallory')).toBe('/login?error=auth_failed');
    expect(server.complaints.at(-1)).toContain('mallory@example.com is in none of the allowed groups.');
    expect((await accounts()).map(({ email }) => email)).not.toContain('mallory@example.com');
  });
});

describe('strict roles and constants', () => {
  beforeAll(() =>
    start(
      [
        { id: 'strict', secret: SECRET, method: 'client_secret_basic' },
        { id: 'fixed', secret: SECRET, method: 'client_secret_basic' },
        { id: 'named', secret: SECRET, method: 'client_secret_basic' },
      ],
      (url) => ({
        ...idp('NAMED', url, { EMAIL_ATTRIBUTE_PATH: "join('@', [sub, 'by-subject.example.com'])" }),
        ...idp('STRICT', url, { ROLE_ATTRIBUTE_PATH: 'role', ROLE_ATTRIBUTE_STRICT: 'true' }),
        ...idp('FIXED', url, { ROLE_ATTRIBUTE_PATH: "'member'" }),
      }),
    ),
  );
  afterAll(() => stop());

  it('refuse a role that nobody has here, and that of the system', async () => {
    for (const role of ['Owner', 'SYSTEM', '', undefined]) {
      provider.people.set('ada', { ...PEOPLE.ada, role });
      expect(await signIn('strict', 'ada')).toBe('/login?error=auth_failed');
    }
    expect(await accounts()).toEqual([]);
    provider.people.set('ada', { ...PEOPLE.ada, role: 'admin' });
    expect(await signIn('strict', 'ada')).toBe('/');
    expect(await signIn('fixed', 'grace')).toBe('/');
    expect((await accounts()).map(({ username, role }) => [username, role])).toEqual([
      ['Grace', 'MEMBER'],
      ['Ada Lovelace', 'ADMIN'],
    ]);
  });

  it('take the address from where the settings say', async () => {
    expect(await signIn('named', 'mallory')).toBe('/');
    expect((await accounts()).map(({ email }) => email)).toContain('mallory@by-subject.example.com');
  });
});

describe('accounts that are there', () => {
  beforeAll(() =>
    start(
      [
        { id: 'dex', secret: SECRET, method: 'client_secret_basic' },
        { id: 'closed', secret: SECRET, method: 'client_secret_basic' },
      ],
      (url) => ({ ...idp('DEX', url), ...idp('CLOSED', url, { ALLOW_SIGN_UP: 'false' }) }),
    ),
  );
  afterAll(() => stop());

  const prepare = async (user: Readonly<Record<string, unknown>>) => {
    const { status } = await sendJson(server.url, 'POST', '/v1/users', { user, send_welcome_email: false }, AS_ADMIN);
    expect(status).toBe(201);
  };

  it('belong to nobody else who has the same address', async () => {
    await prepare({
      auth_method: 'LOCAL',
      email: 'ada@example.com',
      username: 'local',
      role: 'ADMIN',
      password: 'abcd1234',
    });
    expect(await signIn('dex', 'ada')).toBe('/login?error=email_in_use');
    expect(await signIn('closed', 'ada')).toBe('/login?error=sign_in_not_allowed');
    expect(await accounts()).toEqual([]);
  });

  it('are needed where sign-up is off', async () => {
    expect(await signIn('closed', 'grace')).toBe('/login?error=sign_in_not_allowed');
    await prepare({ auth_method: 'OAUTH2', email: 'grace@example.com', username: 'Hopper', role: 'MEMBER' });
    const browser = new ProviderBrowser();
    expect(await signIn('closed', 'grace', browser)).toBe('/');
    expect(await viewer(browser)).toEqual({
      username: 'Hopper',
      email: 'grace@example.com',
      authMethod: 'OAUTH2',
      role: { name: 'MEMBER' },
    });
  });

  it('are the same person’s when the address has changed, unless another account has it', async () => {
    provider.people.set('grace', { ...PEOPLE.grace, email: 'hopper@example.com' });
    expect(await signIn('dex', 'grace')).toBe('/');
    expect((await accounts())[0]).toMatchObject({ username: 'Hopper', email: 'hopper@example.com' });
    provider.people.set('grace', { ...PEOPLE.grace, email: 'ada@example.com' });
    expect(await signIn('dex', 'grace')).toBe('/login?error=email_in_use');
    expect((await accounts())[0]).toMatchObject({ email: 'hopper@example.com' });
    // Somebody else has the old address there now, and gets an account of their own.
    provider.people.set('new', { email: 'grace@example.com', name: 'Hopper' });
    expect(await signIn('dex', 'new')).toBe('/');
    expect((await accounts()).map(({ email }) => email)).toEqual(['grace@example.com', 'hopper@example.com']);
    expect((await accounts())[0]?.username).toMatch(/^Hopper \d{5}$/);
  });

  it('that were prepared for an address are not adopted by an unverified one', async () => {
    await prepare({ auth_method: 'OAUTH2', email: 'joan@example.com', username: 'Joan', role: 'ADMIN' });
    provider.people.set('joan', { email: 'joan@example.com', email_verified: false });
    expect(await signIn('dex', 'joan')).toBe('/login?error=email_in_use');
    provider.people.set('joan', { email: 'joan@example.com', email_verified: true });
    expect(await signIn('dex', 'joan')).toBe('/');
    provider.people.set('other', { email: 'joan@example.com', email_verified: true });
    expect(await signIn('dex', 'other')).toBe('/login?error=email_in_use');
  });

  it('that were prepared for a subject of a client are adopted by it', async () => {
    const named = { oauth2_client_id: 'dex', oauth2_user_id: 'katherine' };
    await prepare({ auth_method: 'OAUTH2', email: 'k@example.com', username: 'Katherine', role: 'MEMBER', ...named });
    provider.people.set('imposter', { email: 'k@example.com', email_verified: true });
    expect(await signIn('dex', 'imposter')).toBe('/login?error=email_in_use');
    provider.people.set('katherine', { email: 'katherine@example.com', email_verified: true });
    expect(await signIn('dex', 'katherine')).toBe('/');
    expect((await accounts())[0]).toMatchObject({
      username: 'Katherine',
      email: 'katherine@example.com',
      role: 'MEMBER',
    });
  });
});

describe('below a root path', () => {
  beforeAll(() =>
    start(
      [{ id: 'dex', secret: SECRET, method: 'client_secret_basic' }],
      (url) => idp('DEX', url, { AUTO_LOGIN: 'true' }),
      {
        rootPath: '/tools/cairn',
      },
    ),
  );
  afterAll(() => stop());

  it('the provider sends people back there, and they are led to where they wanted to go', async () => {
    const root = new URL(server.url).origin;
    const browser = new ProviderBrowser();
    // A proxy takes the root path off.
    const begun = await browser.load(`${root}/login?returnUrl=${encodeURIComponent('/tools/cairn/projects?a=b')}`);
    expect([begun.status, begun.headers.get('location')]).toEqual([
      307,
      '/tools/cairn/oauth2/dex/login?returnUrl=%2Ftools%2Fcairn%2Fprojects%3Fa%3Db',
    ]);
    const { url } = await browser.choose(`${root}/oauth2/dex/login?returnUrl=/projects%3Fa%3Db`, 'ada');
    expect(url.pathname).toBe('/tools/cairn/oauth2/dex/tokens');
    const { headers } = await browser.load(url.href.replace('/tools/cairn', ''));
    expect(headers.get('location')).toBe('/tools/cairn/projects?a=b');
  });

  it('the sign-in page leads to the provider, but not after an error or signing out', async () => {
    const root = new URL(server.url).origin;
    const browser = new ProviderBrowser();
    for (const query of ['?error=auth_failed', '?message=password_reset', '?choose=true']) {
      expect((await browser.load(`${root}/login${query}`)).headers.get('location')).toBeNull();
    }
    expect((await browser.load(`${root}/auth/logout`)).headers.get('location')).toBe('/tools/cairn/logout');
  });
});

describe('with trusted origins and limits', () => {
  beforeAll(() =>
    start([{ id: 'dex', secret: SECRET, method: 'client_secret_basic' }], (url) => ({
      ...idp('DEX', url),
      CSRF_TRUSTED_ORIGINS: 'https://app.example.com',
      DISABLE_RATE_LIMIT: 'false',
    })),
  );
  afterAll(() => stop());

  it('the page of a provider may lead people back, and no further', async () => {
    const headers = { referer: 'https://id.example.com/' };
    const load = (path: string) => fetch(server.url + path, { headers, redirect: 'manual' });
    const back = await load('/oauth2/dex/tokens?state=x&code=y');
    expect([back.status, back.headers.get('location')]).toEqual([307, '/login?error=invalid_state']);
    expect((await load('/oauth2/dex/login')).status).toBe(401);
  });

  it('a client may begin twelve sign-ins, and is told when it may begin the next', async () => {
    const browser = new ProviderBrowser();
    for (let count = 0; count < 12; count++) {
      expect((await browser.load(`${server.url}/oauth2/dex/login`)).status).toBe(302);
    }
    const { status, headers } = await browser.load(`${server.url}/oauth2/dex/login`);
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
  });
});
