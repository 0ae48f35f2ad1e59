/** Changes of sign-ins, and of attempts to sign in. */
import { AppError } from '#base/errors';
import {
  type CountedAttempt,
  countAttempt,
  deleteOldAttempts,
  forgetAttempts,
  takeBackAttempt,
  touchAttempts,
  unlockAccount,
} from '#credentials/attempts';
import type { StoredPassword } from '#credentials/port';
import {
  addSignIn,
  deleteEndedSignIns,
  endReusedSignIn,
  endSignIns,
  type NewTokens,
  renewSignIn,
  type SignInTimes,
  type TokenTimes,
} from '#credentials/sign-ins';
import type { Account } from '#domain/account';
import { defineCommands, type RecordScope, recordCommand } from '#store/commands/command';
import { directoryCommands } from './commands/directory.ts';
import { findAccounts } from '../users/queries.ts';
import { findAccount } from './queries.ts';
import { signInPolicy } from './policy.ts';

/** A sign-in with a password that was right. */
interface Login {
  readonly userRowId: number;
  /** What the password was compared with. */
  readonly verified: StoredPassword;
  /** The same password, where it should be stored in another way. */
  readonly upgraded: StoredPassword | null;
  readonly tokens: NewTokens;
  readonly times: SignInTimes;
  /** What the attempt was counted for. */
  readonly subject: string;
}

/** The commands. */
export const signInCommands = defineCommands(signInPolicy, {
  /** Adds a sign-in. @throws AppError `unauthenticated` where the password has changed since it was compared */
  login: recordCommand(async (scope, _caller, login: Login): Promise<TokenTimes> => {
    const { userRowId, verified, upgraded, tokens, times, subject } = login;
    const { db, dialect } = scope;
    await dialect.lockRows(db, { table: 'users', rowIds: dialect.numbersOf([userRowId]), isShared: false });
    const account = await findAccount(db, { rowId: userRowId });
    if (account?.password?.hash !== verified.hash || account.password.salt !== verified.salt) {
      throw new AppError('unauthenticated', 'Invalid email and/or password');
    }
    if (upgraded !== null) {
      const { hash, salt, algorithm } = upgraded;
      await db
        .updateTable('users')
        .set({ password_hash: hash, password_salt: salt, password_algorithm: algorithm })
        .where('id', '=', userRowId)
        .execute();
    }
    await forgetAttempts(db, subject);
    noteAccount(scope, { rowId: userRowId, username: account.username });
    return addSignIn(scope, userRowId, tokens, times);
  }),

  ...directoryCommands,

  /** Spends a refresh token for new tokens. `ended` where the token is good no longer, `reused` where it was spent before. */
  refresh: recordCommand(
    (
      scope,
      _caller,
      { spentHash, tokens, times }: { spentHash: string; tokens: NewTokens; times: SignInTimes },
    ): Promise<TokenTimes | 'ended' | 'reused'> => renewSignIn(scope, spentHash, tokens, times),
  ),

  /** Ends the sign-in of a refresh token that was spent before: somebody has a copy of it. */
  endReused: recordCommand(async (scope, _caller, { spentHash }: { spentHash: string }): Promise<void> => {
    const rowId = await endReusedSignIn(scope, spentHash);
    if (rowId !== undefined) await noteAccountOf(scope, rowId);
  }),

  /** Ends all sign-ins of an account. */
  logout: recordCommand(async (scope, _caller, { userRowId }: { userRowId: number }): Promise<void> => {
    await endSignIns(scope.db, userRowId);
    await noteAccountOf(scope, userRowId);
  }),

  countAttempt: recordCommand(
    (scope, _caller, { subject, maximum }: { subject: string; maximum: number }): Promise<CountedAttempt> =>
      countAttempt(scope, subject, maximum),
  ),

  takeBackAttempt: recordCommand(
    (scope, _caller, { subject }: { subject: string }): Promise<void> => takeBackAttempt(scope, subject),
  ),

  /**
   * Notes that an account was locked by the last attempt. Of an address without one nothing is kept, or anybody could fill the log;
   * it costs a write all the same, so that the time tells nothing.
   */
  lock: recordCommand(
    async (scope, _caller, { subject, userRowId }: { subject: string; userRowId: number | null }): Promise<void> => {
      await touchAttempts(scope, subject);
      if (userRowId !== null) await noteAccountOf(scope, userRowId);
    },
  ),

  /** Lets somebody sign in again who was locked out. @throws AppError `not_found` */
  unlock: recordCommand(async (scope, _caller, { userRowId }: { userRowId: number }): Promise<Account> => {
    const account = (await findAccounts(scope, [userRowId])).get(userRowId);
    if (account === undefined || account.role === 'SYSTEM') throw new AppError('not_found', 'User not found');
    await unlockAccount(scope, account);
    noteAccount(scope, account);
    return account;
  }),

  /** Deletes some of what is no longer good. */
  tidy: recordCommand(async (scope, _caller, { limit }: { limit: number }): Promise<void> => {
    await deleteEndedSignIns(scope, limit);
    await deleteOldAttempts(scope, limit);
  }),
});

/** What callers in other threads get. */
export type SignInCommands = typeof signInCommands;

async function noteAccountOf(scope: RecordScope, rowId: number): Promise<void> {
  const account = await findAccount(scope.db, { rowId });
  if (account !== undefined) noteAccount(scope, account);
}

function noteAccount(scope: RecordScope, { rowId, username }: { rowId: number; username: string }): void {
  scope.note({ object: { type: 'User', id: rowId, name: username } });
}
