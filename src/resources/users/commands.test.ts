import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredPassword } from '#credentials/port';
import { unusablePassword } from '#credentials/unusable-password';
import type { Account, PersonRole } from '#domain/account';
import { ANONYMOUS, type Caller, systemCaller } from '#domain/caller';
import { keyCaller, pendingCaller, systemKeyCaller, userCaller } from '#domain/callers.fixture';
import type { CommandCalls } from '#store/commands/command';
import { remoteCommands } from '#store/commands/remote-commands';
import { runCommandsOn } from '#store/commands/run-commands.fixture';
import { openTestEngine } from '#store/engine/open-test-engine.fixture';
import type { TestEngine } from '#store/engine/test-engine.fixture';
import { type NewAccount, type UserCommands, userCommands } from './commands.ts';
import { userPolicy } from './policy.ts';
import { findAccounts, findStoredPassword } from './queries.ts';

const START = systemCaller('start');
const HASH: StoredPassword = { hash: 'aGFzaA==', salt: 'c2FsdA==', algorithm: 'argon2id:m=65536,t=2,p=1' };
const OTHER: StoredPassword = { ...HASH, hash: 'b3RoZXI=' };
const ADMIN_ROW = 2;
const ADMIN = userCaller('admin', ADMIN_ROW);

let engine: TestEngine;
let commands: CommandCalls<UserCommands>;

beforeEach(async () => {
  engine = await openTestEngine();
  commands = remoteCommands(userPolicy, runCommandsOn(engine, [userCommands]));
  await prepare();
});

const prepare = (more: Partial<Parameters<CommandCalls<UserCommands>['prepare']>[1]> = {}) =>
  commands.prepare(START, {
    unusable: unusablePassword(),
    initialPassword: null,
    admins: [],
    tellsPlanted: false,
    ...more,
  });

const create = (name: string, role: PersonRole = 'MEMBER', more: Partial<NewAccount> = {}, caller: Caller = ADMIN) =>
  commands.create(caller, {
    username: name,
    email: `${name}@example.com`,
    role,
    authMethod: 'LOCAL',
    password: HASH,
    ...more,
  });

const find = async (rowId: number): Promise<Account | undefined> => (await findAccounts(engine, [rowId])).get(rowId);
const signIn = (userRowId: number) =>
  engine.exec(`INSERT INTO sign_ins (user_id, created_at_us, expires_at_us) VALUES (${userRowId}, 1, 2)`);
const signIns = async (userRowId: number) =>
  (await engine.rows(`SELECT id FROM sign_ins WHERE user_id = ${userRowId}`)).length;
const audited = () =>
  engine.rows(
    'SELECT operation, caller_name, object_type, object_id, object_name, changes FROM audit_events ORDER BY id',
  );

