import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiKeyInput } from '#domain/api-key';
import { ANONYMOUS, type Caller, systemCaller } from '#domain/caller';
import { keyCaller, systemKeyCaller, userCaller } from '#domain/callers.fixture';
import type { CommandCalls } from '#store/commands/command';
import { remoteCommands } from '#store/commands/remote-commands';
import { runCommandsOn } from '#store/commands/run-commands.fixture';
import { openTestEngine } from '#store/engine/open-test-engine.fixture';
import type { TestEngine } from '#store/engine/test-engine.fixture';
import { newProjectRow } from '#store/projects/new-project-row';
import { type ApiKeyCommands, apiKeyCommands } from './commands.ts';
import { apiKeyPolicy } from './policy.ts';
import { findKeysOfUsers, listAllPersonalKeys, listKeysOfUser, listPersonalKeys, listSystemKeys } from './queries.ts';

let engine: TestEngine;
let commands: CommandCalls<ApiKeyCommands>;
let ada: Caller & { readonly kind: 'user' };
let bob: Caller & { readonly kind: 'user' };
let admin: Caller & { readonly kind: 'user' };
let app: number;

beforeEach(async () => {
  engine = await openTestEngine();
  commands = remoteCommands(apiKeyPolicy, runCommandsOn(engine, [apiKeyCommands]));
  ada = await addUser('ada', 'VIEWER');
  bob = await addUser('bob', 'MEMBER');
  admin = await addUser('root', 'ADMIN');
  app = await addProject('app');
});

async function addUser(username: string, role: 'ADMIN' | 'MEMBER' | 'VIEWER') {
  const times = { created_at_us: 1, updated_at_us: 1 };
  const values = { username, email: `${username}@example.com`, role, auth_method: 'OAUTH2' as const, ...times };
  const { id } = await engine.db.insertInto('users').values(values).returning('id').executeTakeFirstOrThrow();
  const caller = userCaller(role === 'ADMIN' ? 'admin' : role === 'MEMBER' ? 'member' : 'viewer', id);
  if (caller.kind !== 'user') throw new Error('a person was expected');
  return caller;
}

async function addProject(name: string): Promise<number> {
  const row = engine.db.insertInto('projects').values(newProjectRow(name)).returning('id');
  return (await row.executeTakeFirstOrThrow()).id;
}

let issued = 0;
const newKey = (more: Partial<ApiKeyInput> = {}) => {
  issued++;
  return {
    hash: `hash ${issued}`,
    name: 'ci',
    description: null,
    expiresAtUs: null,
    operations: null,
    projectRowIds: null,
    ...more,
  };
};

const SECRET: Caller = { kind: 'admin_secret', role: 'admin', rowId: 1 };
const DENIED = { code: 'permission_denied' };
const NO_KEY = { code: 'not_found', message: 'API key not found' };

