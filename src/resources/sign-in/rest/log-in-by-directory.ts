/** Signing in with a directory. */
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '#base/errors';
import { guardCaller, personCaller } from '#credentials/acting-callers';
import { browserSubject, emailSubject } from '#credentials/attempts';
import type { AuthServices, Directory } from '#credentials/port';
import type { ShownCookies } from '#credentials/session-cookies';
import { issueTokens, tokensOf } from '#credentials/sign-in-tokens';
import { hashToken } from '#credentials/tokens';
import type { Caller } from '#domain/caller';
import { signInPolicy } from '../policy.ts';
import type { LoggedIn } from './log-in.ts';
import type { SignInParts } from './parts.ts';

/** What a person types in. */
export interface TypedName {
  readonly username?: string | null | undefined;
  readonly password?: string | null | undefined;
}

/**
 * Signs in with the directory. Whether it knows the name shows neither in the answer nor in the time that it takes.
 * @throws AppError `unauthenticated`; `unavailable` where there is no directory, or it does not answer, which is no failed attempt;
 * `resource_exhausted` for too many attempts, or too many that failed
 */
export async function logInByDirectory(
  parts: SignInParts,
  caller: Caller,
  { username, password }: TypedName,
  cookies: ShownCookies,
): Promise<LoggedIn> {
  const { auth } = parts;
  const { directory } = auth;
  if (directory === null) {
    throw new AppError('unavailable', 'This server has no directory (LDAP) to sign in with.');
  }
  const name = username?.trim() ?? '';
  if (name === '' || password == null || password === '') {
    throw new AppError('unauthenticated', 'Username and password required');
  }
  const ofName = emailSubject(foldName(name));
  const known = await knownBrowser(auth, ofName, cookies.known);
  const subject = known ?? ofName;
  const attempt = { caller, subject, userRowId: null };
  try {
    auth.rateLimits.countAccount('sign-in', subject);
    const given = await auth.attempts.make(attempt, async () => {
      // Directories differ in what an unknown name costs; whatever is refused takes at least this long.
      const earliest = delay(REFUSAL_MS, undefined, { ref: false });
      const loggedIn = await ask(parts, caller, { directory, name, password, subject });
      if (loggedIn === null) await earliest;
      return loggedIn;
    });
    if (given === null) throw new AppError('unauthenticated', 'Invalid username and/or password');
    return { ...given, known: known === null ? given.newBrowser : null };
  } catch (error) {
    if (error instanceof AppError && REFUSED.has(error.code)) {
      auth.refusals.note({ caller, operation: signInPolicy.loginByDirectory.operation });
    }
    throw error;
  }
}

/** More than directories take to compare a password. */
const REFUSAL_MS = 400;

/** Codes of attempts that are in the log of who did what, beside those that succeed. */
const REFUSED: ReadonlySet<string> = new Set(['unauthenticated', 'resource_exhausted']);

interface Asked {
  readonly directory: Directory;
  readonly name: string;
  readonly password: string;
  readonly subject: string;
}

/** The tokens of a new sign-in; `null` for somebody who is not let in. */
async function ask({ auth, commands }: SignInParts, caller: Caller, { directory, name, password, subject }: Asked) {
  const person = await directory.authenticate(name, password);
  if (person === null) return null;
  const { email, uniqueId, role } = person;
  if (role === null) {
    await commands.barByDirectory(guardCaller(caller), { email, uniqueId });
    directory.logRefusal('none of the groups with a role fits');
    return null;
  }
  const { allowsSignUp } = directory;
  try {
    const proven = { person: { ...person, role }, name, allowsSignUp };
    const account = await commands.syncFromDirectory(guardCaller(caller), proven);
    const { rowId } = account;
    const { texts, hashes } = await issueTokens(auth, rowId);
    const login = { userRowId: rowId, tokens: hashes, subject, times: auth.config.signIn };
    const times = await commands.loginByDirectory(personCaller(account, caller), login);
    const { text: newBrowser } = await tokensOf(auth).issue('KnownBrowser', `${rowId} ${emailSubject(foldName(name))}`);
    return { ...texts, times, newBrowser };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unauthenticated') throw error;
    // The password was right, which only the log tells.
    directory.logRefusal(error.message);
    return null;
  }
}

/** What attempts of a browser count for that signed in with the same name before; `null` for all others. */
async function knownBrowser(auth: AuthServices, ofName: string, text: string | undefined): Promise<string | null> {
  const token = text === undefined ? undefined : await tokensOf(auth).read(text);
  const [rowId, name] = token?.kind === 'KnownBrowser' ? (token.subject?.split(' ') ?? []) : [];
  return text === undefined || name !== ofName ? null : browserSubject(Number(rowId), hashToken(text));
}

/** Directories take many spellings for one name, which have one count of attempts. @see https://www.rfc-editor.org/rfc/rfc4518 */
function foldName(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/[\p{M}\p{Cf}\p{Cc}]/gu, '');
  return plain.replaceAll(/\s+/gu, ' ').trim().toLowerCase();
}