describe('the first accounts', () => {
  it('are the system’s and the built-in administrator’s, in that order', async () => {
    expect(await find(1)).toMatchObject({ username: 'system', email: 'system@localhost', role: 'SYSTEM' });
    expect(await find(ADMIN_ROW)).toMatchObject({
      username: 'admin',
      email: 'admin@localhost',
      role: 'ADMIN',
      authMethod: 'LOCAL',
      passwordNeedsReset: true,
    });
    expect(await find(3)).toBeUndefined();
  });

  it('are made once, and the initial password is set once', async () => {
    expect((await prepare({ initialPassword: HASH })).isPasswordSet).toBe(true);
    expect((await prepare({ initialPassword: OTHER })).isPasswordSet).toBe(false);
    expect(await findStoredPassword(engine.db, ADMIN_ROW)).toEqual(HASH);
    expect(await engine.rows('SELECT id FROM users')).toHaveLength(2);
  });

  it('are those of the settings too, unless somebody has the name or the address', async () => {
    await create('ada');
    const admins = [
      { username: 'ada', email: 'other@example.com', password: HASH, authMethod: 'LOCAL' },
      { username: 'other', email: 'ada@example.com', password: HASH, authMethod: 'LOCAL' },
      { username: 'Bob = B', email: 'bob@example.com', password: HASH, authMethod: 'LOCAL' },
      { username: 'Cy', email: 'cy@example.com', password: null, authMethod: 'OAUTH2' },
      { username: 'Di', email: 'di@example.com', password: null, authMethod: 'LDAP' },
    ] as const;
    await prepare({ admins });
    await prepare({ admins });
    expect(
      await engine.rows('SELECT username, role, auth_method, password_needs_reset FROM users WHERE id > 2 ORDER BY id'),
    ).toEqual([
      { username: 'ada', role: 'MEMBER', auth_method: 'LOCAL', password_needs_reset: 1 },
      { username: 'Bob = B', role: 'ADMIN', auth_method: 'LOCAL', password_needs_reset: 1 },
      { username: 'Cy', role: 'ADMIN', auth_method: 'OAUTH2', password_needs_reset: 0 },
      { username: 'Di', role: 'ADMIN', auth_method: 'LDAP', password_needs_reset: 0 },
    ]);
  });

  it('tell once which accounts anybody may have made', async () => {
    await create('planted', 'ADMIN', {}, ANONYMOUS);
    await create('made');
    expect((await prepare()).planted).toEqual([]);
    const told = [{ username: 'planted', email: 'planted@example.com', role: 'ADMIN' }];
    expect((await prepare({ tellsPlanted: true })).planted).toEqual(told);
    expect((await prepare({ tellsPlanted: true })).planted).toEqual([]);
  });
});

