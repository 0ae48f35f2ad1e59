import { AppError } from '#base/errors';
import { viewerSubject } from '#credentials/attempts';
import type { AuthServices, StoredPassword } from '#credentials/port';
import { type Account, assertPassword } from '#domain/account';
import type { Caller } from '#domain/caller';
import { welcomeMail } from '#mail/account-mails';
import type { Services } from '../slice.ts';
import { findAccounts, findStoredPassword, findSystemAccount } from './queries.ts';

/** The account that a caller acts for; `undefined` while authentication is off. Keys of the system act for the system's. */
export async function findViewer(caller: Caller, { readPrimary }: Pick<Services, 'readPrimary'>) {
  if (caller.kind === 'system_key' || caller.kind === 'admin_secret') return findSystemAccount(readPrimary(caller));
  if (caller.kind !== 'user') return undefined;
  return (await findAccounts(readPrimary(caller), [caller.rowId])).get(caller.rowId);
}

/** A new password as it is stored. @throws AppError `invalid_argument` with all rules that it breaks */
export async function toStoredPassword(
  { config, passwords }: Pick<AuthServices, 'config' | 'passwords'>,
  password: string,
): Promise<StoredPassword> {
  assertPassword(password, config.passwords.isStrong);
  return passwords.hash(password);
}

/** @throws AppError `permission_denied` where the settings forbid accounts with a password */
export function assertPasswordsAreEnabled({ config }: Pick<AuthServices, 'config'>): void {
  if (!config.passwords.isDisabled) return;
  throw new AppError(
    'permission_denied',
    'SERVICE_DISABLE_BASIC_AUTH forbids accounts with a password: choose another way to sign in.',
  );
}

/** Tells the owner of a new account of it, where mail is configured; not on behalf of people whom nobody knows. */
export function sendWelcome(
  { config, mailer, rootUrl }: Pick<AuthServices, 'config' | 'mailer' | 'rootUrl'>,
  { email, username, authMethod }: Pick<Account, 'email' | 'username' | 'authMethod'>,
): void {
  if (mailer === null || rootUrl === null || email === null || !config.isEnabled) return;
  mailer.send(welcomeMail(email, { username, rootUrl, hasPassword: authMethod === 'LOCAL' }));
}

/** What somebody sends to change their own password. */
export interface PasswordChange {
  readonly next: string;
  readonly current: string;
}

/**
 * Checks the current password of a caller and makes what is stored of the next one; for the command that changes it, which looks whether
 * the current one is still the same.
 * @throws AppError `permission_denied` where the current one is wrong, `resource_exhausted` after several of those;
 * `failed_precondition`, `invalid_argument`
 */
export async function checkPasswordChange(
  caller: Caller,
  { auth, readPrimary }: Pick<Services, 'auth' | 'readPrimary'>,
  { next, current }: PasswordChange,
): Promise<{ readonly shownHash: string; readonly next: StoredPassword }> {
  const account = await findViewer(caller, { readPrimary });
  const stored = account === undefined ? null : await findStoredPassword(readPrimary(caller).db, account.rowId);
  if (account === undefined || stored === null) {
    throw new AppError('failed_precondition', 'This account has no password that could be changed.');
  }
  if (current === '') throw new AppError('invalid_argument', 'A new password needs the current password, too.');
  assertPassword(next, auth.config.passwords.isStrong);
  assertIsAnother(account, { next, current });
  const attempt = { caller, subject: viewerSubject(account.rowId), userRowId: account.rowId };
  const shown = await auth.attempts.make(attempt, async () =>
    (await auth.passwords.verify(current, stored)).isRight ? stored : null,
  );
  if (shown === null) throw new AppError('permission_denied', 'The current password is wrong.');
  return { shownHash: shown.hash, next: await auth.passwords.hash(next) };
}

/** Who must choose a new password cannot keep the old one. */
function assertIsAnother({ passwordNeedsReset }: Account, { next, current }: PasswordChange): void {
  if (passwordNeedsReset && next === current) {
    throw new AppError('invalid_argument', 'The new password must differ from the current one.');
  }
}
