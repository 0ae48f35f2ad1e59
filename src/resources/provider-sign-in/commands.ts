/** Changes that follow from signing in with a provider. */
import { AppError } from '#base/errors';
import { addSignIn, endSignIns, type NewTokens, type SignInTimes, type TokenTimes } from '#credentials/sign-ins';
import type { ProvenIdentity } from '#domain/provider-sign-in';
import { defineCommands, type RecordScope, recordCommand } from '#store/commands/command';
import {
  type Admitted,
  type Arrival,
  createAccount,
  findOwnAccount,
  type NotAdmitted,
  updateAccount,
} from './commands/accounts.ts';
import { providerSignInPolicy } from './policy.ts';
import { findBound } from './queries.ts';

/** The commands. */
export const providerSignInCommands = defineCommands(providerSignInPolicy, {
  /** Whether the state comes back for the first time. It never will again. */
  spendState: recordCommand(
    async (
      { db, nowUs },
      _caller,
      { hash, expiresAtUs }: { readonly hash: string; readonly expiresAtUs: number },
    ): Promise<boolean> => {
      await db.deleteFrom('spent_states').where('expires_at_us', '<=', nowUs).execute();
      const spent = await db
        .insertInto('spent_states')
        .values({ hash, expires_at_us: expiresAtUs })
        .onConflict((conflict) => conflict.doNothing())
        .returning('hash')
        .executeTakeFirst();
      return spent !== undefined;
    },
  ),

  /**
   * Finds the account of somebody, or makes one. It has the address, the picture and the role of the provider then. An account belongs to
   * an issuer and a subject from its first sign-in on: whoever has the same address elsewhere is somebody else.
   */
  admit: recordCommand(async (scope, _caller, arrival: Arrival): Promise<Admitted | NotAdmitted> => {
    await scope.lock('users');
    const found = await findOwnAccount(scope.db, arrival);
    if (found !== null && 'refused' in found) return found;
    return found === null ? createAccount(scope, arrival) : updateAccount(scope, found, arrival);
  }),

  /** Ends the sign-ins of somebody whom the settings let in no more, and with them what applications were granted. */
  bar: recordCommand(async (scope, _caller, identity: Pick<ProvenIdentity, 'issuer' | 'subject'>): Promise<void> => {
    const account = await findBound(scope.db, identity);
    if (account === undefined) return;
    await lockAccount(scope, account.rowId);
    await endSignIns(scope.db, account.rowId);
    scope.note({ object: { type: 'User', id: account.rowId, name: account.username } });
  }),

  /** Adds a sign-in. @throws AppError `unauthenticated` where the account is the identity's no longer */
  signIn: recordCommand(async (scope, _caller, signIn: NewProviderSignIn): Promise<TokenTimes> => {
    const { userRowId, identity, tokens, times } = signIn;
    await lockAccount(scope, userRowId);
    const account = await findBound(scope.db, identity);
    if (account?.rowId !== userRowId) throw new AppError('unauthenticated', 'The account was deleted meanwhile.');
    scope.note({ object: { type: 'User', id: userRowId, name: account.username } });
    return addSignIn(scope, userRowId, tokens, times);
  }),
});

/** What callers in other threads get. */
export type ProviderSignInCommands = typeof providerSignInCommands;

/** See the command. */
interface NewProviderSignIn {
  readonly userRowId: number;
  readonly identity: Pick<ProvenIdentity, 'issuer' | 'subject'>;
  readonly tokens: NewTokens;
  readonly times: SignInTimes;
}

/** Deleting the account waits until the sign-in is there, and takes it along. */
function lockAccount({ db, dialect }: RecordScope, rowId: number): Promise<unknown> {
  return dialect.lockRows(db, { table: 'users', rowIds: dialect.numbersOf([rowId]), isShared: false });
}
