/** Accounts of people whom a directory knows, and their sign-ins. */
import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { AppError } from '#base/errors';
import { forgetAttempts } from '#credentials/attempts';
import type { DirectoryPerson } from '#credentials/port';
import { addSignIn, endSignIns, type NewTokens, type SignInTimes, type TokenTimes } from '#credentials/sign-ins';
import { checkUsername, type PersonRole } from '#domain/account';
import { type RecordScope, recordCommand } from '#store/commands/command';
import type { UsersTable } from '#store/schema/account-tables';
import { findAccount, type SigningAccount } from '../queries.ts';

/** Whom a directory lets in. */
type AdmittedPerson = DirectoryPerson & { readonly role: PersonRole };

/** Somebody who showed a directory the right password. */
interface ProvenPerson {
  readonly person: AdmittedPerson;
  /** What was entered. */
  readonly name: string;
  /** Whether people without an account get one. */
  readonly allowsSignUp: boolean;
}

/** A sign-in of such a person. */
interface DirectoryLogin {
  readonly userRowId: number;
  readonly tokens: NewTokens;
  readonly times: SignInTimes;
  /** What the attempt was counted for. */
  readonly subject: string;
}

type UserRow = Selectable<UsersTable>;

/** The commands. */
export const directoryCommands = {
  /**
   * The account of a person, as the directory has it now. An account that an administrator prepared for the address becomes that of the
   * first person with it, and of nobody else after that.
   * @throws AppError `unauthenticated` where the person cannot have an account here
   */
  syncFromDirectory: recordCommand(async (scope, _caller, proven: ProvenPerson): Promise<SigningAccount> => {
    await scope.lock('users');
    const found = await findRow(scope, proven.person);
    const rowId =
      found === undefined ? await addAccount(scope, proven) : await changeAccount(scope, found, proven.person);
    const account = await findAccount(scope.db, { rowId });
    if (account === undefined) throw refused('the account was deleted meanwhile');
    return account;
  }),

  /** Ends the sign-ins of a person whom the directory lets in no more, and with them what applications were granted. */
  barByDirectory: recordCommand(async (scope, _caller, person: Pick<DirectoryPerson, 'email' | 'uniqueId'>) => {
    const { db, dialect } = scope;
    const row = await findOwnRow(scope, person);
    if (row === undefined) return;
    await dialect.lockRows(db, { table: 'users', rowIds: dialect.numbersOf([row.id]), isShared: false });
    await endSignIns(db, row.id);
    scope.note({ object: { type: 'User', id: row.id, name: row.username } });
  }),

  /** Adds a sign-in. @throws AppError `unauthenticated` where the account is gone */
  loginByDirectory: recordCommand(async (scope, _caller, login: DirectoryLogin): Promise<TokenTimes> => {
    const { userRowId, tokens, times, subject } = login;
    const { db, dialect } = scope;
    await dialect.lockRows(db, { table: 'users', rowIds: dialect.numbersOf([userRowId]), isShared: false });
    const account = await findAccount(db, { rowId: userRowId });
    if (account === undefined || account.password !== null)
      throw refused('the account was deleted or changed meanwhile');
    await forgetAttempts(db, subject);
    scope.note({ object: { type: 'User', id: userRowId, name: account.username } });
    return addSignIn(scope, userRowId, tokens, times);
  }),
};

type KnownBy = Pick<DirectoryPerson, 'email' | 'uniqueId'>;

/** The account that a person has, or that was prepared. @throws AppError `unauthenticated` where the address is somebody else's */
async function findRow(scope: RecordScope, person: KnownBy): Promise<UserRow | undefined> {
  const { byId, byEmail } = await findRows(scope, person);
  if (byId !== undefined || byEmail === undefined) return byId;
  // Nobody takes over an account that signs in otherwise, or that is bound to somebody who had the address before.
  if (byEmail.auth_method !== 'LDAP') {
    throw refused(`${person.email} belongs to an account that signs in in another way (${byEmail.auth_method})`);
  }
  if (isOfAnother(byEmail, person)) {
    throw refused(`${person.email} belongs to the account of somebody else in the directory`);
  }
  return byEmail;
}

