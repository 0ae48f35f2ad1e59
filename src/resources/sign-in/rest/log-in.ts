/** Signing in with a password. */
import { AppError } from '#base/errors';
import { personCaller } from '#credentials/acting-callers';
import { browserSubject, emailSubject } from '#credentials/attempts';
import type { AuthServices } from '#credentials/port';
import type { ShownCookies } from '#credentials/session-cookies';
import { type GivenTokens, issueTokens, tokensOf } from '#credentials/sign-in-tokens';
import { hashToken } from '#credentials/tokens';
import type { Caller } from '#domain/caller';
import { signInPolicy } from '../policy.ts';
import { findAccount, type SigningAccount } from '../queries.ts';
import type { SignInParts } from './parts.ts';

/** What a person types in. */
export interface TypedIn {
  readonly email?: string | null | undefined;
  readonly password?: string | null | undefined;
}

/** The tokens, and what the browser is known by from now on; `null` where it is known. */
export interface LoggedIn extends GivenTokens {
  readonly known: string | null;
}

/**
 * Signs in with a password. Whether there is such an account shows neither in the answer nor in the time that it takes.
 * @throws AppError `unauthenticated`; `permission_denied` where passwords are off; `resource_exhausted` for too many attempts, or
 * too many that failed
 */
export async function logIn(
  parts: SignInParts,
  caller: Caller,
  { email: typedEmail, password }: TypedIn,
  cookies: ShownCookies,
): Promise<LoggedIn> {
  const { auth, readPrimary } = parts;
  if (auth.config.passwords.isDisabled) throw new AppError('permission_denied', 'Signing in with a password is off.');
  const email = typedEmail?.trim().toLowerCase() ?? '';
  if (email === '' || password == null || password === '') {
    throw new AppError('unauthenticated', 'Email and password required');
  }
  const account = await findAccount(readPrimary(caller).db, { email });
  const known = account === undefined ? null : await knownBrowser(auth, account, cookies.known);
  const subject = known ?? emailSubject(email);
  const attempt = { caller, subject, userRowId: account?.rowId ?? null };
  try {
    auth.rateLimits.countAccount('sign-in', subject);
    const given = await auth.attempts.make(attempt, () => checkPassword(parts, caller, { account, password, subject }));
    if (given === null) throw new AppError('unauthenticated', 'Invalid email and/or password');
    return { ...given, known: known === null ? given.newBrowser : null };
  } catch (error) {
    if (error instanceof AppError && REFUSED.has(error.code)) noteRefused(auth, caller, account);
    throw error;
  }
}

/** Codes of attempts that are in the log of who did what, beside those that succeed. */
const REFUSED: ReadonlySet<string> = new Set(['unauthenticated', 'resource_exhausted']);

function noteRefused({ refusals }: AuthServices, caller: Caller, account: SigningAccount | undefined): void {
  const { operation } = signInPolicy.login;
  if (account === undefined) refusals.note({ caller, operation });
  else refusals.note({ caller, operation, objectType: 'User', objectId: account.rowId, objectName: account.username });
}

interface Check {
  readonly account: SigningAccount | undefined;
  readonly password: string;
  readonly subject: string;
}

/** The tokens of a new sign-in; `null` for a wrong password. */
async function checkPassword(
  { auth, commands }: SignInParts,
  caller: Caller,
  { account, password, subject }: Check,
): Promise<(GivenTokens & { readonly newBrowser: string }) | null> {
  const verified = account?.password ?? null;
  const { isRight, isOutdated } = await auth.passwords.verify(password, verified);
  if (!isRight || account === undefined || verified === null) return null;
  const upgraded = isOutdated ? await auth.passwords.hash(password) : null;
  const { rowId } = account;
  const { texts, hashes } = await issueTokens(auth, rowId);
  const login = { userRowId: rowId, verified, upgraded, tokens: hashes, subject, times: auth.config.signIn };
  const times = await commands.login(personCaller(account, caller), login);
  const { text: newBrowser } = await tokensOf(auth).issue('KnownBrowser', String(rowId));
  return { ...texts, times, newBrowser };
}

/** What attempts of a browser count for that signed in to the account before; `null` for all others. */
async function knownBrowser(
  auth: AuthServices,
  { rowId }: SigningAccount,
  text: string | undefined,
): Promise<string | null> {
  const token = text === undefined ? undefined : await tokensOf(auth).read(text);
  if (text === undefined || token?.kind !== 'KnownBrowser' || token.subject !== String(rowId)) return null;
  return browserSubject(rowId, hashToken(text));
}
