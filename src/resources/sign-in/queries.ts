/** Reads what signing in asks. */
import type { Kysely } from 'kysely';
import type { StoredPassword } from '#credentials/port';
import { CALLER_ROLES } from '#domain/account';
import type { Role } from '#domain/caller';
import type { Tables } from '#store/schema/tables';

/** An account of a person, as it signs in. */
export interface SigningAccount {
  readonly rowId: number;
  readonly username: string;
  readonly email: string | null;
  readonly role: Role;
  readonly mustChangePassword: boolean;
  /** `null` for accounts that do not sign in with a password. */
  readonly password: StoredPassword | null;
}

/** By its row or its address in lower case; the account of the system is none. Indexes: primary key, `users_by_email`. */
export async function findAccount(
  db: Kysely<Tables>,
  by: { readonly rowId: number } | { readonly email: string },
): Promise<SigningAccount | undefined> {
  const [column, value] = 'email' in by ? (['email', by.email] as const) : (['id', by.rowId] as const);
  const row = await db.selectFrom('users').selectAll().where(column, '=', value).executeTakeFirst();
  if (row === undefined || row.role === 'SYSTEM') return undefined;
  const { password_hash: hash, password_salt: salt, password_algorithm: algorithm } = row;
  const isLocal = row.auth_method === 'LOCAL' && hash !== null && salt !== null && algorithm !== null;
  return {
    rowId: row.id,
    username: row.username,
    email: row.email,
    role: CALLER_ROLES[row.role],
    mustChangePassword: row.password_needs_reset === 1,
    password: isLocal ? { hash, salt, algorithm } : null,
  };
}

/** Whether an account is signed in anywhere. Index: `sign_ins_of_user`. */
export async function isSignedIn(db: Kysely<Tables>, userRowId: number): Promise<boolean> {
  const query = db.selectFrom('sign_ins').select('id').where('user_id', '=', userRowId).limit(1);
  return (await query.executeTakeFirst()) !== undefined;
}