/** The same without one that is somebody else's. */
async function findOwnRow(scope: RecordScope, person: KnownBy): Promise<UserRow | undefined> {
  const { byId, byEmail } = await findRows(scope, person);
  return byId ?? (byEmail?.auth_method === 'LDAP' && !isOfAnother(byEmail, person) ? byEmail : undefined);
}

/** Indexes: `users_by_ldap_id`, `users_by_email`. */
async function findRows({ db }: RecordScope, { uniqueId, email }: KnownBy) {
  const users = db.selectFrom('users').selectAll();
  const byId = uniqueId === null ? undefined : await users.where('ldap_unique_id', '=', uniqueId).executeTakeFirst();
  const byEmail =
    byId !== undefined || email === null ? undefined : await users.where('email', '=', email).executeTakeFirst();
  return { byId, byEmail };
}

function isOfAnother(row: UserRow, { uniqueId }: KnownBy): boolean {
  return uniqueId !== null && row.ldap_unique_id !== null && row.ldap_unique_id !== uniqueId;
}

async function addAccount(scope: RecordScope, { person, name, allowsSignUp }: ProvenPerson): Promise<number> {
  if (!allowsSignUp) throw refused(`${person.email ?? 'a user without an address'} has no account, and sign-up is off`);
  const { db, nowUs } = scope;
  const { email, uniqueId, role } = person;
  const username = await freeUsername(scope, person.displayName ?? name, name);
  const { id } = await db
    .insertInto('users')
    .values({
      username,
      email,
      role,
      auth_method: 'LDAP',
      ldap_unique_id: uniqueId,
      created_at_us: nowUs,
      updated_at_us: nowUs,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  scope.note({ object: { type: 'User', id, name: username }, changes: ['username', 'email', 'role', 'auth_method'] });
  return id;
}

/** Role and address follow the directory at each sign-in, the username never. */
async function changeAccount(scope: RecordScope, row: UserRow, person: AdmittedPerson): Promise<number> {
  const { db, nowUs } = scope;
  const { id } = row;
  const email = person.email ?? row.email;
  const uniqueId = row.ldap_unique_id ?? person.uniqueId;
  const changes = [
    ...(email === row.email ? [] : ['email']),
    ...(person.role === row.role ? [] : ['role']),
    ...(uniqueId === row.ldap_unique_id ? [] : ['ldap_unique_id']),
  ];
  if (changes.length === 0) return id;
  if (email !== row.email && email !== null) {
    const other = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
    if (other !== undefined)
      throw refused(`${row.username} is ${email} in the directory now, which another account has`);
  }
  await db
    .updateTable('users')
    .set({ email, role: person.role, ldap_unique_id: uniqueId, updated_at_us: nowUs })
    .where('id', '=', id)
    .execute();
  scope.note({ object: { type: 'User', id, name: row.username }, changes });
  return id;
}

/** What the directory calls somebody, or else what was entered, with a mark where somebody else is called so. */
async function freeUsername({ db }: RecordScope, displayName: string, name: string): Promise<string> {
  const wanted = usernameOf(displayName) ?? usernameOf(name) ?? 'directory user';
  const taken = await db.selectFrom('users').select('id').where('username', '=', wanted).executeTakeFirst();
  return taken === undefined ? wanted : `${wanted} (${randomBytes(3).toString('hex')})`;
}

function usernameOf(text: string): string | null {
  try {
    return checkUsername(text.trim().slice(0, LONGEST));
  } catch {
    return null; // nothing that can be shown
  }
}

/** With room for a mark. */
const LONGEST = 180;

/** @param reason for the log: the person is not told */
function refused(reason: string): AppError {
  return new AppError('unauthenticated', reason);
}
