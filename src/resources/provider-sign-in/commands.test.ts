import { describe, expect, it } from 'vitest';
import { systemCaller } from '#domain/caller';
import type { ProvenIdentity, ProvenRole } from '#domain/provider-sign-in';
import { remoteCommands } from '#store/commands/remote-commands';
import { runCommandsOn } from '#store/commands/run-commands.fixture';
import { openTestEngine } from '#store/engine/open-test-engine.fixture';
import { type ProviderSignInCommands, providerSignInCommands } from './commands.ts';
import { providerSignInPolicy } from './policy.ts';

const SERVER = systemCaller('test');
const ADA: ProvenIdentity = {
  issuer: 'https://id.example.com',
  subject: 'ada',
  email: 'ada@example.com',
  isEmailTrusted: true,
  name: 'Ada',
  pictureUrl: null,
};

async function open() {
  const engine = await openTestEngine();
  const commands = remoteCommands<ProviderSignInCommands>(
    providerSignInPolicy,
    runCommandsOn(engine, [providerSignInCommands]),
  );
  const provider = { clientId: 'cairn', isOnlyWithClient: true, allowsSignUp: true };
  const role: ProvenRole = { ofNew: 'VIEWER', ofExisting: null };
  return {
    engine,
    commands,
    admit: (identity: Partial<ProvenIdentity> = {}, more: object = {}, ofRole = role) =>
      commands.admit(SERVER, { provider: { ...provider, ...more }, identity: { ...ADA, ...identity }, role: ofRole }),
    prepare: (more: object) =>
      engine.db
        .insertInto('users')
        .values({
          username: 'prepared',
          email: 'prepared@example.com',
          role: 'MEMBER',
          auth_method: 'OAUTH2',
          created_at_us: 1,
          updated_at_us: 1,
          ...more,
        })
        .execute(),
  };
}

describe('accounts of people of a provider', () => {
  it('are made once, however many browsers come back at once', async () => {
    const { admit, engine } = await open();
    const admitted = await Promise.all([admit(), admit(), admit()]);
    expect(new Set(admitted.map((one) => ('rowId' in one ? one.rowId : null))).size).toBe(1);
    expect(await engine.rows('SELECT username, email, role FROM users')).toEqual([
      { username: 'Ada', email: 'ada@example.com', role: 'VIEWER' },
    ]);
  });

  it('are others at another issuer, also with the same subject', async () => {
    const { admit } = await open();
    const [here, there] = [
      await admit(),
      await admit({ issuer: 'https://other.example.com', email: 'other@example.com' }),
    ];
    expect(here).not.toEqual(there);
    expect(await admit({ issuer: 'https://third.example.com' })).toMatchObject({ refused: 'email_in_use' });
  });

  it('keep the role that an administrator gave, unless the provider decides about roles', async () => {
    const { admit, engine } = await open();
    await admit();
    await engine.db.updateTable('users').set({ role: 'ADMIN' }).execute();
    expect(await admit()).toMatchObject({ role: 'admin' });
    expect(await admit({}, {}, { ofNew: 'MEMBER', ofExisting: 'MEMBER' })).toMatchObject({ role: 'member' });
  });

  it('keep their address where the provider does not vouch for another one', async () => {
    const { admit, engine } = await open();
    await admit();
    await admit({ email: 'new@example.com', isEmailTrusted: false });
    expect(await engine.rows('SELECT email FROM users')).toEqual([{ email: 'ada@example.com' }]);
    await admit({ email: 'new@example.com' });
    expect(await engine.rows('SELECT email FROM users')).toEqual([{ email: 'new@example.com' }]);
  });

  it('end their sign-ins, and what applications were granted with them, when the settings let them in no more', async () => {
    const { admit, commands, engine } = await open();
    const ada = await admit();
    const eve = await admit({ subject: 'eve', email: 'eve@example.com' });
    const times = { accessTokenUs: 1e6, refreshTokenUs: 1e6, sessionUs: 1e6 };
    for (const [account, subject] of [
      [ada, 'ada'],
      [ada, 'ada'],
      [eve, 'eve'],
    ] as const) {
      if (!('rowId' in account)) throw new Error('not admitted');
      const tokens = { accessHash: `${Math.random()}`, refreshHash: `${Math.random()}` };
      const { issuer } = ADA;
      await commands.signIn(SERVER, { userRowId: account.rowId, identity: { issuer, subject }, tokens, times });
    }
    await commands.bar(SERVER, { issuer: 'https://other.example.com', subject: 'ada' });
    expect(await engine.rows('SELECT user_id FROM sign_ins')).toHaveLength(3);
    await commands.bar(SERVER, { issuer: ADA.issuer, subject: 'ada' });
    expect(await engine.rows('SELECT user_id FROM sign_ins')).toEqual([{ user_id: 'rowId' in eve ? eve.rowId : 0 }]);
  });

  it('have names that nobody has, without characters that hide', async () => {
    const { admit, engine } = await open();
    await admit({ name: '\u202e\u0000 ' });
    await admit({ subject: 'b', email: 'b@example.com', name: 'ada' });
    const [first, second] = await engine.rows('SELECT username FROM users ORDER BY id');
    expect(first).toEqual({ username: 'ada' });
    expect(second?.['username']).toMatch(/^ada \d{5}$/);
  });
});

