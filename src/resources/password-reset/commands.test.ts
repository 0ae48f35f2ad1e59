import { beforeEach, describe, expect, it } from 'vitest';
import { emailSubject } from '#credentials/attempts';
import type { AuthMethod } from '#domain/account';
import { NOBODY, systemCaller } from '#domain/caller';
import type { CommandCalls } from '#store/commands/command';
import { remoteCommands } from '#store/commands/remote-commands';
import { runCommandsOn } from '#store/commands/run-commands.fixture';
import { openTestEngine } from '#store/engine/open-test-engine.fixture';
import { type PasswordResetCommands, passwordResetCommands } from './commands.ts';
import { passwordResetPolicy } from './policy.ts';
import { findToken } from './queries.ts';

const HOUR_US = 3_600_000_000;
const NEXT = { hash: 'next-hash', salt: 'next-salt', algorithm: 'next' };

const SERVER = systemCaller('test');

let engine: Awaited<ReturnType<typeof openTestEngine>>;
let commands: CommandCalls<PasswordResetCommands>;

beforeEach(async () => {
  engine = await openTestEngine();
  commands = remoteCommands(passwordResetPolicy, runCommandsOn(engine, [passwordResetCommands]));
});

async function addUser(username: string, authMethod: AuthMethod = 'LOCAL', role: 'SYSTEM' | 'MEMBER' = 'MEMBER') {
  const { id } = await engine.db
    .insertInto('users')
    .values({
      username,
      email: `${username}@example.com`,
      role,
      auth_method: authMethod,
      ...(authMethod === 'LOCAL' && { password_hash: 'h', password_salt: 's', password_algorithm: 'a' }),
      password_needs_reset: 1,
      created_at_us: 1,
      updated_at_us: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** With a token, a key, a lock. */
async function addBelongings(userRowId: number, email: string) {
  const expiresAtUs = Date.now() * 1000 + HOUR_US;
  const { id } = await engine.db
    .insertInto('sign_ins')
    .values({ user_id: userRowId, created_at_us: 1, expires_at_us: expiresAtUs })
    .returning('id')
    .executeTakeFirstOrThrow();
  await engine.db
    .insertInto('sign_in_tokens')
    .values({ hash: `access of ${userRowId}`, sign_in_id: id, kind: 'access', expires_at_us: expiresAtUs })
    .execute();
  await engine.db
    .insertInto('api_keys')
    .values({ hash: `key of ${userRowId}`, user_id: userRowId, created_by: userRowId, name: 'key', created_at_us: 1 })
    .execute();
  await engine.db
    .insertInto('sign_in_attempts')
    .values({ subject: emailSubject(email), attempt_count: 5, last_attempt_us: 1, locked_until_us: expiresAtUs })
    .execute();
}

function request(username: string, hash: string, goodForUs = HOUR_US): Promise<string | null> {
  return commands.request(SERVER, { email: `${username}@example.com`, hash, goodForUs });
}

function choose(hash: string): Promise<void> {
  return commands.choose(NOBODY, { hash, password: NEXT });
}

async function countOf(
  table: 'sign_ins' | 'sign_in_tokens' | 'api_keys' | 'sign_in_attempts' | 'password_reset_tokens',
) {
  const rows = await engine.db.selectFrom(table).selectAll().execute();
  return rows.length;
}

describe('asking for a token', () => {
  it('stores it for an account with a password here, and only the newest', async () => {
    const rowId = await addUser('ada');
    await addUser('grace');
    expect(await request('ada', 'first')).toBe('ada');
    expect(await request('grace', 'other')).toBe('grace');
    expect(await request('ada', 'second')).toBe('ada');
    const nowUs = Date.now() * 1000;
    expect(await findToken(engine.db, 'first', nowUs)).toBeUndefined();
    expect(await findToken(engine.db, 'second', nowUs)).toEqual({ rowId, username: 'ada', email: 'ada@example.com' });
    expect(await countOf('password_reset_tokens')).toBe(2);
  });

  it.each([
    ['an account that signs in elsewhere', 'OAUTH2', 'MEMBER'],
    ["the system's own account", 'LOCAL', 'SYSTEM'],
  ] as const)('stores nothing that is good for %s, nor where there is none', async (_what, authMethod, role) => {
    await addUser('ada', authMethod, role);
    expect([await request('ada', 'hash'), await request('nobody', 'other')]).toEqual([null, null]);
    const nowUs = Date.now() * 1000;
    for (const hash of ['hash', 'other']) {
      expect(await findToken(engine.db, hash, nowUs)).toBeUndefined();
      await expect(choose(hash)).rejects.toThrow('Invalid token');
    }
  });

  it('writes something either way, so that both wait for the disk', async () => {
    await addUser('system', 'LOCAL', 'SYSTEM');
    for (const hash of ['first', 'second']) {
      await request('nobody', hash);
      expect(await engine.db.selectFrom('password_reset_tokens').select('hash').execute()).toEqual([{ hash }]);
    }
  });

  it('leaves a row in the log of who did what for an account alone, or anybody could fill it', async () => {
    const rowId = await addUser('ada');
    await request('ada', 'hash');
    await request('nobody', 'hash');
    const rows = await engine.db
      .selectFrom('audit_events')
      .select(['operation', 'object_id', 'object_name'])
      .orderBy('id')
      .execute();
    const operation = 'passwordReset.request';
    expect(rows).toEqual([{ operation, object_id: String(rowId), object_name: 'ada' }]);
  });
});

describe('the time that it takes to ask for a token', () => {
  it('tells nothing: but for the row of the log, the statements are the same, whether there is an account or not', async () => {
    await addUser('ada');
    const statements: string[] = [];
    const watched = remoteCommands<PasswordResetCommands>(
      passwordResetPolicy,
      runCommandsOn(engine, [passwordResetCommands], {
        plugin: {
          transformQuery: ({ node }) => {
            statements.push(node.kind);
            return node;
          },
          transformResult: async ({ result }) => result,
        },
      }),
    );
    const statementsFor = async (username: string) => {
      statements.length = 0;
      await watched.request(SERVER, { email: `${username}@example.com`, hash: 'hash', goodForUs: HOUR_US });
      return [...statements];
    };
    const known = await statementsFor('ada');
    expect(known).toContain('InsertQueryNode');
    expect([...(await statementsFor('nobody')), 'InsertQueryNode']).toEqual(known);
  });
});

describe('choosing a password', () => {
  it('changes it, ends all sign-ins and the lock, and keeps keys; of this account alone', async () => {
    const [ada, grace] = [await addUser('ada'), await addUser('grace')];
    await addBelongings(ada, 'ada@example.com');
    await addBelongings(grace, 'grace@example.com');
    await request('ada', 'hash');
    await choose('hash');
    const rows = await engine.db.selectFrom('users').selectAll().orderBy('id').execute();
    expect(rows).toMatchObject([
      { password_hash: 'next-hash', password_salt: 'next-salt', password_algorithm: 'next', password_needs_reset: 0 },
      { password_hash: 'h', password_salt: 's', password_algorithm: 'a', password_needs_reset: 1 },
    ]);
    const counts = await Promise.all(
      (['sign_ins', 'sign_in_tokens', 'sign_in_attempts', 'api_keys', 'password_reset_tokens'] as const).map(countOf),
    );
    expect(counts).toEqual([1, 1, 1, 2, 0]);
    const signIn = await engine.db.selectFrom('sign_ins').select('user_id').executeTakeFirst();
    expect(signIn?.user_id).toBe(grace);
  });

  it('is noted without the password', async () => {
    const rowId = await addUser('ada');
    await request('ada', 'hash');
    await choose('hash');
    const event = await engine.db.selectFrom('audit_events').selectAll().orderBy('id', 'desc').executeTakeFirst();
    expect(event).toMatchObject({
      operation: 'passwordReset.choose',
      object_id: String(rowId),
      changes: '["password"]',
    });
    expect(JSON.stringify(event)).not.toMatch(/next|hash/);
  });

  it('works once with a token, also when it is tried several times at once', async () => {
    await addUser('ada');
    await request('ada', 'hash');
    const tried = await Promise.allSettled(Array.from({ length: 5 }, () => choose('hash')));
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(choose('hash')).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it.each<[string, (rowId: number) => Promise<unknown>]>([
    ['is unknown', () => engine.db.deleteFrom('password_reset_tokens').execute()],
    ['was replaced', () => request('ada', 'newer')],
    ['has expired', () => request('ada', 'hash', 0)],
    ['is of an account that was deleted', (id) => engine.db.deleteFrom('users').where('id', '=', id).execute()],
    ['is of an account that signs in elsewhere now', signInElsewhere],
  ])('is refused with a token that %s', async (_what, change) => {
    const rowId = await addUser('ada');
    await request('ada', 'hash');
    await change(rowId);
    await expect(choose('hash')).rejects.toMatchObject({ code: 'unauthenticated', message: /^Invalid token/ });
    const user = await engine.db.selectFrom('users').select('password_hash').executeTakeFirst();
    expect(user?.password_hash ?? 'h').toBe('h');
  });
});

function signInElsewhere(rowId: number): Promise<unknown> {
  return engine.db
    .updateTable('users')
    .set({ auth_method: 'OAUTH2', password_hash: null, password_salt: null, password_algorithm: null })
    .where('id', '=', rowId)
    .execute();
}
