/** Accounts of a server that asks for credentials, from its first start on. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCairn } from '../../src/cli/child-process.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { createTestData, environmentOf, type TestData } from '../harness/test-data.ts';

const SECRET = 'a-long-secret-of-this-test-0123456789';
const ADMIN_SECRET = 'another-long-secret-of-this-test-01234';
const AUTH = { ENABLE_AUTH: 'true', SECRET, ADMIN_SECRET, DISABLE_RATE_LIMIT: 'true' };

/** Data that several servers use, one after the other. */
class Data implements AsyncDisposable {
  readonly #folder: string;
  readonly data: TestData;

  private constructor(folder: string, data: TestData) {
    this.#folder = folder;
    this.data = data;
  }

  static async create(): Promise<Data> {
    const folder = await mkdtemp(join(tmpdir(), 'cairn-accounts-'));
    return new Data(folder, await createTestData(folder));
  }

  get settings(): Readonly<Record<string, string>> {
    return { WORKING_DIR: this.#folder, ...this.data.settings };
  }

  start(settings: Readonly<Record<string, string>> = {}): Promise<TestServer> {
    return startTestServer({ ...this.settings, ...settings });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.data.remove();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Somebody who asks a server, with what its browser or its program shows. */
class Client {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ url }: Pick<TestServer, 'url'>, headers: Readonly<Record<string, string>> = {}) {
    this.#url = url;
    this.#headers = headers;
  }

  async rest(method: string, path: string, body?: object) {
    const headers = { ...this.#headers, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(`${this.#url}${path}`, sent);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, body: isJson ? (JSON.parse(text) as unknown) : text };
  }

  async graphql(query: string, variables: object = {}) {
    const response = await fetch(`${this.#url}/graphql`, {
      method: 'POST',
      headers: { ...this.#headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const cookies = response.headers.getSetCookie();
    if (response.status !== 200) return { status: response.status, cookies, data: null, message: null };
    const { data, errors } = (await response.json()) as {
      data: Record<string, unknown> | null;
      errors?: readonly { readonly message: string }[];
    };
    return { status: 200, cookies, data, message: errors?.[0]?.message ?? null };
  }
}

const secretOf = (server: TestServer) => new Client(server, { authorization: `Bearer ${ADMIN_SECRET}` });

/** Signs in; `null` where that is refused. */
async function signIn(server: TestServer, email: string, password: string): Promise<Client | null> {
  const response = await fetch(`${server.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  await response.text();
  if (response.status !== 204) return null;
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
  return new Client(server, { cookie: cookies.join('; ') });
}

async function signedIn(server: TestServer, email: string, password: string): Promise<Client> {
  const client = await signIn(server, email, password);
  if (client === null) throw new Error(`${email} cannot sign in`);
  return client;
}

/** Makes an account that has chosen its password. */
async function makeUser(server: TestServer, name: string, role: string): Promise<{ id: string; client: Client }> {
  const email = `${name}@example.com`;
  const user = { auth_method: 'LOCAL', email, username: name, role, password: 'first' };
  const { body } = await secretOf(server).rest('POST', '/v1/users', { user, send_welcome_email: false });
  await (await signedIn(server, email, 'first')).graphql(PATCH_VIEWER, {
    input: { newPassword: 'second', currentPassword: 'first' },
  });
  return { id: (body as { data: { id: string } }).data.id, client: await signedIn(server, email, 'second') };
}

const PATCH_VIEWER =
  'mutation ($input: PatchViewerInput!) { patchViewer(input: $input) { user { username passwordNeedsReset } } }';
const CREATE =
  'mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id username email role { name } authMethod passwordNeedsReset } } }';
const PATCH =
  'mutation ($input: PatchUserInput!) { patchUser(input: $input) { user { username role { name } passwordNeedsReset } } }';
const DELETE = 'mutation ($input: DeleteUsersInput!) { deleteUsers(input: $input) { userIds } }';
const VIEWER = '{ viewer { id username email passwordNeedsReset isManagementUser profilePictureUrl role { name } } }';

const idOf = (rowId: number) => Buffer.from(`User:${rowId}`).toString('base64');

describe('the first sign-in', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer(AUTH);
  });

  afterAll(() => server[Symbol.asyncDispose]());

  it('lets the built-in administrator choose a password, and nothing else', async () => {
    const admin = await signedIn(server, ' Admin@LOCALHOST ', 'admin');
    expect((await admin.graphql(VIEWER)).data).toEqual({
      viewer: {
        id: idOf(2),
        username: 'admin',
        email: 'admin@localhost',
        passwordNeedsReset: true,
        isManagementUser: true,
        profilePictureUrl: null,
        role: { name: 'ADMIN' },
      },
    });
    expect((await admin.rest('GET', '/v1/user')).body).toMatchObject({
      data: { id: idOf(2), role: 'ADMIN', password_needs_reset: true },
    });
    const own = await admin.graphql(`{ node(id: "${idOf(2)}") { ... on User { passwordNeedsReset } } }`);
    expect(own.data).toEqual({ node: { passwordNeedsReset: true } });
    const refused = expect.stringMatching(/^Choose a new password first/);
    expect(await admin.rest('GET', '/v1/projects')).toEqual({ status: 403, body: refused });
    expect(await admin.rest('GET', '/v1/users')).toEqual({ status: 403, body: refused });
    expect((await admin.graphql('{ users { edges { node { id } } } }')).message).toEqual(refused);
    expect((await admin.graphql(DELETE, { input: { userIds: [idOf(2)] } })).message).toEqual(refused);
  });

  it('refuses wrong and weak passwords, and the same one', async () => {
    const admin = await signedIn(server, 'admin@localhost', 'admin');
    const change = async (newPassword: string, currentPassword: string | null) =>
      (await admin.graphql(PATCH_VIEWER, { input: { newPassword, currentPassword } })).message;
    expect(await change('another', 'wrong')).toBe('The current password is wrong.');
    expect(await change('another', null)).toMatch(/needs the current password/);
    expect(await change('abc', 'admin')).toMatch(/at least 4 characters/);
    expect(await change('admin', 'admin')).toMatch(/must differ/);
    expect((await admin.graphql(VIEWER)).data).toMatchObject({ viewer: { passwordNeedsReset: true } });
  });

  it('ends with a password of one’s own: cookies are cleared, all sign-ins end, and the next one may do everything', async () => {
    const [admin, elsewhere] = [
      await signedIn(server, 'admin@localhost', 'admin'),
      await signedIn(server, 'admin@localhost', 'admin'),
    ];
    const changed = await admin.graphql(PATCH_VIEWER, { input: { newPassword: 'chosen', currentPassword: 'admin' } });
    expect(changed.data).toEqual({ patchViewer: { user: { username: 'admin', passwordNeedsReset: false } } });
    expect(changed.cookies.toSorted()).toEqual([
      'phoenix-access-token=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict',
      'phoenix-refresh-token=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict',
    ]);
    expect([(await admin.graphql(VIEWER)).status, (await elsewhere.graphql(VIEWER)).status]).toEqual([401, 401]);
    expect(await signIn(server, 'admin@localhost', 'admin')).toBeNull();
    const again = await signedIn(server, 'admin@localhost', 'chosen');
    expect((await again.rest('GET', '/v1/users')).status).toBe(200);
    const named = await again.graphql(PATCH_VIEWER, { input: { newUsername: 'root' } });
    expect([named.message, named.cookies]).toEqual([null, []]);
    expect((await again.graphql(VIEWER)).data).toMatchObject({ viewer: { username: 'root' } });
  });
});

describe('accounts over GraphQL', () => {
  let server: TestServer;
  let admin: Client;

  beforeAll(async () => {
    server = await startTestServer({ ...AUTH, ADMINS: 'Boss=boss@example.com' });
    admin = secretOf(server);
  });

  afterAll(() => server[Symbol.asyncDispose]());

  const create = (input: object) => admin.graphql(CREATE, { input: { password: 'pass', role: 'MEMBER', ...input } });

  it('are listed by e-mail without the system’s, and roles without its role', async () => {
    const { data } = await admin.graphql(
      '{ users { edges { node { email isManagementUser } } } userRoles { name } viewer { username apiKeys: email } }',
    );
    expect(data).toEqual({
      users: {
        edges: [
          { node: { email: 'admin@localhost', isManagementUser: true } },
          { node: { email: 'boss@example.com', isManagementUser: true } },
        ],
      },
      userRoles: [{ name: 'ADMIN' }, { name: 'MEMBER' }, { name: 'VIEWER' }],
      viewer: { username: 'system', apiKeys: 'system@localhost' },
    });
    const paged = await admin.graphql(
      '{ users(first: 1) { pageInfo { hasNextPage endCursor } edges { node { email } } } }',
    );
    const { users } = paged.data as { users: { pageInfo: { hasNextPage: boolean; endCursor: string } } };
    expect(users.pageInfo.hasNextPage).toBe(true);
    const next = await admin.graphql(
      `{ users(first: 1, after: "${users.pageInfo.endCursor}") { edges { node { email } } } }`,
    );
    expect(next.data).toEqual({ users: { edges: [{ node: { email: 'boss@example.com' } }] } });
  });

  it('are made with a password that must be changed, or without one for other services', async () => {
    expect((await create({ email: 'Made@Example.com', username: 'made' })).data).toMatchObject({
      createUser: {
        user: { username: 'made', email: 'made@example.com', role: { name: 'MEMBER' }, passwordNeedsReset: true },
      },
    });
    const other = { email: 'sso@example.com', username: 'sso', password: '', authMethod: 'OAUTH2' };
    expect((await create(other)).data).toMatchObject({ createUser: { user: { authMethod: 'OAUTH2' } } });
    for (const [input, message] of [
      [{ email: 'made@example.com', username: 'x' }, /e-mail address already exists/],
      [{ email: 'x@example.com', username: 'made' }, /username already exists/],
      [{ email: 'x', username: 'x' }, /not an e-mail address/],
      [{ email: 'x@example.com', username: 'x', password: 'abc' }, /at least 4 characters/],
      [{ email: 'x@example.com', username: 'x', password: '' }, /A password is required/],
      [{ email: 'x@example.com', username: 'x', authMethod: 'LDAP' }, /for LOCAL users alone/],
    ] as const) {
      expect((await create(input)).message).toMatch(message);
    }
  });

  it('end their sign-ins with another role or password, and not with another name', async () => {
    const { id, client } = await makeUser(server, 'ada', 'MEMBER');
    const patch = (input: object) => admin.graphql(PATCH, { input: { userId: id, ...input } });
    expect((await patch({ newUsername: 'ada l' })).data).toMatchObject({ patchUser: { user: { username: 'ada l' } } });
    expect((await client.graphql(VIEWER)).data).toMatchObject({ viewer: { username: 'ada l' } });
    expect((await patch({ newRole: 'VIEWER' })).message).toBeNull();
    expect((await client.graphql(VIEWER)).status).toBe(401);
    const again = await signedIn(server, 'ada@example.com', 'second');
    expect((await patch({ newPassword: 'third' })).data).toMatchObject({
      patchUser: { user: { passwordNeedsReset: true } },
    });
    expect((await again.graphql(VIEWER)).status).toBe(401);
    expect(await signIn(server, 'ada@example.com', 'second')).toBeNull();
    expect((await (await signedIn(server, 'ada@example.com', 'third')).graphql(VIEWER)).data).toMatchObject({
      viewer: { passwordNeedsReset: true },
    });
  });

  it('are deleted together or not at all', async () => {
    const [one, two] = [await makeUser(server, 'one', 'MEMBER'), await makeUser(server, 'two', 'ADMIN')];
    const remove = (...userIds: readonly string[]) => admin.graphql(DELETE, { input: { userIds } });
    expect((await remove(one.id, idOf(999))).message).toBe('Some user IDs could not be found');
    expect((await remove(one.id, idOf(1))).message).toBe('Some user IDs could not be found');
    expect((await remove(one.id, idOf(2))).message).toBe('Cannot delete the default admin user');
    expect((await remove()).message).toMatch(/Between 1 and/);
    expect((await one.client.graphql(VIEWER)).status).toBe(200);
    expect((await remove(one.id, two.id)).data).toEqual({ deleteUsers: { userIds: [one.id, two.id] } });
    expect([(await one.client.graphql(VIEWER)).status, (await two.client.graphql(VIEWER)).status]).toEqual([401, 401]);
  });

  it('cannot lose what the server needs', async () => {
    const { id, client } = await makeUser(server, 'second', 'ADMIN');
    const patch = async (input: object) => (await client.graphql(PATCH, { input })).message;
    expect(await patch({ userId: id, newRole: 'MEMBER' })).toBe('Cannot modify own role');
    expect(await patch({ userId: idOf(2), newRole: 'MEMBER' })).toBe('Cannot modify role for the default admin user');
    expect(await patch({ userId: idOf(1), newPassword: 'hello' })).toBe('User not found');
    expect(await patch({ userId: idOf(1), newRole: 'MEMBER' })).toBe('User not found');
  });

  it('are shown to their owners and to administrators', async () => {
    const [eve, mallory] = [await makeUser(server, 'eve', 'VIEWER'), await makeUser(server, 'mallory', 'MEMBER')];
    const node = (client: Client, id: string) => client.graphql(`{ node(id: "${id}") { ... on User { email } } }`);
    expect((await node(eve.client, eve.id)).data).toEqual({ node: { email: 'eve@example.com' } });
    expect((await node(admin, eve.id)).data).toEqual({ node: { email: 'eve@example.com' } });
    const refusals = [await node(mallory.client, eve.id), await node(mallory.client, idOf(999))];
    for (const { message } of refusals) expect(message).toMatch(/not auth/);
    for (const query of [
      '{ users { edges { node { id } } } }',
      `mutation { deleteUsers(input: { userIds: ["${eve.id}"] }) { userIds } }`,
    ]) {
      expect((await mallory.client.graphql(query)).message).toBe('Only admin can perform this action');
    }
    expect((await admin.graphql(PATCH_VIEWER, { input: { newUsername: 'x' } })).message).toMatch(/Only people/);
  });

  it('are locked for changes of the password after five wrong ones', async () => {
    const { client } = await makeUser(server, 'guessed', 'MEMBER');
    const guess = async (currentPassword: string) =>
      (await client.graphql(PATCH_VIEWER, { input: { newPassword: 'other', currentPassword } })).message;
    for (let attempt = 0; attempt < 5; attempt++) expect(await guess('wrong')).toMatch(/is wrong/);
    expect(await guess('second')).toMatch(/Too many wrong passwords/);
  });
});

describe('accounts over REST', () => {
  let server: TestServer;
  let admin: Client;

  beforeAll(async () => {
    server = await startTestServer(AUTH);
    admin = secretOf(server);
  });

  afterAll(() => server[Symbol.asyncDispose]());

  const NEW = { auth_method: 'LOCAL', email: 'ada@example.com', username: 'ada', role: 'MEMBER', password: 'pass' };
  const create = (change: object = {}) => admin.rest('POST', '/v1/users', { user: { ...NEW, ...change } });

  it('are created, listed and deleted', async () => {
    const { status, body } = await create();
    expect([status, body]).toEqual([
      201,
      {
        data: {
          id: idOf(3),
          created_at: expect.stringMatching(/\+00:00$/),
          updated_at: expect.stringMatching(/\+00:00$/),
          email: 'ada@example.com',
          username: 'ada',
          role: 'MEMBER',
          auth_method: 'LOCAL',
          password_needs_reset: true,
        },
      },
    ]);
    const first = await admin.rest('GET', '/v1/users?limit=2');
    expect(first.body).toMatchObject({ data: [{ username: 'ada' }, { username: 'admin' }], next_cursor: idOf(1) });
    const second = await admin.rest('GET', `/v1/users?limit=2&cursor=${idOf(1)}`);
    expect(second.body).toMatchObject({ data: [{ username: 'system', role: 'SYSTEM' }], next_cursor: null });
    expect((await admin.rest('DELETE', `/v1/users/${idOf(3)}`)).status).toBe(204);
    expect(await admin.rest('DELETE', `/v1/users/${idOf(3)}`)).toEqual({ status: 404, body: 'User not found' });
  });

  it('of other services have what those know of them', async () => {
    const { body } = await create({
      auth_method: 'OAUTH2',
      email: 'sso@example.com',
      username: 'sso',
      oauth2_client_id: 'client',
      oauth2_user_id: 'subject',
    });
    expect(body).toMatchObject({ data: { oauth2_client_id: 'client', oauth2_user_id: 'subject' } });
    expect((body as { data: object }).data).not.toHaveProperty('password_needs_reset');
  });

  it('are refused with what is wrong', async () => {
    await create({ email: 'bob@example.com', username: 'bob' });
    for (const [change, status, message] of [
      [{ role: 'SYSTEM' }, 400, /SYSTEM/],
      [{ email: 'BOB@example.com ' }, 409, /e-mail/],
      [{ username: 'bob' }, 409, /username/],
      [{ email: 'nowhere' }, 422, /e-mail/],
      [{ username: ' ' }, 422, /username/],
      [{ password: 'abc' }, 422, /at least 4/],
    ] as const) {
      const refused = await create(change);
      expect([refused.status, refused.body]).toEqual([status, expect.stringMatching(message)]);
    }
    expect((await create({ role: 'OWNER' })).status).toBe(422);
    const untold = await create({ password: 20_261_123 });
    expect([untold.status, JSON.stringify(untold.body)]).toEqual([422, expect.not.stringContaining('20261123')]);
    expect((await admin.rest('GET', '/v1/users?cursor=x')).status).toBe(422);
    expect((await admin.rest('DELETE', '/v1/users/x')).status).toBe(422);
    for (const rowId of [1, 2]) expect((await admin.rest('DELETE', `/v1/users/${idOf(rowId)}`)).status).toBe(403);
  });

  it('say who asks', async () => {
    expect((await admin.rest('GET', '/v1/user')).body).toMatchObject({ data: { username: 'system', role: 'SYSTEM' } });
    const { client } = await makeUser(server, 'cy', 'VIEWER');
    expect((await client.rest('GET', '/v1/user')).body).toMatchObject({
      data: { email: 'cy@example.com', role: 'VIEWER', password_needs_reset: false },
    });
    for (const [method, path] of [
      ['GET', '/v1/users'],
      ['POST', '/v1/users'],
      ['DELETE', `/v1/users/${idOf(3)}`],
    ] as const) {
      expect((await client.rest(method, path)).status).toBe(403);
    }
    expect((await new Client(server).rest('GET', '/v1/user')).status).toBe(401);
  });
});

describe('a server that asks nobody', () => {
  it('answers for nobody, and prepares accounts that it names once when it begins to ask', async () => {
    await using data = await Data.create();
    {
      await using open = await data.start({ ADMINS: 'Boss=boss@example.com' });
      const anybody = new Client(open);
      expect((await anybody.rest('GET', '/v1/user')).body).toEqual({ data: { auth_method: 'ANONYMOUS' } });
      expect((await anybody.graphql('{ viewer { id } }')).data).toEqual({ viewer: null });
      const input = { email: 'x@example.com', username: 'x', role: 'ADMIN', password: 'pass' };
      expect((await anybody.graphql(CREATE, { input })).message).toMatch(/Authentication is off/);
      const user = { ...input, username: 'planted', auth_method: 'LOCAL' };
      expect((await anybody.rest('POST', '/v1/users', { user })).status).toBe(201);
      expect((await anybody.rest('DELETE', `/v1/users/${idOf(2)}`)).status).toBe(403);
      expect(open.complaints).toEqual([]);
    }
    for (const isFirst of [true, false]) {
      await using asking = await data.start(AUTH);
      const told = asking.complaints.filter((line) => line.includes('anybody could make them'));
      expect(told).toEqual(isFirst ? [expect.stringContaining('planted <x@example.com> (ADMIN). Delete')] : []);
      expect(await signIn(asking, 'admin@localhost', 'admin')).not.toBeNull();
      expect(await signIn(asking, 'boss@example.com', '')).toBeNull();
    }
  });

  it('makes no account with a password where the settings forbid passwords', async () => {
    await using open = await startTestServer({ DISABLE_BASIC_AUTH: 'true', ADMINS: 'Boss=boss@example.com' });
    const create = (auth_method: string, name: string) => {
      const user = { auth_method, email: `${name}@example.com`, username: name, role: 'MEMBER' };
      return new Client(open).rest('POST', '/v1/users', { user });
    };
    expect(await create('LOCAL', 'ada')).toEqual({ status: 403, body: expect.stringMatching(/DISABLE_BASIC_AUTH/) });
    expect(await create('OAUTH2', 'sso')).toMatchObject({ status: 201 });
    const rows = await open.data.rows('SELECT username, auth_method FROM users WHERE id > 2 ORDER BY id');
    expect(rows).toEqual([
      { username: 'Boss', auth_method: 'OAUTH2' },
      { username: 'sso', auth_method: 'OAUTH2' },
    ]);
  });

  it('makes a first password up where that is wanted, and shows it once', async () => {
    await using data = await Data.create();
    const settings = { ...AUTH, DEFAULT_ADMIN_INITIAL_PASSWORD: 'random' };
    {
      await using first = await data.start(settings);
      const shown = first.server.firstPassword;
      expect(shown?.email).toBe('admin@localhost');
      expect(await signIn(first, 'admin@localhost', 'admin')).toBeNull();
      expect(await signIn(first, 'admin@localhost', shown?.madeUp?.reveal() ?? '')).not.toBeNull();
    }
    await using second = await data.start(settings);
    expect(second.server.firstPassword).toBeNull();
  });
});

describe('the command line', () => {
  it('lists accounts and sets passwords beside a running server', async () => {
    await using data = await Data.create();
    await using server = await data.start({ ...AUTH, ADMINS: 'boss=boss@example.com' });
    const env = environmentOf(data.settings);
    const listed = await runCairn(['users', 'list', '--json'], env);
    expect([listed.exitCode, listed.stderr]).toEqual([0, '']);
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { email: 'system@localhost', role: 'SYSTEM' },
      { email: 'admin@localhost', role: 'ADMIN', passwordNeedsReset: true },
      { email: 'boss@example.com', role: 'ADMIN', passwordNeedsReset: true },
    ]);
    const { stdout } = await runCairn(['users', 'list'], env);
    expect(stdout).toMatch(/^admin@localhost +admin +ADMIN +password +must choose a new password$/m);
    expect(stdout).toMatch(/^boss@example\.com +boss +ADMIN +password +has no password yet$/m);

    const { client } = await makeUser(server, 'ada', 'MEMBER');
    for (let attempt = 0; attempt < 6; attempt++) await signIn(server, 'ada@example.com', 'wrong');
    expect(await signIn(server, 'ada@example.com', 'second')).toBeNull();
    const reset = await runCairn(['users', 'reset-password', 'ADA@example.com'], env);
    expect([reset.exitCode, reset.stderr]).toEqual([0, '']);
    const [, password = ''] = /^New password of ada@example\.com, .*: (\S+)\n$/.exec(reset.stdout) ?? [];
    await expect.poll(async () => (await client.graphql(VIEWER)).status).toBe(401);
    const again = await signedIn(server, 'ada@example.com', password);
    expect((await again.graphql(VIEWER)).data).toMatchObject({ viewer: { passwordNeedsReset: true } });

    const missing = await runCairn(['users', 'reset-password', 'nobody@example.com'], env);
    expect([missing.exitCode, missing.stderr]).toEqual([
      1,
      'There is no user with the e-mail address nobody@example.com.\n',
    ]);
  });

  it('needs credentials for what a running server does, and says so', async () => {
    await using data = await Data.create();
    await using server = await data.start(AUTH);
    if ('SQL_DATABASE_URL' in data.settings) return;
    const env = { ...environmentOf(data.settings), SERVICE_PORT: new URL(server.url).port, SERVICE_HOST: '127.0.0.1' };
    const refused = await runCairn(['reindex', '--columns'], env);
    expect([refused.exitCode, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/401.*cairn login.*set SERVICE_API_KEY/),
    ]);
    const done = await runCairn(['reindex', '--columns'], { ...env, SERVICE_API_KEY: ADMIN_SECRET });
    expect([done.exitCode, done.stderr]).toEqual([0, '']);
  });
});
