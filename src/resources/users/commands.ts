/** Changes of accounts. Rules over several of them hold, since each command that could break one waits for the others. */
import { AppError } from '#base/errors';
import { forgetAttempts, unlockAccount, viewerSubject } from '#credentials/attempts';
import type { StoredPassword } from '#credentials/port';
import { endAccessByPassword, endSignIns } from '#credentials/sign-ins';
import { assertPasswordIsChosen } from '#domain/access';
import { type Account, checkEmail, checkUsername, isBuiltInAdmin, type PersonRole } from '#domain/account';
import { defineCommands, growing, recordCommand } from '#store/commands/command';
import {
  assertAdminIsLeft,
  assertEmailIsFree,
  assertNameIsFree,
  findAccount,
  insertAccount,
  lockAccounts,
  type NewRow,
  noteAccount,
  passwordColumns,
} from './commands/accounts.ts';
import { prepareAccounts } from './commands/prepare.ts';
import { userPolicy } from './policy.ts';
import { ACCOUNT_COLUMNS, findAccountByEmail, findStoredPassword, toAccount } from './queries.ts';

/** An account that somebody makes. */
export type NewAccount = Omit<NewRow, 'role' | 'isMadeWhileOpen'> & { readonly role: PersonRole };

/** What an administrator changes about an account; what is left out stays. */
export interface AccountPatch {
  readonly rowId: number;
  readonly role?: PersonRole | undefined;
  readonly username?: string | undefined;
  /** To be changed again by whose account it is. */
  readonly password?: StoredPassword | undefined;
}

/** What people change about their own account. */
export interface ProfilePatch {
  readonly username?: string | undefined;
  /** The new password, and the hash of the one that they showed. */
  readonly password?: { readonly shownHash: string; readonly next: StoredPassword } | undefined;
}

