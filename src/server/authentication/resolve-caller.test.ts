import { beforeEach, describe, expect, it } from 'vitest';
import type { Credentials } from '#api/caller';
import { Secret } from '#base/secret';
import { type TokenKind, Tokens } from '#credentials/tokens';
import { type Caller, NOBODY } from '#domain/caller';
import { openTestEngine } from '#store/engine/open-test-engine.fixture';
import type { TestEngine } from '#store/engine/test-engine.fixture';
import { newProjectRow } from '#store/projects/new-project-row';
import { CallerResolver } from './resolve-caller.ts';

const tokens = new Tokens(new Secret('the secret of these tests'));
const ADMIN_SECRET = 'the-secret-of-the-administrator-0123';
const LATER_US = Date.now() * 1000 + 3_600_000_000;
const EARLIER_US = Date.now() * 1000 - 1;

let engine: TestEngine;
let resolver: CallerResolver;
let used: number[];
let ada: number;

beforeEach(async () => {
  engine = await openTestEngine();
  used = [];
  resolver = new CallerResolver({
    tokens,
    adminSecret: new Secret(ADMIN_SECRET),
    db: engine.db,
    noteKeyUse: (keyRowId) => used.push(keyRowId),
  });
  ada = await addUser('ada', 'MEMBER');
});

async function addUser(username: string, role: 'SYSTEM' | 'ADMIN' | 'MEMBER' | 'VIEWER'): Promise<number> {
  const password = { password_hash: 'h', password_salt: 's', password_algorithm: 'a' };
  const times = { created_at_us: 1, updated_at_us: 1 };
  const values = {
    username,
    email: `${username}@example.com`,
    role,
    auth_method: 'LOCAL' as const,
    ...password,
    ...times,
  };
  return (await engine.db.insertInto('users').values(values).returning('id').executeTakeFirstOrThrow()).id;
}

async function addSignIn(userRowId: number, { expiresAtUs = LATER_US, endsAtUs = LATER_US } = {}) {
  const { db } = engine;
  const times = { created_at_us: 1, expires_at_us: endsAtUs };
  const { id } = await db
    .insertInto('sign_ins')
    .values({ user_id: userRowId, ...times })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { text, hash } = await tokens.issue('AccessToken');
  await db
    .insertInto('sign_in_tokens')
    .values({ hash, sign_in_id: id, kind: 'access', expires_at_us: expiresAtUs })
    .execute();
  return { id, text };
}

async function addKey(
  userRowId: number | null,
  more: { expires_at_us?: number; is_limited_to_projects?: number } = {},
) {
  const { text, hash } = await tokens.issue('ApiKey');
  const values = { hash, user_id: userRowId, name: 'ci', created_at_us: 1, ...more };
  const { id } = await engine.db.insertInto('api_keys').values(values).returning('id').executeTakeFirstOrThrow();
  return { id, text };
}

const showing = (headers: Readonly<Record<string, string>>): Credentials => ({
  header: (name) => headers[name],
  remoteAddress: '127.0.0.1',
});
const resolve = (text: string) => resolver.resolve(showing({ authorization: `Bearer ${text}` }));
const unauthenticated = (message: RegExp) => ({ code: 'unauthenticated', message: expect.stringMatching(message) });

describe('a caller is', () => {
  it('nobody without credentials, and with a header that is no bearer token whatever the cookie says', async () => {
    const { text } = await addSignIn(ada);
    expect(await resolver.resolve(showing({}))).toEqual(NOBODY);
    for (const authorization of ['Basic x', 'Bearer', `Bearer ${text} x`, '']) {
      expect(await resolver.resolve(showing({ authorization, cookie: `phoenix-access-token=${text}` }))).toEqual(
        NOBODY,
      );
    }
  });

  it('who signed in, by header in any case or by cookie', async () => {
    const { id, text } = await addSignIn(ada);
    const credential = { kind: 'session', sessionRowId: id, mustChangePassword: false };
    const expected = { kind: 'user', role: 'member', rowId: ada, name: 'ada', credential };
    expect(await resolver.resolve(showing({ authorization: `bEARER  ${text}` }))).toEqual(expected);
    expect(await resolver.resolve(showing({ cookie: `a=b; phoenix-access-token=${text}` }))).toEqual(expected);
  });

  it('the owner of a key, with the limits of the key, and the key of the system', async () => {
    const system = await addUser('system', 'SYSTEM');
    const mine = await addKey(ada);
    const ofProjects = await addKey(null, { is_limited_to_projects: 1 });
    const { id: project } = await engine.db
      .insertInto('projects')
      .values(newProjectRow('shop'))
      .returning('id')
      .executeTakeFirstOrThrow();
    await engine.db.insertInto('api_key_projects').values({ api_key_id: ofProjects.id, project_id: project }).execute();
    expect(await resolve(mine.text)).toMatchObject({ kind: 'user', rowId: ada, credential: { limits: null } });
    const limits = { operations: null, projects: [{ rowId: project, name: 'shop' }] };
    expect(await resolve(ofProjects.text)).toEqual({
      kind: 'system_key',
      role: 'member',
      rowId: ofProjects.id,
      accountRowId: system,
      name: 'ci',
      limits,
    });
    expect(used).toEqual([mine.id, ofProjects.id]);
    await engine.db.deleteFrom('projects').where('id', '=', project).execute();
    resolver.forget();
    expect(await resolve(ofProjects.text)).toMatchObject({ limits: { projects: [] } });
  });

  it('the administrator by the secret, once there is an account of the system', async () => {
    await expect(resolve(ADMIN_SECRET)).rejects.toMatchObject(unauthenticated(/^Invalid token/));
    const system = await addUser('system', 'SYSTEM');
    expect(await resolve(ADMIN_SECRET)).toEqual({ kind: 'admin_secret', role: 'admin', rowId: system });
    const inCookie = resolver.resolve(showing({ cookie: `phoenix-access-token=${ADMIN_SECRET}` }));
    await expect(inCookie).rejects.toMatchObject(unauthenticated(/^Invalid token/));
  });
});