describe('a key is made', () => {
  it('by anybody who signed in, of their own, as they describe it', async () => {
    const created = await commands.createOwn(ada, newKey({ name: ' ci ', description: ' ', expiresAtUs: 1_000_001 }));
    expect(created).toMatchObject({
      userRowId: ada.rowId,
      makerRowId: ada.rowId,
      name: 'ci',
      description: null,
      operations: null,
      projects: null,
      expiresAtUs: 1_000_001,
      lastUsedAtUs: null,
    });
    expect(await listKeysOfUser(engine, ada.rowId)).toEqual([created]);
    expect(await listKeysOfUser(engine, bob.rowId)).toEqual([]);
  });

  it('for the system by an administrator, and by the administrator’s secret, which is no maker', async () => {
    const bySecret = await commands.createSystem(SECRET, newKey());
    const byAdmin = await commands.createSystem(admin, newKey({ name: 'other' }));
    expect([bySecret, byAdmin]).toMatchObject([
      { userRowId: null, makerRowId: null },
      { userRowId: null, makerRowId: admin.rowId },
    ]);
    expect(await listSystemKeys(engine)).toEqual([byAdmin, bySecret]);
    expect(await listAllPersonalKeys(engine)).toEqual([]);
  });

  it('by no key, whatever its owner may do, and by the secret not for a person', async () => {
    const message = 'API keys cannot create API keys';
    for (const caller of [keyCaller('admin', null, admin.rowId), systemKeyCaller()]) {
      await expect(commands.createOwn(caller, newKey())).rejects.toMatchObject({ ...DENIED, message });
    }
    const byKey = commands.createSystem(keyCaller('admin', null, admin.rowId), newKey());
    await expect(byKey).rejects.toMatchObject({ ...DENIED, message });
    await expect(commands.createOwn(SECRET, newKey())).rejects.toMatchObject(DENIED);
    await expect(commands.createSystem(bob, newKey())).rejects.toMatchObject(DENIED);
    await expect(commands.createOwn(ANONYMOUS, newKey())).rejects.toMatchObject(DENIED);
  });

  it('for nobody who is gone', async () => {
    await engine.db.deleteFrom('users').where('id', '=', ada.rowId).execute();
    await expect(commands.createOwn(ada, newKey())).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('that is limited to what it is for, and reaches no project that is made again under the name', async () => {
    const shop = await addProject('shop');
    const limited = await commands.createOwn(ada, newKey({ operations: 'ingest', projectRowIds: [shop, app, shop] }));
    expect(limited).toMatchObject({ operations: 'ingest', projects: [{ name: 'app' }, { name: 'shop' }] });
    await engine.db.deleteFrom('projects').where('id', 'in', [app, shop]).execute();
    await addProject('app');
    expect(await listKeysOfUser(engine, ada.rowId)).toMatchObject([{ projects: [] }]);
  });

  it.each<[string, Partial<ApiKeyInput>, string]>([
    ['no name', { name: ' \t' }, 'invalid_argument'],
    ['a long name', { name: 'x'.repeat(201) }, 'invalid_argument'],
    ['a name with control characters', { name: 'a\u0000b' }, 'invalid_argument'],
    ['a time that no table holds', { expiresAtUs: Date.UTC(9999, 11, 31) * 1000 }, 'invalid_argument'],
    ['a long description', { description: 'x'.repeat(10_001) }, 'invalid_argument'],
    ['no project at all', { projectRowIds: [] }, 'invalid_argument'],
    ['very many projects', { projectRowIds: Array.from({ length: 101 }, (_, index) => index + 1) }, 'invalid_argument'],
    ['a project that is not there', { projectRowIds: [999] }, 'not_found'],
  ])('not with %s', async (_what, input, code) => {
    await expect(commands.createOwn(ada, newKey(input))).rejects.toMatchObject({ code });
    expect(await listKeysOfUser(engine, ada.rowId)).toEqual([]);
  });

  it('as long as there are not too many', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => ({
      hash: `many ${index}`,
      user_id: ada.rowId,
      name: 'ci',
      created_at_us: 1,
    }));
    await engine.db.insertInto('api_keys').values(rows).execute();
    await expect(commands.createOwn(ada, newKey())).rejects.toMatchObject({ code: 'failed_precondition' });
    await commands.createOwn(bob, newKey());
  });
});

