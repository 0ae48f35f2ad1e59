/** The three tables of roles that the product is specified by, word for word, asked of a server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isInputObjectType } from 'graphql';
import { createGraphqlSchema, type GraphqlParts } from '#server/graphql/schema';
import { addPerson, bearer, sendJson, type Shown, signIn } from '../../harness/accounts.ts';
import { AS_ADMIN, makeSystemKey } from '../../harness/asking-server.ts';
import { type GraphqlAnswer, postGraphql } from '../../harness/graphql.ts';
import { askGraphqlAs } from './ask-graphql.ts';
import { askHttp } from './ask-http.ts';
import { COLUMNS, type Row, tableLines } from './declared.ts';
import { listGraphqlOperations } from './graphql-fields.ts';
import { listHttpRoutes } from './http-routes.ts';
import { startWorld, type World } from './world.ts';

const MUTATIONS = `
| Action | admin | member | viewer |
|---|---|---|---|
| Create / delete user | yes | no | no |
| Change own password / username | yes | yes | yes |
| Change another user's password / username | yes | no | no |
| Change any email address | no | no | no |
| Create / delete system API keys | yes | no | no |
| Create / delete own user API keys | yes | yes | yes |
| Delete another user's user API keys | yes | no | no |
| Create, update, delete secrets | yes | no | no |
`;

const QUERIES =
  "Queries restricted to admins: list all system API keys, list all user API keys, list all users, fetch another user's info (such as email), view secret values. All other reads are open to every role.";

const REST = `
| Request | admin | member | viewer |
|---|---|---|---|
| GET (read) | allowed | allowed | allowed |
| POST / PUT / DELETE (write) | allowed | allowed | 403 |
| GET/POST /v1/users, DELETE /v1/users/... | allowed | 403 | 403 |
| PUT/DELETE /v1/projects/... | allowed | 403 | 403 |
| PUT /v1/secrets | allowed | 403 | 403 |
`;

const ROLES = ['admin', 'member', 'viewer'] as const;
type Role = (typeof ROLES)[number];

/** A row: what is asked for, and what each role is answered. */
interface Rule {
  readonly what: string;
  readonly answers: Readonly<Record<Role, string>>;
}

function readRules(table: string): readonly Rule[] {
  const [, ...rows] = tableLines(table);
  return rows.map(([what = '', admin = '', member = '', viewer = '']) => ({
    what,
    answers: { admin, member, viewer },
  }));
}

/** Somebody with a role, in a browser and with a program. */
interface Person {
  readonly role: Role;
  readonly name: string;
  readonly id: string;
  session: Shown;
  readonly key: Shown;
}

const EVERYTHING = await listHttpRoutes();
const FIELDS = await listGraphqlOperations();
let world: World;
let people: Readonly<Record<Role, Person>>;

beforeAll(async () => {
  world = await startWorld('sqlite');
  const added = await Promise.all(ROLES.map(addWithKey));
  people = Object.fromEntries(added.map((person) => [person.role, person])) as Record<Role, Person>;
});

afterAll(() => world[Symbol.asyncDispose]());

async function addWithKey(role: Role): Promise<Person> {
  const name = `${role}-of-the-tables`;
  const { id, headers } = await addPerson(world.server.url, name, ROLE_NAMES[role]);
  const made = await send(headers, 'POST', '/v1/user/api_keys', { data: { name: 'a program' } });
  const { key } = (made.body as { data: { key: string } }).data;
  return { role, name, id, session: headers, key: bearer(key) };
}

const ROLE_NAMES = { admin: 'ADMIN', member: 'MEMBER', viewer: 'VIEWER' } as const;

const send = (shown: Shown, method: string, path: string, body?: unknown) =>
  sendJson(world.server.url, method, path, body, shown);