describe('credentials are refused', () => {
  it('that have expired, from the moment on at which they do', async () => {
    const { text } = await addSignIn(ada, { expiresAtUs: EARLIER_US });
    const ofEnded = await addSignIn(ada, { endsAtUs: EARLIER_US });
    const key = await addKey(ada, { expires_at_us: EARLIER_US });
    for (const expired of [text, ofEnded.text, key.text]) {
      await expect(resolve(expired)).rejects.toMatchObject(unauthenticated(/^Expired token/));
    }
    expect(used).toEqual([]);
  });

  it.each<TokenKind>(['RefreshToken', 'PasswordResetToken', 'KnownBrowser'])('that are a %s', async (kind) => {
    await expect(resolve((await tokens.issue(kind)).text)).rejects.toMatchObject(unauthenticated(/^Invalid token/));
  });

  it('that were changed, or signed with another secret', async () => {
    const { text } = await addKey(ada);
    const [head = '', body = '', signature = ''] = text.split('.');
    const none = Buffer.from('{"typ":"JWT","alg":"none"}').toString('base64url');
    const forged = [
      `${head.slice(1)}.${body}.${signature}`,
      `${head}.${body.slice(1)}.${signature}`,
      `${head}.${body}.${signature.slice(1)}`,
      `${head}.${body}.`,
      `${none}.${body}.`,
      (await new Tokens(new Secret('another')).issue('ApiKey')).text,
      text.repeat(20),
    ];
    for (const token of forged) await expect(resolve(token)).rejects.toMatchObject(unauthenticated(/^Invalid token/));
    expect(await resolve(text)).toMatchObject({ kind: 'user' });
  });

  it('once they are deleted', async () => {
    const key = await addKey(ada);
    const { text } = await addSignIn(ada);
    await resolve(key.text);
    await resolve(text);
    await engine.db.deleteFrom('users').where('id', '=', ada).execute();
    resolver.forget();
    for (const gone of [key.text, text]) await expect(resolve(gone)).rejects.toMatchObject(unauthenticated(/^Invalid/));
  });
});

describe('the access of a caller still holds', () => {
  it('while the sign-in is there with the same role, also after its token is gone', async () => {
    const { id, text } = await addSignIn(ada);
    const caller: Caller = { ...(await resolve(text)), address: '10.0.0.1' };
    await engine.db.deleteFrom('sign_in_tokens').where('sign_in_id', '=', id).execute();
    resolver.forget();
    expect(await resolver.stillHolds(caller)).toBe(true);
    await engine.db.updateTable('users').set({ role: 'VIEWER' }).where('id', '=', ada).execute();
    resolver.forget();
    expect(await resolver.stillHolds(caller)).toBe(false);
    await engine.db.updateTable('users').set({ role: 'MEMBER' }).where('id', '=', ada).execute();
    await engine.db.deleteFrom('sign_ins').where('id', '=', id).execute();
    resolver.forget();
    expect(await resolver.stillHolds(caller)).toBe(false);
  });

  it('while the key is there', async () => {
    await addUser('system', 'SYSTEM');
    const key = await addKey(null);
    const caller = await resolve(key.text);
    expect(await resolver.stillHolds(caller)).toBe(true);
    await engine.db.deleteFrom('api_keys').where('id', '=', key.id).execute();
    resolver.forget();
    expect(await resolver.stillHolds(caller)).toBe(false);
  });
});
