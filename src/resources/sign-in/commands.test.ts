/** Signing in on several servers at once: every test runs on two of them where the engine allows more than one. */
import { beforeEach, describe, expect, it } from 'vitest';
import { emailSubject } from '#credentials/attempts';
import type { StoredPassword } from '#credentials/port';
import { endSignIns } from '#credentials/sign-ins';
import { type Caller, NOBODY, systemCaller } from '#domain/caller';
import { userCaller } from '#domain/callers.fixture';
import type { CommandCalls } from '#store/commands/command';
import { remoteCommands } from '#store/commands/remote-commands';
import { runCommandsOn } from '#store/commands/run-commands.fixture';
import { openPostgresServers } from '#store/engine/open-postgres-test-engine.fixture';
import { openTestEngine } from '#store/engine/open-test-engine.fixture';
import type { TestEngine } from '#store/engine/test-engine.fixture';
import { TEST_ENGINE } from '../../../test/harness/test-engine.ts';
import { signInCommands, type SignInCommands } from './commands.ts';
import { signInPolicy } from './policy.ts';

const SERVER: Caller = systemCaller('sign-in');
const ADMIN = userCaller('admin');
const TIMES = { accessTokenUs: 60e6, refreshTokenUs: 600e6, sessionUs: 6000e6 };
const EMAIL = 'ada@example.com';
const SUBJECT = emailSubject(EMAIL);
const VERIFIED: StoredPassword = { hash: 'h', salt: 's', algorithm: 'a' };

let engines: readonly TestEngine[];
let engine: TestEngine;
let servers: readonly CommandCalls<SignInCommands>[];
let commands: CommandCalls<SignInCommands>;
let ada: number;
let issued = 0;

beforeEach(async () => {
  engines = TEST_ENGINE === 'postgres' ? await openPostgresServers(2) : [await openTestEngine()];
  [engine] = engines as [TestEngine];
  servers = engines.map((one) => remoteCommands<SignInCommands>(signInPolicy, runCommandsOn(one, [signInCommands])));
  [commands] = servers as [CommandCalls<SignInCommands>];
  const password = { password_hash: 'h', password_salt: 's', password_algorithm: 'a' };
  const values = { username: 'ada', email: EMAIL, role: 'MEMBER', auth_method: 'LOCAL' } as const;
  const { id } = await engine.db
    .insertInto('users')
    .values({ ...values, ...password, created_at_us: 1, updated_at_us: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  ada = id;
});

/** One of the servers, by turns. */
const server = (place: number) => servers[place % servers.length] ?? commands;

function newTokens() {
  issued += 1;
  return { accessHash: `access ${issued}`, refreshHash: `refresh ${issued}` };
}

async function logIn(verified = VERIFIED): Promise<string> {
  const tokens = newTokens();
  const login = { userRowId: ada, verified, upgraded: null, tokens, times: TIMES, subject: SUBJECT };
  await commands.login(NOBODY, login);
  return tokens.refreshHash;
}

const renew = (spentHash: string, on = commands) =>
  on.refresh(SERVER, { spentHash, tokens: newTokens(), times: TIMES });

const expectRefusal = (error: unknown) => expect(error).toMatchObject({ code: 'unauthenticated' });

const countOf = async (table: string) => (await engine.rows(`SELECT * FROM ${table}`)).length;

describe('commands of signing in', () => {
  it('spend a refresh token once, whichever server is asked', async () => {
    for (let round = 0; round < 10; round++) {
      const spent = await logIn();
      const outcomes = await Promise.all([0, 1, 2, 3].map((place) => renew(spent, server(place))));
      expect(outcomes.filter((outcome) => typeof outcome === 'object')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'reused')).toHaveLength(3);
    }
    // A spent refresh token and a new pair of tokens each time.
    expect([await countOf('sign_ins'), await countOf('sign_in_tokens')]).toEqual([10, 30]);
  });

  it('leave no token of a sign-in that ends while it is renewed', async () => {
    for (let round = 0; round < 10; round++) {
      const spent = await logIn();
      await Promise.all([renew(spent, server(0)), server(1).logout(ADMIN, { userRowId: ada })]);
      expect([await countOf('sign_ins'), await countOf('sign_in_tokens')]).toEqual([0, 0]);
    }
  });

  it('leave no sign-in with a password that changes meanwhile', async () => {
    for (let round = 0; round < 10; round++) {
      await engine.exec(`UPDATE users SET password_hash = 'h'`);
      const change = (engines.at(-1) ?? engine).records.transact(async ({ db }) => {
        await db
          .updateTable('users')
          .set({ password_hash: `h ${round}` })
          .where('id', '=', ada)
          .execute();
        await endSignIns(db, ada);
      });
      await Promise.all([logIn().catch(expectRefusal), change]);
      expect(await countOf('sign_ins')).toBe(0);
    }
  });

  it('count attempts of all servers together, and never more than the maximum', async () => {
    const input = { subject: SUBJECT, maximum: 5 };
    const counted = await Promise.all(
      Array.from({ length: 20 }, (_, place) => server(place).countAttempt(SERVER, input)),
    );
    expect(counted.filter(({ kind }) => kind === 'counted')).toHaveLength(5);
    expect(counted.filter((one) => one.kind === 'counted' && one.isLast)).toHaveLength(1);
    expect(await server(1).countAttempt(SERVER, input)).toMatchObject({ kind: 'locked' });
  });

  it('give an attempt back, and the lock that it led to', async () => {
    const input = { subject: SUBJECT, maximum: 2 };
    await commands.countAttempt(SERVER, input);
    expect(await commands.countAttempt(SERVER, input)).toEqual({ kind: 'counted', isLast: true });
    await commands.takeBackAttempt(SERVER, { subject: SUBJECT });
    expect(await commands.countAttempt(SERVER, input)).toEqual({ kind: 'counted', isLast: true });
    await commands.takeBackAttempt(SERVER, { subject: 'nobody' });
  });

  it('unlock an account with all of its browsers, and leave others alone', async () => {
    const subjects = [
      SUBJECT,
      `viewer:${ada}`,
      `browser:${ada}:x`,
      `browser:${ada}0:x`,
      emailSubject('bob@example.com'),
    ];
    for (const subject of subjects) await commands.countAttempt(SERVER, { subject, maximum: 1 });
    await commands.unlock(ADMIN, { userRowId: ada });
    const left = (await engine.rows('SELECT subject FROM sign_in_attempts')).map(({ subject }) => String(subject));
    expect(left.toSorted()).toEqual(subjects.slice(3).toSorted());
    const [row] = await engine.rows(`SELECT object_type, object_name FROM audit_events`);
    expect(row).toEqual({ object_type: 'User', object_name: 'ada' });
    await expect(commands.unlock(ADMIN, { userRowId: 99 })).rejects.toMatchObject({
      code: 'not_found',
      message: 'User not found',
    });
    await expect(commands.unlock(userCaller('member'), { userRowId: ada })).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });

  it('leave nothing in the log of what is no sign-in', async () => {
    await commands.countAttempt(SERVER, { subject: SUBJECT, maximum: 5 });
    await commands.takeBackAttempt(SERVER, { subject: SUBJECT });
    await commands.tidy(SERVER, { limit: 1 });
    expect(await renew('unknown')).toBe('ended');
    await commands.endReused(SERVER, { spentHash: 'unknown' });
    await logIn({ ...VERIFIED, hash: 'another' }).catch(expectRefusal);
    const rows = await engine.rows('SELECT operation FROM audit_events');
    expect(rows).toEqual([]);
  });
});