describe('creating an account', () => {
  it('trims and lowers what is compared, and has people choose their own password', async () => {
    const account = await create('x', 'VIEWER', { username: ' Ada ', email: ' Ada@Example.COM ' });
    expect(account).toMatchObject({
      username: 'Ada',
      email: 'ada@example.com',
      role: 'VIEWER',
      passwordNeedsReset: true,
    });
    expect(await find(account.rowId)).toEqual(account);
    expect(await create('bob', 'MEMBER', { authMethod: 'OAUTH2', password: null, oauth2ClientId: 'c' })).toMatchObject({
      authMethod: 'OAUTH2',
      oauth2ClientId: 'c',
      passwordNeedsReset: false,
    });
  });

  it.each([
    [{ email: 'ADA@example.com' }, 'already_exists', /e-mail/],
    [{ username: 'ada ' }, 'already_exists', /username/],
    [{ username: ' ' }, 'invalid_argument', /username/],
    [{ email: 'nobody' }, 'invalid_argument', /e-mail/],
    [{ email: 'admin@localhost' }, 'invalid_argument', /e-mail/],
  ])('is refused: %j', async (more, code, message) => {
    await create('ada');
    await expect(create('bob', 'MEMBER', more)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  it('leaves a line in the log of who did what', async () => {
    await create('ada');
    expect((await audited()).at(-1)).toEqual({
      operation: 'users.create',
      caller_name: 'Ada',
      object_type: 'User',
      object_id: '3',
      object_name: 'ada',
      changes: '["username","email","role","auth_method"]',
    });
  });

  it.each<[string, Caller]>([
    ['a member', userCaller('member', 3)],
    ['a key of the system', systemKeyCaller()],
    ['an administrator who must choose a password', pendingCaller('admin', ADMIN_ROW)],
    ['an administrator who was deleted', userCaller('admin', 99)],
  ])('is refused to %s', async (_who, caller) => {
    await expect(create('bob', 'MEMBER', {}, caller)).rejects.toMatchObject({ code: 'permission_denied' });
  });
});

describe('changing an account', () => {
  it('changes the role, and signs out', async () => {
    const { rowId } = await create('ada');
    await signIn(rowId);
    expect(await commands.patch(ADMIN, { rowId, role: 'MEMBER' })).toMatchObject({ role: 'MEMBER' });
    expect(await signIns(rowId)).toBe(1);
    expect(await commands.patch(ADMIN, { rowId, role: 'ADMIN' })).toMatchObject({ role: 'ADMIN' });
    expect(await signIns(rowId)).toBe(0);
    expect((await audited()).at(-1)).toMatchObject({
      operation: 'users.patch',
      object_id: `${rowId}`,
      changes: '["role"]',
    });
  });

  it('changes the name, and leaves sign-ins alone', async () => {
    const { rowId } = await create('ada');
    await create('bob');
    await signIn(rowId);
    expect(await commands.patch(ADMIN, { rowId, username: ' lovelace ' })).toMatchObject({ username: 'lovelace' });
    expect(await commands.patch(ADMIN, { rowId, username: 'lovelace' })).toMatchObject({ username: 'lovelace' });
    await expect(commands.patch(ADMIN, { rowId, username: 'bob' })).rejects.toMatchObject({ code: 'already_exists' });
    expect(await signIns(rowId)).toBe(1);
  });

  it('sets a password that must be changed again, and signs out', async () => {
    const { rowId } = await create('ada');
    await engine.exec(`UPDATE users SET password_needs_reset = 0 WHERE id = ${rowId}`);
    await signIn(rowId);
    expect(await commands.patch(ADMIN, { rowId, password: OTHER })).toMatchObject({ passwordNeedsReset: true });
    expect([await findStoredPassword(engine.db, rowId), await signIns(rowId)]).toEqual([OTHER, 0]);
  });

  it.each([
    [
      'the role of the built-in administrator',
      { rowId: ADMIN_ROW, role: 'MEMBER' },
      'Cannot modify role for the default admin user',
    ],
    ['the system’s account', { rowId: 1, username: 'ada' }, 'User not found'],
    ['the password of the system’s account', { rowId: 1, password: HASH }, 'User not found'],
    ['an account that is not there', { rowId: 99, username: 'ada' }, 'User not found'],
  ] as const)('is refused for %s', async (_what, patch, message) => {
    await create('other', 'ADMIN');
    const caller: Caller = { kind: 'admin_secret', role: 'admin', rowId: 1 };
    await expect(commands.patch(caller, patch)).rejects.toMatchObject({ message });
  });

  it('is refused for one’s own role', async () => {
    const { rowId } = await create('ada', 'ADMIN');
    await expect(commands.patch(userCaller('admin', rowId), { rowId, role: 'MEMBER' })).rejects.toMatchObject({
      message: 'Cannot modify own role',
    });
  });

  it('is refused for a password where another service checks it', async () => {
    const { rowId } = await create('ada', 'MEMBER', { authMethod: 'LDAP', password: null });
    await expect(commands.patch(ADMIN, { rowId, password: HASH })).rejects.toMatchObject({
      code: 'failed_precondition',
    });
  });
});

describe('changing one’s own account', () => {
  it('changes the name', async () => {
    const { rowId } = await create('ada');
    const patched = await commands.patchViewer(userCaller('member', rowId), { username: 'lovelace' });
    expect(patched).toMatchObject({ username: 'lovelace' });
    await expect(commands.patchViewer(userCaller('member', rowId), { username: 'admin' })).rejects.toMatchObject({
      code: 'already_exists',
    });
  });

  it('sets a password, ends the duty to choose one, and signs out', async () => {
    const { rowId } = await create('ada');
    await signIn(rowId);
    const password = { shownHash: HASH.hash, next: OTHER };
    expect(await commands.patchViewer(pendingCaller('member', rowId), { password })).toMatchObject({
      passwordNeedsReset: false,
    });
    expect([await findStoredPassword(engine.db, rowId), await signIns(rowId)]).toEqual([OTHER, 0]);
    // What was shown is not the password any more.
    await expect(commands.patchViewer(userCaller('member', rowId), { password })).rejects.toMatchObject({
      code: 'failed_precondition',
    });
  });

  it.each<[string, Caller]>([
    ['without an account', systemKeyCaller()],
    ['before a password is chosen that must be', pendingCaller('admin', ADMIN_ROW)],
    ['with the secret of the administrator', { kind: 'admin_secret', role: 'admin', rowId: 1 }],
    ['while authentication is off', ANONYMOUS],
    ['with a narrowed key', keyCaller('member', { operations: 'read', projects: null }, ADMIN_ROW)],
  ])('is refused %s', async (_how, caller) => {
    await expect(commands.patchViewer(caller, { username: 'ada' })).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });
});

describe('deleting accounts', () => {
  it('takes their sign-ins and keys along, and leaves keys of the system', async () => {
    const { rowId } = await create('ada', 'ADMIN');
    await signIn(rowId);
    await engine.exec(
      `INSERT INTO api_keys (hash, user_id, created_by, name, created_at_us) VALUES ('own', ${rowId}, ${rowId}, 'own', 1)`,
    );
    await engine.exec(
      `INSERT INTO api_keys (hash, user_id, created_by, name, created_at_us) VALUES ('ci', NULL, ${rowId}, 'ci', 1)`,
    );
    await commands.delete(ADMIN, rowId);
    expect([await find(rowId), await signIns(rowId)]).toEqual([undefined, 0]);
    expect(await engine.rows('SELECT name, created_by FROM api_keys')).toEqual([{ name: 'ci', created_by: null }]);
    await expect(commands.delete(ADMIN, rowId)).rejects.toMatchObject({ code: 'not_found', message: 'User not found' });
  });

  it('deletes all of several or none', async () => {
    const [ada, bob] = [await create('ada'), await create('bob')];
    const refused = (rowIds: readonly number[], message: string) =>
      expect(commands.remove(ADMIN, rowIds)).rejects.toMatchObject({ message });
    await refused([ada.rowId, 99], 'Some user IDs could not be found');
    await refused([ada.rowId, 1], 'Some user IDs could not be found');
    await refused([ada.rowId, ADMIN_ROW], 'Cannot delete the default admin user');
    expect(await find(ada.rowId)).toBeDefined();
    await commands.remove(ADMIN, [ada.rowId, bob.rowId]);
    expect([await find(ada.rowId), await find(bob.rowId)]).toEqual([undefined, undefined]);
    expect((await audited()).slice(-2).map(({ object_name: name }) => name)).toEqual(['ada', 'bob']);
  });

  it('is refused for the system’s account and the built-in administrator', async () => {
    await create('other', 'ADMIN');
    for (const rowId of [1, ADMIN_ROW]) {
      await expect(commands.delete(ANONYMOUS, rowId)).rejects.toMatchObject({
        code: 'permission_denied',
        message: 'Cannot delete the default admin or system user',
      });
    }
  });

  it('leaves an administrator, also where the built-in one is gone', async () => {
    const [ada, bob] = [await create('ada', 'ADMIN'), await create('bob', 'ADMIN')];
    await engine.exec(`DELETE FROM users WHERE id = ${ADMIN_ROW}`);
    const caller = userCaller('admin', ada.rowId);
    await expect(commands.remove(caller, [ada.rowId, bob.rowId])).rejects.toMatchObject({
      code: 'failed_precondition',
    });
    await commands.delete(caller, bob.rowId);
    await expect(commands.delete(caller, ada.rowId)).rejects.toMatchObject({ code: 'failed_precondition' });
    const secret: Caller = { kind: 'admin_secret', role: 'admin', rowId: 1 };
    await expect(commands.patch(secret, { rowId: ada.rowId, role: 'VIEWER' })).rejects.toMatchObject({
      code: 'failed_precondition',
    });
  });
});

describe('the owner of the server', () => {
  it('sets the password of an account by its address', async () => {
    const { rowId } = await create('ada');
    await signIn(rowId);
    await commands.resetPassword(START, { email: 'ada@example.com', password: OTHER });
    expect([await findStoredPassword(engine.db, rowId), await signIns(rowId)]).toEqual([OTHER, 0]);
    expect(await find(rowId)).toMatchObject({ passwordNeedsReset: true });
    for (const email of ['nobody@example.com', 'system@localhost']) {
      await expect(commands.resetPassword(START, { email, password: OTHER })).rejects.toMatchObject({
        code: 'not_found',
      });
    }
  });
});
