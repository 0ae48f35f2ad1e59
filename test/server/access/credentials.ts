/** What callers show: credentials of every kind, good and bad, put beside accounts of every role straight into the tables. */
import { createHmac } from 'node:crypto';
import { Secret } from '#base/secret';
import { hashToken, type TokenKind, Tokens } from '#credentials/tokens';
import { ASKING } from '../../harness/asking-server.ts';
import type { TestData } from '../../harness/test-data.ts';
import type { Column } from './declared.ts';

/** Why a caller is nobody. */
export type Fault = 'nothing' | 'malformed' | 'expired' | 'revoked';

/** A caller of the matrix. */
export interface Principal {
  readonly name: string;
  readonly column: Column;
  /** `null` of everybody who is known. */
  readonly fault: Fault | null;
  /** Whose session or key it is; `null` of anybody else. */
  readonly account: Account | null;
  /** As which the server knows it; `null` of nobody. */
  readonly role: Role | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** Of the server under test; the second one is another, so that what it authenticates is told apart. */
export const { SECRET, ADMIN_SECRET } = ASKING;

/** Row ids of the accounts; far from those that a server gives. */
export const ACCOUNTS = { viewer: 1001, member: 1002, admin: 1003, pending: 1004, 'pending viewer': 1005 } as const;

/** One of {@link ACCOUNTS}. */
export type Account = keyof typeof ACCOUNTS;

/** What an account may do, as the table of accounts spells it. */
export type Role = 'VIEWER' | 'MEMBER' | 'ADMIN';

const ROLES: Readonly<Record<Account, Role>> = {
  viewer: 'VIEWER',
  member: 'MEMBER',
  admin: 'ADMIN',
  pending: 'ADMIN',
  'pending viewer': 'VIEWER',
};

/** Puts rows into the tables of a server, behind its back. */
export class Credentials {
  readonly #data: TestData;
  readonly #tokens = new Tokens(new Secret(SECRET));
  /** Downwards, because servers give ids upwards. */
  #rowId = 1_000_000;

  constructor(data: TestData) {
    this.#data = data;
  }

  async addAccounts(): Promise<void> {
    for (const [name, id] of Object.entries(ACCOUNTS)) await this.addAccount(id, `the ${name}`, ROLES[name as Account]);
  }

