/** Secrets of a whole server: who may write them, and where their values are not. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCairn } from '../../src/cli/child-process.ts';
import { addPerson, bearer, sendJson, type Shown, type TestPerson, WITH_PEOPLE } from '../harness/accounts.ts';
import { AS_ADMIN, ASKING, makeSystemKey } from '../harness/asking-server.ts';
import { CookieBrowser } from '../harness/cookie-browser.ts';
import { type GraphqlAnswer, postGraphql } from '../harness/graphql.ts';
import { startServerProcess } from '../harness/server-process.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

const CANARY = 'canary-9f31c5d2e8';

describe('secrets of a server that asks for credentials', () => {
  let server: TestServer;
  let people: Readonly<Record<'viewer' | 'member' | 'admin', TestPerson>>;

  beforeAll(async () => {
    server = await startTestServer(WITH_PEOPLE);
    people = {
      viewer: await addPerson(server.url, 'vera', 'VIEWER'),
      member: await addPerson(server.url, 'max', 'MEMBER'),
      admin: await addPerson(server.url, 'ada', 'ADMIN'),
    };
  });

  afterAll(() => server[Symbol.asyncDispose]());

  const put = (secrets: unknown, headers: Shown = people.admin.headers) =>
    sendJson(server.url, 'PUT', '/v1/secrets', { secrets }, headers);
  const ask = async (query: string, headers: Shown) =>
    (await (await postGraphql(server.url, { query }, headers)).json()) as GraphqlAnswer;
  const keys = async (headers: Shown = people.viewer.headers) => {
    const { data } = await ask('{ secrets { edges { node { key } } } }', headers);
    const { secrets } = data as { secrets: { edges: { node: { key: string } }[] } };
    return secrets.edges.map(({ node }) => node.key).toSorted();
  };

  it('are written by administrators alone', async () => {
    const { key } = await makeSystemKey(server.url);
    for (const headers of [people.viewer.headers, people.member.headers, { authorization: `Bearer ${key}` }]) {
      for (const body of [[{ key: 'A', value: CANARY }], [], 'x']) expect((await put(body, headers)).status).toBe(403);
      const write = `mutation { upsertOrDeleteSecrets(input: { secrets: [{ key: "A", value: "x" }] }) { deletedIds } }`;
      expect((await ask(write, headers)).errors?.[0]?.extensions?.code).toBe('permission_denied');
    }
    expect(await keys()).toEqual([]);
    expect(await put([{ key: 'A', value: 'x' }], AS_ADMIN)).toMatchObject({ status: 200 });
    expect(await put([{ key: 'A', value: null }])).toMatchObject({ body: { data: { deleted_keys: ['A'] } } });
  });

  it('stay where one of a batch lacks its value', async () => {
    await put([
      { key: 'KEPT', value: 'x' },
      { key: 'OTHER', value: 'x' },
    ]);
    for (const secrets of [
      [{ key: 'KEPT' }],
      [{ key: 'OTHER', value: null }, { key: 'KEPT' }],
      [
        { key: 'OTHER', value: null },
        { key: 'KEPT', value: ' ' },
      ],
      [],
    ]) {
      expect((await put(secrets)).status).toBe(422);
    }
    expect(await keys()).toEqual(['KEPT', 'OTHER']);
  });

  it('are known to everybody by name, and their owners’ addresses to administrators alone', async () => {
    await put([{ key: 'NAMED', value: CANARY }]);
    const query = '{ secrets(keys: ["NAMED"]) { edges { node { key user { username email } } } } }';
    for (const [person, email] of [
      [people.viewer, null],
      [people.member, null],
      [people.admin, 'ada@example.com'],
    ] as const) {
      expect(await ask(query, person.headers)).toEqual({
        data: { secrets: { edges: [{ node: { key: 'NAMED', user: { username: 'ada', email } } }] } },
      });
    }
  });

  it('have a value in no answer, no log, no row and no file', async () => {
    const answers: unknown[] = [await put([{ key: 'HIDDEN', value: CANARY }])];
    answers.push(await put([{ key: 'NOT ONE', value: CANARY }]));
    answers.push(await put([{ key: 'HIDDEN', value: [CANARY] }]));
    const { data } = await ask('{ __type(name: "Secret") { fields { name } } }', AS_ADMIN);
    expect(data).toEqual({
      __type: { fields: ['id', 'key', 'updatedAt', 'user', 'value'].map((name) => ({ name })) },
    });
    const value =
      '{ secrets(keys: ["HIDDEN"]) { edges { node { value { __typename ... on DecryptedSecret { value } } } } } }';
    for (const headers of [people.admin.headers, AS_ADMIN]) {
      const answer = await ask(value, headers);
      expect(answer.errors).toBeUndefined();
      answers.push(answer);
    }
    answers.push(await ask(value, people.member.headers));
    answers.push(await sendJson(server.url, 'GET', '/v1/audit_events', undefined, AS_ADMIN));
    expect(JSON.stringify(answers)).not.toContain(CANARY);
    expect(JSON.stringify(answers)).toContain('HIDDEN');
    expect(server.complaints.join('\n')).not.toContain(CANARY);
    await server.data.rows('SELECT 1');
    for (const name of await readdir(server.folder)) {
      const bytes = await readFile(join(server.folder, name)).catch(() => Buffer.alloc(0));
      expect([name, bytes.includes(CANARY)]).toEqual([name, false]);
    }
  });
});

it('what proves who somebody is stands in no log of any level, and in no file of the data', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-secrets-'));
  try {
    const server = await startServerProcess(folder, { ...WITH_PEOPLE, LOGGING_LEVEL: 'debug' });
    const browser = new CookieBrowser(server.url);
    expect(await browser.logIn('admin@localhost', `${CANARY}-wrong`)).toBe(401);
    expect(await browser.logIn(`${CANARY}-typed`, 'x')).toBe(401);
    expect(await browser.logIn('admin@localhost', 'admin')).toBe(204);
    const change = `mutation { patchViewer(input: { newPassword: "${CANARY}", currentPassword: "admin" }) { user { id } } }`;
    expect(await browser.ask(change)).toMatchObject({ data: { patchViewer: {} } });
    expect(await browser.logIn('admin@localhost', CANARY)).toBe(204);
    const made = await browser.send('POST', '/v1/user/api_keys', { data: { name: 'ci' } });
    const { key } = (JSON.parse(made.text) as { data: { key: string } }).data;
    const shown = [key, ...browser.cookies.values()];
    expect((await browser.send('POST', '/auth/refresh')).status).toBe(204);
    shown.push(...browser.cookies.values());
    for (const token of [key, `${key}x`]) await sendJson(server.url, 'GET', '/v1/user', undefined, bearer(token));
    const secrets = [{ key: 'A', value: CANARY }];
    expect((await sendJson(server.url, 'PUT', '/v1/secrets', { secrets }, AS_ADMIN)).status).toBe(200);
    await sendJson(server.url, 'POST', '/auth/password-reset', { token: CANARY, password: CANARY }, {});
    await server.end('SIGTERM');
    expect(server.output()).toContain('Stopped.');
    const texts = [CANARY, ...shown, ASKING.SECRET, ASKING.ADMIN_SECRET];
    expect(texts.filter((text) => server.output().includes(text))).toEqual([]);
    for (const name of await readdir(folder)) {
      const bytes = await readFile(join(folder, name));
      expect([name, texts.filter((text) => bytes.includes(text))]).toEqual([name, []]);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('secrets that were encrypted before there was a key in the settings are encrypted with that one, by the command line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-secrets-'));
  try {
    {
      await using open = await startTestServer({ WORKING_DIR: folder });
      const secrets = [{ key: 'EARLY', value: CANARY }];
      expect((await sendJson(open.url, 'PUT', '/v1/secrets', { secrets }, {})).status).toBe(200);
    }
    const env = { SERVICE_WORKING_DIR: folder, SERVICE_SECRET: ASKING.SECRET };
    const rotated = await runCairn(['secrets', 'rotate'], env);
    expect([rotated.exitCode, rotated.stdout, rotated.stderr]).toEqual([
      0,
      'Encrypted with the current key: 1 now, 0 before.\n',
      '',
    ]);
    expect((await runCairn(['secrets', 'rotate'], env)).stdout).toBe(
      'Encrypted with the current key: 0 now, 1 before.\n',
    );
    const other = { ...env, SERVICE_SECRET: `another ${ASKING.SECRET}`.replaceAll(' ', '-') };
    const unreadable = await runCairn(['secrets', 'rotate'], other);
    expect([unreadable.exitCode, unreadable.stdout]).toEqual([
      1,
      expect.stringMatching(/EARLY\.\n.*SERVICE_PREVIOUS_SECRET/),
    ]);
    const back = await runCairn(['secrets', 'rotate'], { ...other, SERVICE_PREVIOUS_SECRET: ASKING.SECRET });
    expect([back.exitCode, back.stdout]).toEqual([0, 'Encrypted with the current key: 1 now, 0 before.\n']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