describe('a key is deleted', () => {
  it('by its owner and by administrators, and is not found by anybody else', async () => {
    const [first, second, third] = [
      await commands.createOwn(ada, newKey()),
      await commands.createOwn(ada, newKey()),
      await commands.createOwn(ada, newKey()),
    ];
    const system = await commands.createSystem(admin, newKey());
    await expect(commands.deletePersonal(bob, first.rowId)).rejects.toMatchObject(NO_KEY);
    await expect(commands.deletePersonal(bob, 999)).rejects.toMatchObject(NO_KEY);
    await expect(commands.deletePersonal(systemKeyCaller(), first.rowId)).rejects.toMatchObject(DENIED);
    await commands.deletePersonal(keyCaller('viewer', null, ada.rowId), first.rowId);
    await commands.deletePersonal(admin, second.rowId);
    await commands.deletePersonal(SECRET, third.rowId);
    expect(await listAllPersonalKeys(engine)).toEqual([]);
    expect(await listSystemKeys(engine)).toEqual([system]);
  });

  it('of its own class alone', async () => {
    const own = await commands.createOwn(admin, newKey());
    const system = await commands.createSystem(admin, newKey());
    await expect(commands.deletePersonal(admin, system.rowId)).rejects.toMatchObject(NO_KEY);
    await expect(commands.deleteSystem(admin, own.rowId)).rejects.toMatchObject(NO_KEY);
    await expect(commands.deleteSystem(bob, system.rowId)).rejects.toMatchObject(DENIED);
    await commands.deleteSystem(admin, system.rowId);
    expect(await listSystemKeys(engine)).toEqual([]);
  });

  it('with its owner, while a key of the system outlives its maker', async () => {
    await commands.createOwn(admin, newKey());
    const system = await commands.createSystem(admin, newKey());
    await engine.db.deleteFrom('users').where('id', '=', admin.rowId).execute();
    expect(await listAllPersonalKeys(engine)).toEqual([]);
    expect(await listSystemKeys(engine)).toEqual([{ ...system, makerRowId: null }]);
  });
});

describe('keys of people', () => {
  it('are listed newest first, page by page, each with its owner', async () => {
    const first = await commands.createOwn(ada, newKey());
    await commands.createSystem(admin, newKey());
    const second = await commands.createOwn(bob, newKey());
    const page = await listPersonalKeys(engine, { limit: 1, cursor: null });
    expect(page.data).toEqual([{ ...second, user: { rowId: bob.rowId, name: 'bob', email: 'bob@example.com' } }]);
    expect(Buffer.from(page.nextCursor ?? '', 'base64').toString()).toBe(`UserApiKey:${first.rowId}`);
    const rest = await listPersonalKeys(engine, { limit: 10, cursor: page.nextCursor });
    expect(rest).toMatchObject({ data: [{ rowId: first.rowId, user: { name: 'ada' } }], nextCursor: null });
    await expect(listPersonalKeys(engine, { limit: 1, cursor: btoa('Project:1') })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  it('are found for several owners at once', async () => {
    const [first, second] = [await commands.createOwn(ada, newKey()), await commands.createOwn(ada, newKey())];
    const ofBob = await commands.createOwn(bob, newKey());
    expect(await findKeysOfUsers(engine, [ada.rowId, bob.rowId, 99])).toEqual(
      new Map([
        [ada.rowId, [second, first]],
        [bob.rowId, [ofBob]],
      ]),
    );
  });
});

describe('the log', () => {
  it('names each key that is made or deleted, and never what proves it', async () => {
    const { rowId } = await commands.createOwn(ada, newKey({ name: 'ci', operations: 'read', projectRowIds: [app] }));
    await commands.deletePersonal(admin, rowId);
    const rows = await engine.db.selectFrom('audit_events').selectAll().orderBy('id').execute();
    const object = { object_type: 'UserApiKey', object_id: String(rowId), object_name: 'ci' };
    expect(rows).toMatchObject([
      { operation: 'apiKeys.createOwn', caller_row_id: ada.rowId, ...object },
      { operation: 'apiKeys.deletePersonal', caller_row_id: admin.rowId, ...object },
    ]);
    expect(rows[0]?.changes).toBe('["name","operations","projects"]');
    expect(JSON.stringify(rows)).not.toContain('hash');
  });

  it('has nothing of uses', async () => {
    const { rowId } = await commands.createOwn(ada, newKey());
    const SERVER = systemCaller('key-use');
    await commands.noteUse(SERVER, [{ rowId, atUs: 120_000_000 }, { rowId: 999, atUs: 60_000_000 }]); // biome-ignore format: one line
    await commands.noteUse(SERVER, [{ rowId, atUs: 60_000_000 }]);
    expect(await listKeysOfUser(engine, ada.rowId)).toMatchObject([{ lastUsedAtUs: 120_000_000 }]);
    const { count } = await engine.db
      .selectFrom('audit_events')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    expect(count).toBe(1);
  });
});
