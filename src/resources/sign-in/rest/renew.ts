/** What becomes of a sign-in: it is renewed, ended, and at last deleted. */
import { AppError } from '#base/errors';
import { guardCaller, personCaller } from '#credentials/acting-callers';
import { findAccessToken } from '#credentials/find-credentials';
import type { ShownCookies } from '#credentials/session-cookies';
import { type GivenTokens, issueTokens } from '#credentials/sign-in-tokens';
import { hashToken } from '#credentials/tokens';
import type { Caller } from '#domain/caller';
import { findAccount, isSignedIn } from '../queries.ts';
import { type SignInParts, userOfRefreshToken } from './parts.ts';

/**
 * Renews the tokens of a browser.
 * @throws AppError `unauthenticated`, also where the account is gone; `resource_exhausted`
 */
export async function renew(
  { auth, commands }: SignInParts,
  caller: Caller,
  { refresh }: ShownCookies,
): Promise<GivenTokens> {
  if (refresh === undefined) throw new AppError('unauthenticated', 'Missing refresh token');
  const userRowId = await userOfRefreshToken(auth, refresh);
  if (userRowId === undefined) throw new AppError('unauthenticated', 'Invalid refresh token');
  auth.rateLimits.countAccount('refresh', String(userRowId));
  const guard = guardCaller(caller);
  const spentHash = hashToken(refresh);
  const { texts, hashes } = await issueTokens(auth, userRowId);
  const renewed = await commands.refresh(guard, { spentHash, tokens: hashes, times: auth.config.signIn });
  if (typeof renewed === 'object') return { ...texts, times: renewed };
  if (renewed === 'reused') await commands.endReused(guard, { spentHash });
  throw new AppError('unauthenticated', 'Expired refresh token');
}

/** Ends all sign-ins of the account that a browser shows any token of, also a refresh token that is good no longer. */
export async function logOut(
  { auth, readPrimary, commands }: SignInParts,
  caller: Caller,
  { access, refresh }: Pick<ShownCookies, 'access' | 'refresh'>,
): Promise<void> {
  const { db } = readPrimary(caller);
  const signedIn = access === undefined ? undefined : await findAccessToken(db, hashToken(access));
  // An application gives up what it holds, and signs nobody out.
  const userRowId =
    (signedIn?.grant === null ? signedIn.user.rowId : undefined) ??
    (refresh === undefined ? undefined : await userOfRefreshToken(auth, refresh));
  if (userRowId === undefined || !(await isSignedIn(db, userRowId))) return;
  auth.rateLimits.countAccount('sign-out', String(userRowId));
  const account = await findAccount(db, { rowId: userRowId });
  if (account !== undefined) await commands.logout(personCaller(account, caller), { userRowId });
}

/** Deletes what is no longer good, a little of it in each minute with requests. */
export class Tidying {
  readonly #commands: SignInParts['commands'];
  #nextMs = 0;

  constructor(commands: SignInParts['commands']) {
    this.#commands = commands;
  }

  /** Does it where it is due. */
  async tidy(caller: Caller): Promise<void> {
    const nowMs = performance.now();
    if (nowMs < this.#nextMs) return;
    this.#nextMs = nowMs + 60_000;
    await this.#commands.tidy(guardCaller(caller), { limit: 500 });
  }
}