  async addAccount(id: number, name: string, role: string): Promise<void> {
    await this.#data.change(`INSERT INTO users (id, username, email, role, auth_method, password_hash, password_salt,
      password_algorithm, password_needs_reset, created_at_us, updated_at_us)
      VALUES (${id}, '${name}', '${name.replaceAll(' ', '-')}@example.com', '${role}', 'LOCAL', 'AA==', 'AA==', 'argon2id:m=65536,t=3,p=1',
      ${name.includes('pending') ? 1 : 0}, ${NOW_US}, ${NOW_US})`);
  }

  /** Signs an account in; both tokens end at the moment. */
  async signIn(
    userId: number,
    expiresAtUs = LATER_US,
    kinds: readonly [TokenKind, TokenKind] = ['AccessToken', 'RefreshToken'],
  ): Promise<{ id: number; access: string; refresh: string }> {
    const signInId = --this.#rowId;
    await this.#data.change(`INSERT INTO sign_ins (id, user_id, created_at_us, expires_at_us)
      VALUES (${signInId}, ${userId}, ${NOW_US}, ${LATER_US})`);
    const add = async (kind: TokenKind, name: 'access' | 'refresh') => {
      const { text, hash } = await this.#tokens.issue(kind, kind === 'RefreshToken' ? String(userId) : undefined);
      await this.#data.change(`INSERT INTO sign_in_tokens (hash, sign_in_id, kind, expires_at_us)
        VALUES ('${hash}', ${signInId}, '${name}', ${expiresAtUs})`);
      return text;
    };
    return { id: signInId, access: await add(kinds[0], 'access'), refresh: await add(kinds[1], 'refresh') };
  }

  /** Makes a key of an account, or of the system. */
  async addKey(
    userId: number | null,
    limits: KeyLimitsOfTest = {},
  ): Promise<{ readonly id: number; readonly text: string }> {
    const id = --this.#rowId;
    const { text, hash } = await this.#tokens.issue('ApiKey');
    const { operations, projects, expiresAtUs = null } = limits;
    await this.#data.change(`INSERT INTO api_keys (id, hash, user_id, name, operations, is_limited_to_projects, created_at_us,
      expires_at_us) VALUES (${id}, '${hash}', ${userId}, 'key ${id}', ${operations === undefined ? null : `'${operations}'`},
      ${projects === undefined ? 0 : 1}, ${NOW_US}, ${expiresAtUs})`);
    for (const project of projects ?? []) {
      await this.#data.change(`INSERT INTO api_key_projects (api_key_id, project_id) VALUES (${id}, ${project})`);
    }
    return { id, text };
  }

  /** A token to choose a new password with. */
  async addResetToken(userId: number): Promise<string> {
    const { text, hash } = await this.#tokens.issue('PasswordResetToken');
    await this.#data.change(
      `INSERT INTO password_reset_tokens (user_id, hash, expires_at_us) VALUES (${userId}, '${hash}', ${LATER_US})`,
    );
    return text;
  }

  /** Lets an application act for an account. */
  async addGrant(userId: number): Promise<{ id: number; access: string }> {
    const { id, access } = await this.signIn(userId, LATER_US, ['GrantAccessToken', 'GrantRefreshToken']);
    await this.#data.change(`INSERT INTO oauth2_grants (sign_in_id, client_id, client_name, audience, code_hash, challenge,
      last_used_at_us) VALUES (${id}, 'phoenix-cli', 'Command line', 'server', 'code ${id}', 'challenge', ${NOW_US})`);
    return { id, access };
  }

  /** A token that is signed with another secret, and stored all the same. */
  async addForeignKey(userId: number): Promise<string> {
    const { text } = await new Tokens(new Secret(`${SECRET}, another`)).issue('ApiKey');
    await this.#data.change(`INSERT INTO api_keys (id, hash, user_id, name, created_at_us)
      VALUES (${--this.#rowId}, '${hashToken(text)}', ${userId}, 'foreign', ${NOW_US})`);
    return text;
  }
}

/** To what a key is narrowed. */
export interface KeyLimitsOfTest {
  readonly operations?: 'read' | 'ingest';
  /** Row ids. */
  readonly projects?: readonly number[];
  readonly expiresAtUs?: number;
}

/** Of the principals: the project that narrowed keys are for. */
export async function createPrincipals(credentials: Credentials, projectRowId: number): Promise<readonly Principal[]> {
  const principals: Principal[] = [];
  const add = (column: Column, account: Account | null, name: string, headers: Readonly<Record<string, string>>) => {
    // The system's keys act as a member.
    const role = account !== null ? ROLES[account] : column === 'admin secret' ? 'ADMIN' : 'MEMBER';
    principals.push({ column, fault: null, account, role, name, headers });
  };
  const addSession = async (column: Column, account: Account) => {
    const { access } = await credentials.signIn(ACCOUNTS[account]);
    add(column, account, `the cookie of ${account}`, cookie(access));
    add(column, account, `the access token of ${account}`, bearer(access));
  };
  const addKey = async (column: Column, owner: Account | null, limits?: KeyLimitsOfTest) => {
    const { text } = await credentials.addKey(owner === null ? null : ACCOUNTS[owner], limits);
    add(column, owner, `a key of ${owner ?? 'the system'}`, bearer(text));
  };
  await addSession('pending', 'pending');
  await addSession('pending', 'pending viewer');
  for (const role of ['viewer', 'member', 'admin'] as const) {
    await addSession(role, role);
    await addKey(`${role} key`, role);
  }
  // A pending change is the sign-in's: what a program does with a key goes on.
  await addKey('viewer key', 'pending viewer');
  await addKey('admin key', 'pending');
  await addKey('system key', null);
  for (const owner of ['member', 'admin', null] as const) await addKey('read key', owner, { operations: 'read' });
  for (const owner of ['member', 'admin', null] as const) await addKey('ingest key', owner, { operations: 'ingest' });
  for (const column of ['own project', 'other project'] as const) {
    for (const owner of ['member', 'admin', null] as const) await addKey(column, owner, { projects: [projectRowId] });
  }
  add('admin secret', null, 'the secret of the administrator', bearer(ADMIN_SECRET));
  return [...(await createNobodies(credentials)), ...principals];
}

/** Everything that shows nothing, or nothing that was ever good. */
async function createNobodies(credentials: Credentials): Promise<readonly Principal[]> {
  const { text: key } = await credentials.addKey(ACCOUNTS.admin);
  const { access, refresh } = await credentials.signIn(ACCOUNTS.admin);
  const expired = await credentials.signIn(ACCOUNTS.admin, EARLIER_US);
  const { text: expiredKey } = await credentials.addKey(ACCOUNTS.admin, { expiresAtUs: EARLIER_US });
  const [head = '', payload = '', signature = ''] = key.split('.');
  const unsigned = `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`;
  const nothing: Shown = { nothing: {} };
  const malformed: Shown = {
    'an empty header': { authorization: '' },
    'no token behind the scheme': { authorization: 'Bearer' },
    'another scheme': { authorization: `Basic ${key}` },
    'a name and a password': { authorization: `Basic ${Buffer.from('admin@localhost:admin').toString('base64')}` },
    'a key without its scheme': { authorization: key },
    'two keys': { authorization: `Bearer ${key}, Bearer ${key}` },
    'no token at all': bearer('nonsense'),
    'a token of 10,000 letters': bearer('a'.repeat(10_000)),
    'a truncated head': bearer(`${head.slice(0, -2)}.${payload}.${signature}`),
    'a truncated payload': bearer(`${head}.${payload.slice(0, -2)}.${signature}`),
    'a truncated signature': bearer(`${head}.${payload}.${signature.slice(0, -2)}`),
    'no signature': bearer(`${head}.${payload}.`),
    'the algorithm none': bearer(unsigned),
    'the algorithm none, with the signature': bearer(unsigned + signature),
    'another algorithm': bearer(signedWith('HS512', payload)),
    'a token of another secret': bearer(await credentials.addForeignKey(ACCOUNTS.admin)),
    'a refresh token as a bearer': bearer(refresh),
    'a refresh token as the cookie of access': cookie(refresh),
    'a refresh token alone': { cookie: `phoenix-refresh-token=${refresh}` },
    'a reset token': bearer(await credentials.addResetToken(ACCOUNTS.admin)),
    'the secret of the administrator as a cookie': cookie(ADMIN_SECRET),
    'the secret of the administrator but for a letter': bearer(ADMIN_SECRET.slice(0, -1)),
    'the secret that signs tokens': bearer(SECRET),
    'nonsense before a good cookie': { ...bearer('nonsense'), ...cookie(access) },
  };
  const timedOut: Shown = {
    'an expired access token': bearer(expired.access),
    'an expired cookie': cookie(expired.access),
    'an expired key': bearer(expiredKey),
  };
  return [...nobodies('nothing', nothing), ...nobodies('malformed', malformed), ...nobodies('expired', timedOut)];
}

/** Headers by the name of who shows them. */
export type Shown = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Callers whom nobody knows. */
export function nobodies(fault: Fault, shown: Shown): readonly Principal[] {
  return Object.entries(shown).map(([name, headers]) => ({
    column: 'none',
    fault,
    account: null,
    role: null,
    name,
    headers,
  }));
}

/** The header of a token. */
export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

/** The cookie of a session. */
export function cookie(token: string): Record<string, string> {
  return { cookie: `phoenix-access-token=${token}` };
}

function signedWith(algorithm: 'HS512', payload: string): string {
  const signed = `${encode({ alg: algorithm, typ: 'JWT' })}.${payload}`;
  return `${signed}.${createHmac('sha512', SECRET).update(signed).digest('base64url')}`;
}

function encode(json: object): string {
  return Buffer.from(JSON.stringify(json)).toString('base64url');
}

const NOW_US = 1_700_000_000_000_000;
const EARLIER_US = 1_690_000_000_000_000;
const LATER_US = 4_000_000_000_000_000;
