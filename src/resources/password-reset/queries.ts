/** The tokens that new passwords are chosen with. */
import type { Kysely } from 'kysely';
import type { LockableAccount } from '#credentials/attempts';
import type { Tables } from '#store/schema/tables';

/** The account of a token that is good; it has a password here. Index: `password_reset_tokens_by_hash`. */
export function findToken(
  db: Kysely<Tables>,
  hash: string,
  nowUs: number,
): Promise<(LockableAccount & { readonly username: string }) | undefined> {
  return db
    .selectFrom('password_reset_tokens as token')
    .innerJoin('users', 'users.id', 'token.user_id')
    .select(['users.id as rowId', 'users.username', 'users.email'])
    .where('token.hash', '=', hash)
    .where('token.expires_at_us', '>', nowUs)
    .where('users.auth_method', '=', 'LOCAL')
    .where('users.role', '<>', 'SYSTEM')
    .executeTakeFirst();
}