/** Whether a request did what it asked for; it must be refused for the caller's role otherwise. */
async function rest(shown: Shown, method: string, path: string, body?: unknown): Promise<boolean> {
  const { status, body: said } = await send(shown, method, path, body);
  if (status >= 300 && status !== 403) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(said)}`);
  return status < 300;
}

async function ask(shown: Shown, query: string): Promise<GraphqlAnswer> {
  return (await (await postGraphql(world.server.url, { query }, { ...shown })).json()) as GraphqlAnswer;
}

/** The same of an operation of GraphQL. */
async function graphql(shown: Shown, query: string): Promise<boolean> {
  const { errors = [] } = await ask(shown, query);
  const wrong = errors.filter(({ extensions }) => extensions?.code !== 'permission_denied');
  if (wrong.length > 0) throw new Error(`${query}: ${JSON.stringify(wrong)}`);
  return errors.length === 0;
}

/** An account of another service, which costs no password. */
function newUser() {
  const name = `account-${world.takeNumber()}`;
  return { auth_method: 'OAUTH2', email: `${name}@example.com`, username: name, role: 'MEMBER' };
}

async function addUser(user: object = newUser()): Promise<string> {
  const { body } = await send(AS_ADMIN, 'POST', '/v1/users', { user, send_welcome_email: false });
  return (body as { data: { id: string } }).data.id;
}

/** What is tried for a row as one person; each says whether it was done. */
type Attempts = (person: Person) => Promise<readonly boolean[]>;

/** The same for the browser and for the program. */
function asBoth(attempts: (shown: Shown) => Promise<readonly boolean[]>): Attempts {
  return async ({ session, key }) => [...(await attempts(session)), ...(await attempts(key))];
}

const ACTIONS: Readonly<Record<string, Attempts>> = {
  'Create / delete user': asBoth(async (shown) => {
    const { email, username } = newUser();
    const created = `email: "${email}", username: "${username}", role: VIEWER, authMethod: OAUTH2`;
    return [
      await rest(shown, 'POST', '/v1/users', { user: newUser(), send_welcome_email: false }),
      await rest(shown, 'DELETE', `/v1/users/${await addUser()}`),
      await graphql(shown, `mutation { createUser(input: { ${created} }) { user { id } } }`),
      await graphql(shown, `mutation { deleteUsers(input: { userIds: ["${await addUser()}"] }) { userIds } }`),
    ];
  }),
  'Change own password / username': async (person) => {
    const { name, session, key } = person;
    const passwords = 'currentPassword: "own-password", newPassword: "own-password-2"';
    const done = [
      await graphql(session, `mutation { patchViewer(input: { newUsername: "${name} by session" }) { user { id } } }`),
      await graphql(key, `mutation { patchViewer(input: { newUsername: "${name} by key" }) { user { id } } }`),
      await graphql(session, `mutation { patchViewer(input: { ${passwords} }) { user { id } } }`),
    ];
    expect((await send(session, 'GET', '/v1/user')).status).toBe(401);
    person.session = await signIn(world.server.url, `${name}@example.com`, 'own-password-2');
    return done;
  },
  "Change another user's password / username": asBoth(async (shown) => {
    const { username, email } = newUser();
    const other = await addUser({ auth_method: 'LOCAL', username, email, role: 'MEMBER', password: 'first-password' });
    const patch = (change: string) =>
      graphql(shown, `mutation { patchUser(input: { userId: "${other}", ${change} }) { user { id } } }`);
    return [await patch(`newUsername: "renamed ${username}"`), await patch('newPassword: "second-password"')];
  }),
  'Change any email address': asBoth(async (shown) => {
    const user = newUser();
    const other = await addUser(user);
    const email = 'another@example.com';
    for (const path of [`/v1/users/${other}`, '/v1/users', '/v1/user']) {
      for (const method of ['PUT', 'PATCH'])
        expect((await send(shown, method, path, { user: { email } })).status).toBeGreaterThan(400);
    }
    for (const name of ['email', 'newEmail']) {
      const patches = [
        `patchUser(input: { userId: "${other}", ${name}: "${email}" })`,
        `patchViewer(input: { ${name}: "${email}" })`,
      ];
      for (const patch of patches)
        expect((await ask(shown, `mutation { ${patch} { user { id } } }`)).data).toBeUndefined();
    }
    const { body } = await send(AS_ADMIN, 'GET', '/v1/users');
    const emails = (body as { data: { email: string }[] }).data.map((account) => account.email);
    expect(emails).toContain(user.email);
    return [emails.includes(email)];
  }),
  // Keys are made by people: no key makes another, whatever its owner may do.
  'Create / delete system API keys': async ({ session, key }) => {
    const remove = (id: string) => `mutation { deleteSystemApiKey(input: { id: "${id}" }) { apiKeyId } }`;
    const make = async () => (await makeSystemKey(world.server.url)).id;
    return [
      await rest(session, 'POST', '/v1/system/api_keys', { data: { name: 'made' } }),
      await graphql(session, 'mutation { createSystemApiKey(input: { name: "made" }) { apiKey { id } } }'),
      await rest(session, 'DELETE', `/v1/system/api_keys/${await make()}`),
      await rest(key, 'DELETE', `/v1/system/api_keys/${await make()}`),
      await graphql(session, remove(await make())),
      await graphql(key, remove(await make())),
    ];
  },
  'Create / delete own user API keys': async ({ session, key }) => {
    const make = async () => {
      const { status, body } = await send(session, 'POST', '/v1/user/api_keys', { data: { name: 'made' } });
      return status === 201 ? (body as { data: { id: string } }).data.id : 'none';
    };
    const remove = (id: string) => `mutation { deleteUserApiKey(input: { id: "${id}" }) { apiKeyId } }`;
    return [
      await graphql(session, 'mutation { createUserApiKey(input: { name: "made" }) { apiKey { id } } }'),
      await rest(session, 'DELETE', `/v1/user/api_keys/${await make()}`),
      await rest(key, 'DELETE', `/v1/user/api_keys/${await make()}`),
      await graphql(session, remove(await make())),
    ];
  },
  "Delete another user's user API keys": async ({ role, session, key }) => {
    const owner = people[role === 'member' ? 'viewer' : 'member'];
    const attempt = async (shown: Shown, isRest: boolean) => {
      const made = await send(owner.session, 'POST', '/v1/user/api_keys', { data: { name: 'of somebody else' } });
      const { id, key: text } = (made.body as { data: { id: string; key: string } }).data;
      if (isRest) await send(shown, 'DELETE', `/v1/user/api_keys/${id}`);
      else await ask(shown, `mutation { deleteUserApiKey(input: { id: "${id}" }) { apiKeyId } }`);
      const { status } = await send(bearer(text), 'GET', '/v1/user');
      expect([200, 401]).toContain(status);
      return status === 401;
    };
    return Promise.all([attempt(session, true), attempt(session, false), attempt(key, true), attempt(key, false)]);
  },
  'Create, update, delete secrets': asBoth(async (shown) => {
    const [overRest, overGraphql] = [`OVER_REST_${world.takeNumber()}`, `OVER_GRAPHQL_${world.takeNumber()}`];
    const done: boolean[] = [];
    for (const value of ['"first"', '"second"', 'null']) {
      const json: unknown = JSON.parse(value);
      done.push(await rest(shown, 'PUT', '/v1/secrets', { secrets: [{ key: overRest, value: json }] }));
      const secrets = `secrets: [{ key: "${overGraphql}", value: ${value} }]`;
      done.push(await graphql(shown, `mutation { upsertOrDeleteSecrets(input: { ${secrets} }) { deletedIds } }`));
    }
    return done;
  }),
};

describe('mutations', () => {
  describe.each(readRules(MUTATIONS))('$what', ({ what, answers }) => {
    it.each(ROLES)('%s', async (role) => {
      const attempts = ACTIONS[what] ?? expect.fail(`nothing is tried for ${what}`);
      const done = await attempts(people[role]);
      expect(done).toEqual(done.map(() => answers[role] === 'yes'));
    });
  });

  it('take an e-mail address only where an account is created', async () => {
    const schema = await createGraphqlSchema({ services: {} } as GraphqlParts);
    const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType);
    const taking = inputs.filter((type) => Object.keys(type.getFields()).some((name) => /e-?mail$/i.test(name)));
    expect(taking.map(({ name }) => name)).toEqual(['CreateUserInput']);
  });
});

const RESTRICTED: Readonly<Record<string, Attempts>> = {
  'list all system API keys': asBoth(async (shown) => [
    await rest(shown, 'GET', '/v1/system/api_keys'),
    await graphql(shown, '{ systemApiKeys { id } }'),
  ]),
  'list all user API keys': asBoth(async (shown) => [
    await rest(shown, 'GET', '/v1/users/api_keys'),
    await graphql(shown, '{ userApiKeys { id } }'),
  ]),
  'list all users': asBoth(async (shown) => [
    await rest(shown, 'GET', '/v1/users'),
    await graphql(shown, '{ users { edges { node { email } } } }'),
  ]),
  "fetch another user's info (such as email)": asBoth(async (shown) => {
    const other = await addUser();
    return [
      await graphql(shown, `{ node(id: "${other}") { ... on User { email } } }`),
      await graphql(shown, `{ nodes(ids: ["${other}"]) { ... on User { passwordNeedsReset } } }`),
    ];
  }),
  'view secret values': asBoth(async (shown) => {
    const key = `SEEN_${world.takeNumber()}`;
    await send(AS_ADMIN, 'PUT', '/v1/secrets', { secrets: [{ key, value: 'the value itself' }] });
    const read = `{ secrets(keys: ["${key}"]) { edges { node { value { ... on DecryptedSecret { value } } } } } }`;
    // Nobody is shown the value: administrators are told that there is one.
    expect(JSON.stringify(await ask(shown, read))).not.toContain('the value itself');
    return [await graphql(shown, read)];
  }),
};

describe('queries', () => {
  const [restricted = '', others = ''] = QUERIES.replace('Queries restricted to admins: ', '').split('. ');

  describe.each(restricted.split(', '))('%s', (what) => {
    it.each(ROLES)('%s', async (role) => {
      const attempts = RESTRICTED[what] ?? expect.fail(`nothing is tried for ${what}`);
      const done = await attempts(people[role]);
      expect(done).toEqual(done.map(() => role === 'admin'));
    });
  });

  // The log of who did what is none of the reads that the sentence knows.
  const ofAdmins = new Set(
    ['users', 'userApiKeys', 'systemApiKeys', 'oauth2Grants', 'auditEvents'].map((name) => `query ${name}`),
  );
  const open = FIELDS.filter(({ operation }) => operation.startsWith('query ') && !ofAdmins.has(operation));

  it.each(open)(`${others} $operation`, async (field) => {
    const outcomes = await Promise.all(
      principalsOf(ROLES).map((principal) => askGraphqlAs(world, field, 'application/json', principal, rowFor(ROLES))),
    );
    expect(outcomes.filter(({ verdict }) => verdict !== 'allowed')).toEqual([]);
  });
});

/** Which routes a row is about. */
const REQUESTS: Readonly<Record<string, (operation: string) => boolean>> = {
  'GET (read)': (operation) => operation.startsWith('GET '),
  'POST / PUT / DELETE (write)': (operation) => /^(?:POST|PUT|DELETE) /.test(operation),
  'GET/POST /v1/users, DELETE /v1/users/...': (operation) =>
    /^(?:GET|POST) \/v1\/users$|^DELETE \/v1\/users\//.test(operation),
  'PUT/DELETE /v1/projects/...': (operation) => /^(?:PUT|DELETE) \/v1\/projects\/[^/]+$/.test(operation),
  'PUT /v1/secrets': (operation) => operation === 'PUT /v1/secrets',
};

/** Routes that the table does not know, or that another of the three speaks of. */
const OTHERWISE: readonly RegExp[] = [
  // Keys have rows of their own above.
  / \/v1\/(?:user|users|system)\/api_keys/,
  // The log of who did what, and what rewrites everything that is stored, are for administrators.
  /^GET \/v1\/audit_events/,
  /^POST \/v1\/(?:repricing|reindex)$/,
];

describe('requests', () => {
  const rules = readRules(REST);
  const routes = EVERYTHING.filter(({ method, path }) => method !== 'HEAD' && path.startsWith('/v1/')).map((route) => ({
    route,
    operation: `${route.method} ${route.path}`,
  }));
  /** The last row that is about it is the most particular. */
  const cases = routes
    .filter(({ operation }) => !OTHERWISE.some((pattern) => pattern.test(operation)))
    .flatMap(({ route, operation }) => {
      const rule = rules.findLast(({ what }) => REQUESTS[what]?.(operation) ?? expect.fail(`${what} is no row`));
      return rule === undefined ? [] : [{ route, operation, ...rule }];
    });

  it('has routes for every row', () => {
    expect(new Set(cases.map(({ what }) => what))).toEqual(new Set(rules.map(({ what }) => what)));
  });

  it.each(cases)('$what: $operation', async ({ route, operation, answers }) => {
    const may = ROLES.filter((role) => answers[role] === 'allowed');
    const outcomes = await Promise.all(
      principalsOf(ROLES).map(async (principal) => {
        const { verdict, said } = await askHttp(world, operation, route, principal, rowFor(may));
        const expected = may.some((role) => principal.column.startsWith(role)) ? 'allowed' : 'refused';
        return verdict === expected ? [] : [`${principal.name}: ${verdict} (${said})`];
      }),
    );
    expect(outcomes.flat()).toEqual([]);
  });
});

/** The cookie, the access token and the key of each role. */
function principalsOf(roles: readonly Role[]) {
  const columns = new Set<string>(roles.flatMap((role) => [role, `${role} key`]));
  return world.principals.filter(({ column }) => columns.has(column));
}

/** The row that the roles may. */
function rowFor(roles: readonly Role[]): Row {
  return Object.fromEntries(
    COLUMNS.map((column) => [column, roles.some((role) => column === role || column === `${role} key`)]),
  ) as Row;
}
