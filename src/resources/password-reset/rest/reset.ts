/** What choosing a new password by mail consists of. */
import { UnprocessableError } from '#api/rest/unprocessable';
import { AppError } from '#base/errors';
import { guardCaller } from '#credentials/acting-callers';
import type { AuthServices } from '#credentials/port';
import { hashToken, type Tokens } from '#credentials/tokens';
import { assertPassword, normalizeEmail } from '#domain/account';
import type { Caller } from '#domain/caller';
import { resetMail } from '#mail/account-mails';
import type { CommandCalls } from '#store/commands/command';
import type { Services } from '../../slice.ts';
import { invalidToken, type PasswordResetCommands } from '../commands.ts';
import { passwordResetPolicy } from '../policy.ts';
import { findToken } from '../queries.ts';

/** What the operations work with. */
export interface PasswordResetParts extends Pick<Services, 'auth' | 'readPrimary'> {
  readonly commands: CommandCalls<PasswordResetCommands>;
}

/**
 * Sends a mail with a link to the account of an address. Whether there is one cannot be told from the answer nor from the time that
 * it takes: the mail goes out afterwards.
 * @throws AppError `permission_denied` without passwords, `unavailable` without mail, `resource_exhausted`
 */
export async function requestReset(
  { auth, commands }: PasswordResetParts,
  caller: Caller,
  given: string | null | undefined,
): Promise<void> {
  assertPasswords(auth);
  const email = normalizeEmail(given ?? '');
  if (email === '') throw new UnprocessableError('Email required');
  const { config, mailer, rateLimits, rootUrl } = auth;
  if (mailer === null || rootUrl === null) {
    throw new AppError(
      'unavailable',
      'This server cannot send mail: ask an administrator for a new password. Administrators set SERVICE_SMTP_HOSTNAME and SERVICE_ROOT_URL to change that.',
    );
  }
  rateLimits.countAccount('reset request', email);
  const { text: token, hash } = await tokensOf(auth).issue('PasswordResetToken');
  const goodForUs = config.signIn.resetTokenUs;
  const username = await commands.request(guardCaller(caller), { email, hash, goodForUs });
  const mail = resetMail(email, { username: username ?? '', rootUrl, token, minutes: goodForUs / 60_000_000 });
  if (username !== null) mailer.send(mail);
}

/**
 * Gives the account of a token another password.
 * @throws AppError `permission_denied` without passwords, `unauthenticated` for a token that is good no longer, `resource_exhausted`;
 * UnprocessableError for a password that breaks the rules, with all of them
 */
export async function choosePassword(
  { auth, readPrimary, commands }: PasswordResetParts,
  caller: Caller,
  { token = '', password }: { token?: string | null | undefined; password?: string | null | undefined },
): Promise<void> {
  assertPasswords(auth);
  if (password === undefined || password === null || password === '') throw new UnprocessableError('Password required');
  const hash = hashToken(token ?? '');
  const read = await tokensOf(auth).read(token ?? '');
  // Asked before, so that only people with a mail make the server hash; the command decides.
  const account = await findToken(readPrimary(caller).db, hash, Date.now() * 1000);
  if (read?.kind !== 'PasswordResetToken' || account === undefined) {
    auth.refusals.note({ caller, operation: passwordResetPolicy.choose.operation });
    throw invalidToken();
  }
  assertGoodPassword(password, auth.config.passwords.isStrong);
  await commands.choose(caller, { hash, password: await auth.passwords.hash(password) });
}

function assertPasswords({ config }: AuthServices): void {
  if (config.passwords.isDisabled) throw new AppError('permission_denied', 'Signing in with a password is off.');
}

/** @throws UnprocessableError with the rules that it breaks */
function assertGoodPassword(password: string, isStrong: boolean): void {
  try {
    assertPassword(password, isStrong);
  } catch (error) {
    throw error instanceof AppError && error.code === 'invalid_argument'
      ? new UnprocessableError(error.message)
      : error;
  }
}

function tokensOf({ tokens }: AuthServices): Tokens {
  if (tokens === null) throw new Error('There is no secret to sign tokens with.');
  return tokens;
}
