/** Keys of programs: who makes, lists and deletes them, and what can be done with them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatGlobalId } from '#base/global-id';
import { addPerson, WITH_PEOPLE, bearer, sendJson, type Shown, type TestPerson } from '../harness/accounts.ts';
import { AS_ADMIN, ASKING } from '../harness/asking-server.ts';
import { type GraphqlAnswer, postGraphql } from '../harness/graphql.ts';
import { callExport, callFailingExport, encodeRequest, exportTraces } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

let server: TestServer;
let viewer: TestPerson;
let member: TestPerson;
let admin: TestPerson;

beforeAll(async () => {
  server = await startTestServer(WITH_PEOPLE);
  viewer = await addPerson(server.url, 'vera', 'VIEWER');
  member = await addPerson(server.url, 'max', 'MEMBER');
  admin = await addPerson(server.url, 'ada', 'ADMIN');
});

afterAll(() => server[Symbol.asyncDispose]());

interface KeyAnswer {
  readonly id: string;
  readonly name: string;
  readonly key: string;
}

const OWN = '/v1/user/api_keys';
const OF_USERS = '/v1/users/api_keys';
const OF_SYSTEM = '/v1/system/api_keys';

const ask = (method: string, path: string, headers: Shown, body?: unknown) =>
  sendJson(server.url, method, path, body, headers);
const list = async (path: string, headers: Shown) => {
  const { status, body } = await ask('GET', path, headers);
  expect(status).toBe(200);
  return (body as { data: KeyAnswer[] }).data;
};

async function makeKey(path: string, headers: Shown, data: object = {}): Promise<KeyAnswer> {
  const { status, body } = await ask('POST', path, headers, { data: { name: 'ci', ...data } });
  expect([status, body]).toEqual([201, expect.objectContaining({ data: expect.anything() })]);
  return (body as { data: KeyAnswer }).data;
}

const makeOwn = (person: TestPerson, data?: object) => makeKey(OWN, person.headers, data);

const graphql = async (query: string, headers: Shown) =>
  (await (await postGraphql(server.url, { query }, headers)).json()) as GraphqlAnswer<never>;

const REQUEST = traceRequest([{ traceId: traceId(1), spanId: spanId(1) }]);
const exportOver = {
  http: async (key: string) => (await exportTraces(server.url, REQUEST, { headers: { ...bearer(key) } })).status,
  grpc: (key: string) => {
    const options = { metadata: { ...bearer(key) } };
    return callExport(server.grpcAddress, encodeRequest('application/x-protobuf', REQUEST), options);
  },
  failingGrpc: async (key: string) => {
    const options = { metadata: { ...bearer(key) } };
    return (await callFailingExport(server.grpcAddress, encodeRequest('application/x-protobuf', REQUEST), options))
      .code;
  },
};

const UNAUTHENTICATED = 16;
const PERMISSION_DENIED = 7;

describe('one’s own keys', () => {
  it('are made, listed and deleted by everybody who signed in, and shown once', async () => {
    for (const person of [viewer, member, admin]) {
      const expires_at = '2031-02-03T04:05:06.000007';
      const made = await makeOwn(person, { name: ' ci ', description: 'why', expires_at });
      expect(made).toEqual({
        id: expect.any(String),
        name: 'ci',
        description: 'why',
        created_at: expect.stringMatching(/^\d{4}-.*\+00:00$/),
        expires_at: `${expires_at}+00:00`,
        key: expect.stringMatching(/^eyJ/),
      });
      const { key, ...shown } = made;
      expect(await list(OWN, person.headers)).toEqual([shown]);
      expect(await list(OWN, bearer(key))).toMatchObject([{ ...shown }]);
      expect(await ask('DELETE', `${OWN}/${made.id}`, person.headers)).toEqual({ status: 204, body: '' });
      expect(await list(OWN, person.headers)).toEqual([]);
    }
  });

  it('are none of callers who are no person', async () => {
    const { key } = await makeKey(OF_SYSTEM, AS_ADMIN);
    expect(await list(OWN, AS_ADMIN)).toEqual([]);
    expect(await list(OWN, bearer(key))).toEqual([]);
  });

  it('are not made by keys or the administrator’s secret, whatever the body', async () => {
    const keys = await Promise.all([makeOwn(admin), makeOwn(viewer), makeKey(OF_SYSTEM, AS_ADMIN)]);
    for (const { key } of keys) {
      for (const body of [{ data: { name: 'x' } }, {}, undefined]) {
        expect(await ask('POST', OWN, bearer(key), body)).toEqual({
          status: 403,
          body: 'API keys cannot create API keys',
        });
      }
    }
    expect((await ask('POST', OWN, AS_ADMIN, { data: { name: 'x' } })).status).toBe(403);
    const [ofAdmin] = keys;
    for (const body of [{ data: { name: 'x' } }, {}]) {
      expect((await ask('POST', OF_SYSTEM, bearer(ofAdmin.key), body)).status).toBe(403);
    }
    for (const mutation of ['createUserApiKey', 'createSystemApiKey']) {
      const { errors } = await graphql(`mutation { ${mutation}(input: { name: "x" }) { jwt } }`, bearer(ofAdmin.key));
      expect(errors?.[0]?.message).toBe('API keys cannot create API keys');
    }
  });

  it.each<[string, unknown]>([
    ['no body', undefined],
    ['no data', {}],
    ['no name', { data: {} }],
    ['a blank name', { data: { name: ' \n' } }],
    ['a long name', { data: { name: 'x'.repeat(201) } }],
    ['a time that is none', { data: { name: 'x', expires_at: 'tomorrow' } }],
    ['a time that is past', { data: { name: 'x', expires_at: '2020-01-01T00:00:00Z' } }],
    ['a time that cannot be stored', { data: { name: 'x', expires_at: '9999-12-31T23:59:59Z' } }],
    ['another operation', { data: { name: 'x', operations: 'write' } }],
    ['no project', { data: { name: 'x', project_ids: [] } }],
    ['an id of another type', { data: { name: 'x', project_ids: [formatGlobalId('Trace', 1)] } }],
  ])('are refused with %s', async (_what, body) => {
    for (const [path, headers] of [
      [OWN, member.headers],
      [OF_SYSTEM, AS_ADMIN],
    ] as const) {
      // biome-ignore format: pairs
      expect((await ask('POST', path, headers, body)).status).toBe(422);
    }
  });

  it('are refused for a project that is not there', async () => {
    const data = { name: 'x', project_ids: [formatGlobalId('Project', 999)] };
    expect((await ask('POST', OWN, member.headers, { data })).status).toBe(404);
  });

  it('of somebody else are not found, like those that are not there, but by administrators', async () => {
    const { id, key } = await makeOwn(member);
    const system = await makeKey(OF_SYSTEM, AS_ADMIN);
    const relabelled = Buffer.from(atob(system.id).replace('SystemApiKey', 'UserApiKey')).toString('base64');
    const missing = formatGlobalId('UserApiKey', 999);
    for (const each of [id, missing, relabelled]) {
      expect(await ask('DELETE', `${OWN}/${each}`, viewer.headers)).toEqual({ status: 404, body: 'API key not found' });
      const { errors } = await graphql(
        `mutation { deleteUserApiKey(input: { id: "${each}" }) { apiKeyId } }`,
        viewer.headers,
      );
      expect(errors?.[0]?.message).toBe('API key not found');
    }
    expect((await ask('DELETE', `${OWN}/${relabelled}`, AS_ADMIN)).status).toBe(404);
    expect((await ask('DELETE', `${OWN}/${system.id}`, AS_ADMIN)).status).toBe(422);
    expect((await ask('DELETE', `${OWN}/${id}`, bearer(system.key))).status).toBe(403);
    expect((await ask('DELETE', `${OWN}/${system.id}`, bearer(system.key))).status).toBe(403);
    expect((await ask('DELETE', `${OWN}/${id}`, admin.headers)).status).toBe(204);
    expect((await ask('GET', '/v1/projects', bearer(key))).status).toBe(401);
    expect((await ask('GET', '/v1/projects', bearer(system.key))).status).toBe(200);
  });
});

describe('keys of all people', () => {
  it('are listed to administrators, page by page, with their owners', async () => {
    const [first, second] = [await makeOwn(viewer), await makeOwn(member)];
    const { status, body } = await ask('GET', `${OF_USERS}?limit=1`, AS_ADMIN);
    const next_cursor = (body as { next_cursor: string }).next_cursor;
    const user = { id: member.id, username: 'max', email: 'max@example.com' };
    expect([status, body]).toMatchObject([200, { data: [{ id: second.id, user }] }]);
    expect((await ask('GET', `${OF_USERS}?limit=1&cursor=${next_cursor}`, AS_ADMIN)).body).toMatchObject({
      data: [{ id: first.id, user: { username: 'vera' } }],
    });
    for (const query of ['limit=0', 'limit=1001', `cursor=${formatGlobalId('Project', 1)}`]) {
      expect((await ask('GET', `${OF_USERS}?${query}`, AS_ADMIN)).status).toBe(422);
    }
    for (const path of [OF_USERS, OF_SYSTEM]) {
      expect((await ask('GET', path, member.headers)).status).toBe(403);
    }
  });
});

describe('a key of the system', () => {
  it('is made and deleted by administrators, reads and sends, and reaches nothing of theirs', async () => {
    const { id, key } = await makeKey(OF_SYSTEM, admin.headers);
    expect(await list(OF_SYSTEM, AS_ADMIN)).toContainEqual(expect.objectContaining({ id }));
    expect((await ask('GET', '/v1/projects', bearer(key))).status).toBe(200);
    expect(await exportOver.http(key)).toBe(200);
    expect(await exportOver.grpc(key)).toMatchObject({ rejectedSpans: 0 });
    for (const [method, path, body] of [
      ['GET', '/v1/users', undefined],
      ['GET', OF_USERS, undefined],
      ['GET', OF_SYSTEM, undefined],
      ['POST', OF_SYSTEM, { data: { name: 'x' } }],
      ['DELETE', `${OF_SYSTEM}/${id}`, undefined],
      ['PUT', '/v1/projects/default', { description: 'x' }],
      ['DELETE', '/v1/projects/other', undefined],
    ] as const) {
      expect([path, (await ask(method, path, bearer(key), body)).status]).toEqual([path, 403]);
      expect([path, (await ask(method, path, member.headers, body)).status]).toEqual([path, 403]);
    }
    expect((await ask('GET', '/v1/users', AS_ADMIN)).status).toBe(200);
    const ofUser = await makeOwn(member);
    const relabelled = Buffer.from(atob(ofUser.id).replace('UserApiKey', 'SystemApiKey')).toString('base64');
    expect((await ask('DELETE', `${OF_SYSTEM}/${relabelled}`, AS_ADMIN)).status).toBe(404);
    expect((await ask('DELETE', `${OF_SYSTEM}/${ofUser.id}`, AS_ADMIN)).status).toBe(422);
    expect((await ask('DELETE', `${OF_SYSTEM}/${id}`, admin.headers)).status).toBe(204);
    expect((await ask('GET', '/v1/projects', bearer(key))).status).toBe(401);
  });

  it('annotates as the account of the system, like the administrator’s secret, and deletes what that account said', async () => {
    const [{ key: first }, { key: other }] = [
      await makeKey(OF_SYSTEM, admin.headers),
      await makeKey(OF_SYSTEM, AS_ADMIN),
    ];
    expect(await exportOver.http(first)).toBe(200);
    const annotate = async (headers: Shown, name: string) => {
      const data = [{ span_id: spanId(1), name, annotator_kind: 'CODE', result: { score: 1 } }];
      const { body } = await ask('POST', '/v1/span_annotations?sync=true', headers, { data });
      return (body as { data: { id: string }[] }).data[0]?.id ?? '';
    };
    const ofMember = await annotate(member.headers, 'of a member');
    const ofSystem = [await annotate(bearer(first), 'of a key'), await annotate(AS_ADMIN, 'of the secret')];
    const query = `{ nodes(ids: ${JSON.stringify(ofSystem)}) { ... on SpanAnnotation { source user { id username } } } }`;
    const system = { source: 'API', user: { id: formatGlobalId('User', 1), username: 'system' } };
    expect(await graphql(query, member.headers)).toMatchObject({ data: { nodes: [system, system] } });
    expect((await ask('DELETE', `/v1/span_annotations/${ofMember}`, bearer(other))).status).toBe(403);
    for (const id of ofSystem)
      expect((await ask('DELETE', `/v1/span_annotations/${id}`, member.headers)).status).toBe(403);
    for (const id of ofSystem)
      expect((await ask('DELETE', `/v1/span_annotations/${id}`, bearer(other))).status).toBe(204);
  });

  it('outlives its maker, while the keys of a person go with the account', async () => {
    const leaving = await addPerson(server.url, 'leaving', 'ADMIN');
    const system = await makeKey(OF_SYSTEM, leaving.headers, { name: 'stays' });
    const own = await makeOwn(leaving);
    expect(await exportOver.http(own.key)).toBe(200);
    expect((await ask('DELETE', `/v1/users/${leaving.id}`, AS_ADMIN)).status).toBe(204);
    expect(await exportOver.http(own.key)).toBe(401);
    expect((await ask('GET', OWN, leaving.headers)).status).toBe(401);
    expect(await exportOver.http(system.key)).toBe(200);
    const { data } = await graphql('{ systemApiKeys { name createdBy { id } } }', AS_ADMIN);
    expect(data).toMatchObject({ systemApiKeys: expect.arrayContaining([{ name: 'stays', createdBy: null }]) });
  });
});

describe('a key that sends', () => {
  it('stops at once when it is deleted', async () => {
    const { id, key } = await makeOwn(member);
    expect(await exportOver.http(key)).toBe(200);
    expect(await exportOver.grpc(key)).toMatchObject({ rejectedSpans: 0 });
    await ask('DELETE', `${OWN}/${id}`, member.headers);
    expect(await exportOver.http(key)).toBe(401);
    expect(await exportOver.failingGrpc(key)).toBe(UNAUTHENTICATED);
  });

  it('is expired where GraphQL made it with a moment that is past', async () => {
    const mutation = 'mutation { createUserApiKey(input: { name: "ci", expiresAt: "2020-01-01T00:00:00Z" }) { jwt } }';
    const { data } = await graphql(mutation, member.headers);
    const { jwt: key } = (data as unknown as { createUserApiKey: { jwt: string } }).createUserApiKey;
    expect(await exportOver.http(key)).toBe(401);
    expect(await exportOver.failingGrpc(key)).toBe(UNAUTHENTICATED);
  });

  it('is none of a viewer, and may be the secret of the administrator', async () => {
    const { key } = await makeOwn(viewer);
    expect(await exportOver.http(key)).toBe(403);
    expect(await exportOver.failingGrpc(key)).toBe(PERMISSION_DENIED);
    expect(await exportOver.http(ASKING.ADMIN_SECRET)).toBe(200);
    expect(await exportOver.grpc(ASKING.ADMIN_SECRET)).toMatchObject({ rejectedSpans: 0 });
  });

  it('has its last use noted', async () => {
    const { id, key } = await makeOwn(member);
    const before = Math.floor(Date.now() / 60_000) * 60_000;
    expect(await exportOver.http(key)).toBe(200);
    const lastUse = async () => {
      const found = (await list(OWN, member.headers)).find((each) => each.id === id);
      return Date.parse((found as { last_used_at?: string } | undefined)?.last_used_at ?? '');
    };
    await expect.poll(lastUse).toBeGreaterThanOrEqual(before);
    expect((await lastUse()) % 60_000).toBe(0);
  });
});

describe('over GraphQL', () => {
  it('keys are made, read and deleted', async () => {
    const create = `mutation { createUserApiKey(input: {
      name: "graph", expiresAt: "2031-01-01T00:00:00.000001Z", operations: READ, projectIds: ["${formatGlobalId('Project', 1)}"]
    }) { jwt apiKey { id name expiresAt operations lastUsedAt projects { name } user { username } } query { viewer { apiKeyCount } } } }`;
    const { data, errors } = await graphql(create, viewer.headers);
    expect(errors).toBeUndefined();
    const { createUserApiKey } = data as unknown as { createUserApiKey: { jwt: string; apiKey: { id: string } } };
    expect(createUserApiKey).toMatchObject({
      jwt: expect.stringMatching(/^eyJ/),
      apiKey: {
        name: 'graph',
        expiresAt: '2031-01-01T00:00:00.000001+00:00',
        operations: 'READ',
        lastUsedAt: null,
        projects: [{ name: 'default' }],
        user: { username: 'vera' },
      },
      query: { viewer: { apiKeyCount: expect.any(Number) } },
    });
    const { id } = createUserApiKey.apiKey;
    const own = await graphql('{ viewer { apiKeys { id } } }', viewer.headers);
    expect(own.data).toMatchObject({ viewer: { apiKeys: expect.arrayContaining([{ id }]) } });
    const all = await graphql('{ userApiKeys { id user { email } } }', admin.headers);
    expect(all.data).toMatchObject({
      userApiKeys: expect.arrayContaining([{ id, user: { email: 'vera@example.com' } }]),
    });
    const gone = await graphql(`mutation { deleteUserApiKey(input: { id: "${id}" }) { apiKeyId } }`, viewer.headers);
    expect(gone.data).toEqual({ deleteUserApiKey: { apiKeyId: id } });
  });

  it('lists of all are for administrators', async () => {
    for (const field of ['userApiKeys', 'systemApiKeys']) {
      const { errors } = await graphql(`{ ${field} { name } }`, member.headers);
      expect(errors?.[0]?.message).toBe('Only admin can perform this action');
    }
    const create = 'mutation { createSystemApiKey(input: { name: "x" }) { jwt } }';
    expect((await graphql(create, member.headers)).errors?.[0]?.message).toBe('Only admin can perform this action');
  });

  it('the keys of others stay hidden', async () => {
    const { errors } = await graphql(
      `{ node(id: "${admin.id}") { ... on User { apiKeys { name } } } }`,
      member.headers,
    );
    expect(errors).toHaveLength(1);
  });
});

it('nothing of keys is served while authentication is off', async () => {
  await using open = await startTestServer();
  for (const [method, path] of [
    ['GET', OWN],
    ['POST', OWN],
    ['DELETE', `${OWN}/x`],
    ['GET', OF_USERS],
    ['GET', OF_SYSTEM],
    ['POST', OF_SYSTEM],
    ['DELETE', `${OF_SYSTEM}/x`],
  ] as const) {
    const { status, body } = await sendJson(open.url, method, path, method === 'POST' ? {} : undefined, {});
    expect([path, status, body]).toEqual([path, 403, expect.stringContaining('SERVICE_ENABLE_AUTH')]);
  }
});
