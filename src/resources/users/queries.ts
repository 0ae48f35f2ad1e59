/** Reads accounts. */
import type { Kysely } from 'kysely';
import type { OffsetWindow } from '#api/graphql/connection';
import type { StoredPassword } from '#credentials/port';
import { UNUSABLE_ALGORITHM } from '#credentials/unusable-password';
import { type Account, BUILT_IN_ADMIN } from '#domain/account';
import type { Tables } from '#store/schema/tables';
import type { ReadHandle } from '../slice.ts';

/** What an account is read from; {@link toAccount} makes it one. */
export const ACCOUNT_COLUMNS = [
  'id as rowId',
  'username',
  'email',
  'role',
  'auth_method as authMethod',
  'password_needs_reset as passwordNeedsReset',
  'profile_picture_url as profilePictureUrl',
  'oauth2_client_id as oauth2ClientId',
  'oauth2_user_id as oauth2UserId',
  'created_at_us as createdAtUs',
  'updated_at_us as updatedAtUs',
] as const;

/** An account as it is read. */
export type AccountRow = Omit<Account, 'passwordNeedsReset'> & { readonly passwordNeedsReset: number };

/** The account of a row. */
export function toAccount(row: AccountRow): Account {
  return { ...row, passwordNeedsReset: row.passwordNeedsReset === 1 };
}

/** By row id. Index: primary key. */
export async function findAccounts(
  { db, dialect }: ReadHandle,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, Account>> {
  const query = db.selectFrom('users').select(ACCOUNT_COLUMNS).where('id', 'in', dialect.numbersOf(rowIds));
  return new Map((await query.execute()).map((row) => [row.rowId, toAccount(row)]));
}

/** The account of the system. Index: `one_system_user`. */
export async function findSystemAccount({ db }: Pick<ReadHandle, 'db'>): Promise<Account | undefined> {
  const row = await db.selectFrom('users').select(ACCOUNT_COLUMNS).where('role', '=', 'SYSTEM').executeTakeFirst();
  return row && toAccount(row);
}

/** By its address in lower case. Index: `users_by_email`. */
export async function findAccountByEmail(db: Kysely<Tables>, email: string): Promise<Account | undefined> {
  const row = await db.selectFrom('users').select(ACCOUNT_COLUMNS).where('email', '=', email).executeTakeFirst();
  return row && toAccount(row);
}

/** All of them, newest first, from that row on. Index: primary key. */
export async function listAccounts(
  { db }: Pick<ReadHandle, 'db'>,
  { limit, fromRowId }: { readonly limit: number; readonly fromRowId: number | null },
): Promise<{ readonly accounts: readonly Account[]; readonly nextRowId: number | null }> {
  let query = db.selectFrom('users').select(ACCOUNT_COLUMNS).orderBy('id', 'desc');
  if (fromRowId !== null) query = query.where('id', '<=', fromRowId);
  const rows = await query.limit(limit + 1).execute();
  return { accounts: rows.slice(0, limit).map(toAccount), nextRowId: rows[limit]?.rowId ?? null };
}

/** How many people have an account. */
export async function countPeople({ db }: Pick<ReadHandle, 'db'>): Promise<number> {
  const query = db.selectFrom('users').select(({ fn }) => fn.countAll<number>().as('count'));
  return (await query.where('role', '!=', 'SYSTEM').executeTakeFirstOrThrow()).count;
}

/** Accounts of people by e-mail. Index: `users_by_email`. */
export async function browsePeople(
  { db }: Pick<ReadHandle, 'db'>,
  { offset, limit }: OffsetWindow,
): Promise<readonly Account[]> {
  const query = db.selectFrom('users').select(ACCOUNT_COLUMNS).where('role', '!=', 'SYSTEM');
  const rows = await query.orderBy('email').orderBy('id').limit(limit).offset(offset).execute();
  return rows.map(toAccount);
}

/** What is stored of somebody's password; `null` for accounts without one, and where there is no such account. */
export async function findStoredPassword(db: Kysely<Tables>, rowId: number): Promise<StoredPassword | null> {
  const row = await db
    .selectFrom('users')
    .select(['password_hash as hash', 'password_salt as salt', 'password_algorithm as algorithm'])
    .where('id', '=', rowId)
    .executeTakeFirst();
  const { hash = null, salt = null, algorithm = null } = row ?? {};
  return hash === null || salt === null || algorithm === null ? null : { hash, salt, algorithm };
}

/** Accounts that sign in with a password, before one is chosen. A short look through all accounts. */
export async function findWithoutPassword(db: Kysely<Tables>): Promise<ReadonlySet<number>> {
  const rows = await db.selectFrom('users').select('id').where('password_algorithm', '=', UNUSABLE_ALGORITHM).execute();
  return new Set(rows.map(({ id }) => id));
}

/** An account that anybody may have made. */
export type PlantedAccount = Pick<Account, 'username' | 'email' | 'role'>;

/** Those that nobody was told of yet. One short look through all accounts. */
export function findPlanted(db: Kysely<Tables>): Promise<readonly PlantedAccount[]> {
  const users = db.selectFrom('users').select(['username', 'email', 'role']);
  return users.where('was_made_while_open', '=', 1).orderBy('id').execute();
}

/** What a server that starts finds. */
export interface FoundAtStart {
  readonly hasSystem: boolean;
  readonly hasAdmin: boolean;
  /** Whether the built-in administrator is there and has no password yet. */
  readonly lacksPassword: boolean;
  /** Names and addresses, of those asked about, that somebody has. */
  readonly taken: ReadonlySet<string>;
  /** Whether there are accounts that anybody may have made, and nobody was told of. */
  readonly hasPlanted: boolean;
}

/** Indexes: `one_system_user`, `users_by_email`, `users_by_username`; two short looks through all accounts. */
export async function findAtStart(
  db: Kysely<Tables>,
  names: readonly string[],
  emails: readonly string[],
): Promise<FoundAtStart> {
  const users = db.selectFrom('users');
  const [system, admin, builtIn, planted, named] = await Promise.all([
    users.select('id').where('role', '=', 'SYSTEM').executeTakeFirst(),
    users.select('id').where('role', '=', 'ADMIN').limit(1).executeTakeFirst(),
    users.select('password_algorithm as algorithm').where('email', '=', BUILT_IN_ADMIN.email).executeTakeFirst(),
    users.select('id').where('was_made_while_open', '=', 1).limit(1).executeTakeFirst(),
    names.length === 0
      ? []
      : users
          .select(['username', 'email'])
          .where((is) => is.or([is('username', 'in', names), is('email', 'in', emails)]))
          .execute(),
  ]);
  return {
    hasSystem: system !== undefined,
    hasAdmin: admin !== undefined,
    lacksPassword: builtIn?.algorithm === UNUSABLE_ALGORITHM,
    taken: new Set(named.flatMap(({ username, email }) => [username, email ?? ''])),
    hasPlanted: planted !== undefined,
  };
}