describe('accounts that were prepared', () => {
  it('are bound at the first sign-in, and belong to nobody else then', async () => {
    const { admit, prepare } = await open();
    await prepare({ email: ADA.email });
    expect(await admit()).toMatchObject({ username: 'prepared', role: 'member' });
    expect(await admit({ subject: 'another' })).toMatchObject({ refused: 'email_in_use' });
    expect(await admit({ issuer: 'https://other.example.com' })).toMatchObject({ refused: 'email_in_use' });
    expect(await admit({ email: 'new@example.com' })).toMatchObject({ username: 'prepared' });
  });

  it.each([
    ['an address that the provider does not vouch for', {}, { isEmailTrusted: false }],
    ['another client', { oauth2_client_id: 'another' }, {}],
    ['another subject', { oauth2_client_id: 'cairn', oauth2_user_id: 'another' }, {}],
    ['a directory', { auth_method: 'LDAP' }, {}],
  ])('are not given to %s', async (_what, row, identity) => {
    const { admit, prepare } = await open();
    await prepare({ email: ADA.email, ...row });
    expect(await admit(identity)).toMatchObject({ refused: 'email_in_use' });
    expect(await admit(identity, { allowsSignUp: false })).toMatchObject({ refused: 'sign_in_not_allowed' });
  });

  it('for a subject need a client that only one provider has, and one account for it', async () => {
    const { admit, prepare } = await open();
    const named = { oauth2_client_id: 'cairn', oauth2_user_id: 'ada' };
    await prepare(named);
    expect(await admit({}, { isOnlyWithClient: false, allowsSignUp: false })).toHaveProperty('refused');
    await prepare({ ...named, username: 'twin', email: 'twin@example.com' });
    expect(await admit({}, { allowsSignUp: false })).toHaveProperty('refused');
  });
});

describe('a state', () => {
  it('is spent once, and forgotten when it is good no longer', async () => {
    const { commands, engine } = await open();
    const later = Date.now() * 1000 + 60e6;
    const spend = (hash: string, expiresAtUs = later) => commands.spendState(SERVER, { hash, expiresAtUs });
    expect((await Promise.all([spend('a'), spend('a')])).sort()).toEqual([false, true]);
    expect(await spend('old', 1)).toBe(true);
    expect(await spend('b')).toBe(true);
    expect(await engine.rows('SELECT hash FROM spent_states ORDER BY hash')).toEqual([{ hash: 'a' }, { hash: 'b' }]);
  });
});

describe('a sign-in', () => {
  it('is refused where the account is gone, or is another’s', async () => {
    const { admit, commands, engine } = await open();
    const ada = await admit();
    const tokens = { accessHash: 'a', refreshHash: 'r' };
    const times = { accessTokenUs: 1e9, refreshTokenUs: 1e9, sessionUs: 1e9 };
    const signIn = (identity: ProvenIdentity) =>
      commands.signIn(SERVER, { userRowId: 'rowId' in ada ? ada.rowId : 0, identity, tokens, times });
    await expect(signIn({ ...ADA, subject: 'another' })).rejects.toMatchObject({ code: 'unauthenticated' });
    await engine.db.deleteFrom('users').execute();
    await expect(signIn(ADA)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await engine.rows('SELECT id FROM sign_ins')).toEqual([]);
  });
});
