/** Reads the accounts that a person of a provider may be. */
import type { Kysely } from 'kysely';
import type { ProvenIdentity } from '#domain/provider-sign-in';
import type { AccountRole, AuthMethod } from '#domain/account';
import type { Tables } from '#store/schema/tables';

/** An account as signing in with a provider sees it. */
export interface KnownAccount {
  readonly rowId: number;
  readonly username: string;
  readonly email: string | null;
  readonly role: AccountRole;
  readonly authMethod: AuthMethod;
  readonly pictureUrl: string | null;
  /** The three are of OAUTH2 accounts; `null` where nobody has signed in yet, as far as nobody prepared them. */
  readonly issuer: string | null;
  readonly clientId: string | null;
  readonly subject: string | null;
}

const COLUMNS = [
  'id as rowId',
  'username',
  'email',
  'role',
  'auth_method as authMethod',
  'profile_picture_url as pictureUrl',
  'oauth2_issuer as issuer',
  'oauth2_client_id as clientId',
  'oauth2_user_id as subject',
] as const;

/** The account that belongs to an identity. Index: `users_by_identity`. */
export function findBound(
  db: Kysely<Tables>,
  { issuer, subject }: Pick<ProvenIdentity, 'issuer' | 'subject'>,
): Promise<KnownAccount | undefined> {
  const query = db.selectFrom('users').select(COLUMNS);
  return query.where('oauth2_issuer', '=', issuer).where('oauth2_user_id', '=', subject).executeTakeFirst();
}

/** Accounts that were prepared for a subject of a client. Index: `users_by_prepared_identity`. */
export function findPrepared(
  db: Kysely<Tables>,
  { clientId, subject }: { readonly clientId: string; readonly subject: string },
): Promise<readonly KnownAccount[]> {
  const query = db.selectFrom('users').select(COLUMNS).where('oauth2_issuer', 'is', null);
  return query.where('oauth2_user_id', '=', subject).where('oauth2_client_id', '=', clientId).limit(2).execute();
}

/** By its address in lower case. Index: `users_by_email`. */
export function findByEmail(db: Kysely<Tables>, email: string): Promise<KnownAccount | undefined> {
  return db.selectFrom('users').select(COLUMNS).where('email', '=', email).executeTakeFirst();
}

/** Whether somebody has the name. Index: `users_by_username`. */
export async function isNameTaken(db: Kysely<Tables>, username: string): Promise<boolean> {
  return (await db.selectFrom('users').select('id').where('username', '=', username).executeTakeFirst()) !== undefined;
}
