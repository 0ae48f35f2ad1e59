/** Changes of the tokens that new passwords are chosen with, and of passwords by them. */
import { type Kysely, sql } from 'kysely';
import { AppError } from '#base/errors';
import { unlockAccount } from '#credentials/attempts';
import type { StoredPassword } from '#credentials/port';
import { endSignIns } from '#credentials/sign-ins';
import { defineCommands, recordCommand } from '#store/commands/command';
import { keepRows } from '#store/records/keep-rows';
import type { Tables } from '#store/schema/tables';
import { passwordResetPolicy } from './policy.ts';
import { findToken } from './queries.ts';

/** A token that is to be stored. */
export interface NewToken {
  /** In lower case. */
  readonly email: string;
  readonly hash: string;
  /** How long it is good, in microseconds. */
  readonly goodForUs: number;
}

/** The commands. */
export const passwordResetCommands = defineCommands(passwordResetPolicy, {
  /**
   * Stores the token for the account with that address, in place of the one before, and returns the name of the account. Where
   * there is none, or it has no password here, it stores the token for the account of the system, for which it is no good, and returns
   * null: the time it takes tells nothing. Nothing else is kept of that, or anybody could fill the log.
   */
  request: recordCommand(async (scope, _caller, { email, hash, goodForUs }: NewToken): Promise<string | null> => {
    const { db, dialect, nowUs } = scope;
    const found = await withPassword(db).select('id').where('email', '=', email).executeTakeFirst();
    const kept = await keepRows(scope, 'users', found === undefined ? [] : [found.id]);
    const account = await withPassword(db)
      .select(['id', 'username'])
      .where('id', 'in', dialect.numbersOf(kept))
      .executeTakeFirst();
    await db
      .insertInto('password_reset_tokens')
      .columns(['user_id', 'hash', 'expires_at_us'])
      .expression(
        (account === undefined
          ? db.selectFrom('users').where('role', '=', 'SYSTEM')
          : withPassword(db).where('id', '=', account.id)
        ).select(['id', sql<string>`${hash}`.as('hash'), sql<number>`${nowUs + goodForUs}`.as('expires_at_us')]),
      )
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet((builder) => ({
          hash: builder.ref('excluded.hash'),
          expires_at_us: builder.ref('excluded.expires_at_us'),
        })),
      )
      .execute();
    if (account === undefined) return null;
    scope.note({ object: { type: 'User', id: account.id, name: account.username } });
    return account.username;
  }),

  /**
   * Gives the account of a token another password: the token is spent, all sign-ins end, and nobody is locked out any more. Keys stay.
   * @throws AppError `unauthenticated` where the token is good no longer
   */
  choose: recordCommand(
    async (scope, _caller, { hash, password }: { hash: string; password: StoredPassword }): Promise<void> => {
      const { db, dialect, nowUs } = scope;
      const account = await findToken(db, hash, nowUs);
      if (account === undefined) throw invalidToken();
      const { rowId, username } = account;
      await dialect.lockRows(db, { table: 'users', rowIds: dialect.numbersOf([rowId]), isShared: false });
      const spent = await db
        .deleteFrom('password_reset_tokens')
        .where('user_id', '=', rowId)
        .where('hash', '=', hash)
        .returning('user_id')
        .executeTakeFirst();
      const changed = await db
        .updateTable('users')
        .set({
          password_hash: password.hash,
          password_salt: password.salt,
          password_algorithm: password.algorithm,
          password_needs_reset: 0,
          updated_at_us: nowUs,
        })
        .where('id', '=', rowId)
        .where('auth_method', '=', 'LOCAL')
        .returning('id')
        .executeTakeFirst();
      if (spent === undefined || changed === undefined) throw invalidToken();
      await endSignIns(db, rowId);
      await unlockAccount(scope, account);
      scope.note({ object: { type: 'User', id: rowId, name: username }, changes: ['password'] });
    },
  ),
});

/** What callers in other threads get. */
export type PasswordResetCommands = typeof passwordResetCommands;

/** What is answered to a token that is wrong, was spent or replaced, or has expired. */
export function invalidToken(): AppError {
  return new AppError('unauthenticated', 'Invalid token: ask for another mail.');
}

/** Accounts that sign in with a password here. */
function withPassword(db: Kysely<Tables>) {
  return db.selectFrom('users').where('auth_method', '=', 'LOCAL').where('role', '<>', 'SYSTEM');
}
