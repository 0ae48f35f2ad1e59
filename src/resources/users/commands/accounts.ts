/** What commands on accounts have in common. */
import { AppError } from '#base/errors';
import type { StoredPassword } from '#credentials/port';
import type { Account, AccountRole, AuthMethod } from '#domain/account';
import type { Caller } from '#domain/caller';
import type { RecordScope } from '#store/commands/command';
import { ACCOUNT_COLUMNS, type AccountRow, toAccount } from '../queries.ts';

/** An account to be stored. */
export interface NewRow {
  readonly username: string;
  readonly email: string;
  readonly role: AccountRole;
  readonly authMethod: AuthMethod;
  /** Of LOCAL ones alone. */
  readonly password: StoredPassword | null;
  readonly oauth2ClientId?: string | null;
  readonly oauth2UserId?: string | null;
  readonly isMadeWhileOpen?: boolean;
}

/**
 * Begins a change of accounts: others wait until it ends, so that what it reads of names, addresses and roles stays so.
 * @throws AppError `permission_denied` for an administrator who is none any more
 */
export async function lockAccounts(scope: RecordScope, caller: Caller): Promise<void> {
  await scope.lock('users');
  if (caller.kind !== 'user') return;
  const query = scope.db.selectFrom('users').select('role').where('id', '=', caller.rowId);
  if ((await query.executeTakeFirst())?.role === 'ADMIN') return;
  throw new AppError('permission_denied', 'Only admin can perform this action');
}

/** The account, as nobody else changes it before the transaction ends. */
export async function findAccount({ db }: RecordScope, rowId: number): Promise<Account | undefined> {
  const row = await db.selectFrom('users').select(ACCOUNT_COLUMNS).where('id', '=', rowId).executeTakeFirst();
  return row && toAccount(row);
}

/** Stores an account whose name and address are free. */
export async function insertAccount({ db, nowUs }: RecordScope, account: NewRow): Promise<Account> {
  const { username, email, role, authMethod, password, oauth2ClientId, oauth2UserId, isMadeWhileOpen } = account;
  const row: AccountRow = await db
    .insertInto('users')
    .values({
      username,
      email,
      role,
      auth_method: authMethod,
      ...passwordColumns(password),
      password_needs_reset: authMethod === 'LOCAL' && role !== 'SYSTEM' ? 1 : 0,
      oauth2_client_id: oauth2ClientId ?? null,
      oauth2_user_id: oauth2UserId ?? null,
      was_made_while_open: isMadeWhileOpen === true ? 1 : 0,
      created_at_us: nowUs,
      updated_at_us: nowUs,
    })
    .returning(ACCOUNT_COLUMNS)
    .executeTakeFirstOrThrow();
  return toAccount(row);
}

/** What a password is in a row. */
export function passwordColumns(password: StoredPassword | null) {
  return {
    password_hash: password?.hash ?? null,
    password_salt: password?.salt ?? null,
    password_algorithm: password?.algorithm ?? null,
  };
}

/** @throws AppError `already_exists` */
export async function assertNameIsFree({ db }: RecordScope, username: string, besidesRowId = 0): Promise<void> {
  const query = db.selectFrom('users').select('id').where('username', '=', username).where('id', '!=', besidesRowId);
  if ((await query.executeTakeFirst()) === undefined) return;
  throw new AppError('already_exists', 'A user with this username already exists.');
}

/** @throws AppError `already_exists` */
export async function assertEmailIsFree({ db }: RecordScope, email: string): Promise<void> {
  const query = db.selectFrom('users').select('id').where('email', '=', email);
  if ((await query.executeTakeFirst()) === undefined) return;
  throw new AppError('already_exists', 'A user with this e-mail address already exists.');
}

/** Refuses what would leave no administrator. @throws AppError `failed_precondition` */
export async function assertAdminIsLeft({ db, dialect }: RecordScope, losing: readonly Account[]): Promise<void> {
  const leaving = losing.filter(({ role }) => role === 'ADMIN').map(({ rowId }) => rowId);
  if (leaving.length === 0) return;
  const query = db.selectFrom('users').select('id').where('role', '=', 'ADMIN');
  if ((await query.where('id', 'not in', dialect.numbersOf(leaving)).executeTakeFirst()) !== undefined) return;
  throw new AppError('failed_precondition', 'There must be an administrator: make somebody else one first.');
}

/** For the log of who did what. */
export function noteAccount(scope: RecordScope, { rowId, username }: Account, changes?: readonly string[]): void {
  scope.note({ object: { type: 'User', id: rowId, name: username }, ...(changes !== undefined && { changes }) });
}