/** The commands. */
export const userCommands = defineCommands(growing(userPolicy, 'create'), {
  /** @throws AppError `invalid_argument` for a name or an address that is none; `already_exists` */
  create: recordCommand(async (scope, caller, { email, username, ...rest }: NewAccount): Promise<Account> => {
    const checked = { ...rest, username: checkUsername(username), email: checkEmail(email) };
    await lockAccounts(scope, caller);
    await assertEmailIsFree(scope, checked.email);
    await assertNameIsFree(scope, checked.username);
    const account = await insertAccount(scope, { ...checked, isMadeWhileOpen: caller.kind === 'anonymous' });
    noteAccount(scope, account, ['username', 'email', 'role', 'auth_method']);
    return account;
  }),

  /** @throws AppError `not_found`, `permission_denied`, `already_exists`, `failed_precondition`, `invalid_argument` */
  patch: recordCommand(async (scope, caller, { rowId, role, username, password }: AccountPatch): Promise<Account> => {
    const name = username === undefined ? undefined : checkUsername(username);
    await lockAccounts(scope, caller);
    const account = await findAccount(scope, rowId);
    if (account === undefined || account.role === 'SYSTEM') throw noSuchUser();
    if (role !== undefined && isBuiltInAdmin(account)) {
      throw new AppError('permission_denied', 'Cannot modify role for the default admin user');
    }
    if (role !== undefined && caller.kind === 'user' && caller.rowId === rowId) {
      throw new AppError('permission_denied', 'Cannot modify own role');
    }
    if (password !== undefined && account.authMethod !== 'LOCAL') throw noPassword();
    if (role !== undefined && role !== 'ADMIN') await assertAdminIsLeft(scope, [account]);
    if (name !== undefined) await assertNameIsFree(scope, name, rowId);
    const patched = await scope.db
      .updateTable('users')
      .set({
        updated_at_us: scope.nowUs,
        ...(role !== undefined && { role }),
        ...(name !== undefined && { username: name }),
        ...(password !== undefined && { ...passwordColumns(password), password_needs_reset: 1 }),
      })
      .where('id', '=', rowId)
      .returning(ACCOUNT_COLUMNS)
      .executeTakeFirstOrThrow();
    const isOtherRole = role !== undefined && role !== account.role;
    if (isOtherRole) await endSignIns(scope.db, rowId);
    if (password !== undefined) {
      await endAccessByPassword(scope.db, rowId);
      await unlockAccount(scope, account);
    }
    noteAccount(scope, account, [
      ...(isOtherRole ? ['role'] : []),
      ...(name !== undefined && name !== account.username ? ['username'] : []),
      ...(password !== undefined ? ['password'] : []),
    ]);
    return toAccount(patched);
  }),

  /**
   * A new password ends all sign-ins of the account.
   * @throws AppError `permission_denied` for callers without an account, and where a new password must come first; `not_found`, `already_exists`, `invalid_argument`;
   * `failed_precondition` where the password has changed since it was shown
   */
  patchViewer: recordCommand(async (scope, caller, { username, password }: ProfilePatch): Promise<Account> => {
    if (caller.kind !== 'user') throw new AppError('permission_denied', 'Only people have a profile to change.');
    if (password === undefined) assertPasswordIsChosen(caller);
    const { rowId } = caller;
    const name = username === undefined ? undefined : checkUsername(username);
    await scope.lock('users');
    const account = await findAccount(scope, rowId);
    if (account === undefined) throw noSuchUser();
    if (name !== undefined) await assertNameIsFree(scope, name, rowId);
    if (password !== undefined && (await findStoredPassword(scope.db, rowId))?.hash !== password.shownHash) {
      throw new AppError('failed_precondition', 'The password was changed in the meantime: sign in again.');
    }
    const patched = await scope.db
      .updateTable('users')
      .set({
        updated_at_us: scope.nowUs,
        ...(name !== undefined && { username: name }),
        ...(password !== undefined && { ...passwordColumns(password.next), password_needs_reset: 0 }),
      })
      .where('id', '=', rowId)
      .returning(ACCOUNT_COLUMNS)
      .executeTakeFirstOrThrow();
    if (password !== undefined) {
      await endAccessByPassword(scope.db, rowId);
      await forgetAttempts(scope.db, viewerSubject(rowId));
    }
    noteAccount(scope, account, [
      ...(name !== undefined && name !== account.username ? ['username'] : []),
      ...(password !== undefined ? ['password'] : []),
    ]);
    return toAccount(patched);
  }),

  /** One, as REST does. @throws AppError `not_found`, `permission_denied`, `failed_precondition` */
  delete: recordCommand(async (scope, caller, rowId: number): Promise<void> => {
    await lockAccounts(scope, caller);
    const account = await findAccount(scope, rowId);
    if (account === undefined) throw noSuchUser();
    if (isBuiltInAdmin(account) || account.role === 'SYSTEM') {
      throw new AppError('permission_denied', 'Cannot delete the default admin or system user');
    }
    await assertAdminIsLeft(scope, [account]);
    await scope.db.deleteFrom('users').where('id', '=', rowId).execute();
    noteAccount(scope, account);
  }),

  /** All of them or none, as GraphQL does. @throws AppError `not_found`, `permission_denied`, `failed_precondition` */
  remove: recordCommand(async (scope, caller, rowIds: readonly number[]): Promise<void> => {
    await lockAccounts(scope, caller);
    const wanted = scope.dialect.numbersOf(rowIds);
    const rows = await scope.db
      .selectFrom('users')
      .select(ACCOUNT_COLUMNS)
      .where('id', 'in', wanted)
      .where('role', '!=', 'SYSTEM')
      .orderBy('id')
      .execute();
    const accounts = rows.map(toAccount);
    if (accounts.some(isBuiltInAdmin)) {
      throw new AppError('permission_denied', 'Cannot delete the default admin user');
    }
    if (accounts.length < new Set(rowIds).size) throw new AppError('not_found', 'Some user IDs could not be found');
    await assertAdminIsLeft(scope, accounts);
    await scope.db.deleteFrom('users').where('id', 'in', wanted).execute();
    for (const account of accounts) noteAccount(scope, account);
  }),

  /** What {@link prepareAccounts} does. */
  prepare: recordCommand((scope, _caller, input: Parameters<typeof prepareAccounts>[1]) =>
    prepareAccounts(scope, input),
  ),

  /** By the owner of the server, who lost another way in. @throws AppError `not_found`, `failed_precondition` */
  resetPassword: recordCommand(
    async (scope, _caller, { email, password }: { readonly email: string; readonly password: StoredPassword }) => {
      await scope.lock('users');
      const account = await findAccountByEmail(scope.db, email);
      if (account === undefined || account.role === 'SYSTEM') {
        throw new AppError('not_found', `There is no user with the e-mail address ${email}.`);
      }
      if (account.authMethod !== 'LOCAL') throw noPassword();
      const { rowId } = account;
      await scope.db
        .updateTable('users')
        .set({ ...passwordColumns(password), password_needs_reset: 1, updated_at_us: scope.nowUs })
        .where('id', '=', rowId)
        .execute();
      await endAccessByPassword(scope.db, rowId);
      await unlockAccount(scope, account);
      noteAccount(scope, account, ['password']);
    },
  ),
});

/** What callers in other threads get. */
export type UserCommands = typeof userCommands;

function noSuchUser(): AppError {
  return new AppError('not_found', 'User not found');
}

function noPassword(): AppError {
  return new AppError('failed_precondition', 'This user signs in with another service and has no password here.');
}
