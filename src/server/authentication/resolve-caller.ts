/** Who sends a request: an API key or a token in a header, an access token in a cookie, or the administrator's secret. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Credentials, ResolveCaller } from '#api/caller';
import { AppError } from '#base/errors';
import type { Secret } from '#base/secret';
import {
  findAccessToken,
  findKey,
  findSignIn,
  findSystemUserRowId,
  type FoundKey,
  type FoundSignIn,
} from '#credentials/find-credentials';
import { readCookies } from '#credentials/session-cookies';
import { hashToken, type Tokens } from '#credentials/tokens';
import { type Caller, NOBODY } from '#domain/caller';
import type { Tables } from '#store/schema/tables';
import { type Verdict, VerifiedCallers } from './verified-callers.ts';

/** What callers are resolved with. */
export interface ResolverOptions {
  readonly tokens: Tokens;
  readonly adminSecret: Secret | null;
  /** Reads the primary. */
  readonly db: Kysely<Tables>;
  /** Told of each use of a key. */
  readonly noteKeyUse: (keyRowId: number) => void;
}

/** Resolves callers, and forgets them. */
export class CallerResolver {
  readonly #options: ResolverOptions;
  readonly #verified = new VerifiedCallers();
  readonly #adminDigest: Buffer | null;

  constructor(options: ResolverOptions) {
    this.#options = options;
    this.#adminDigest = options.adminSecret === null ? null : digest(options.adminSecret.reveal());
  }

  /**
   * The caller of a request. A header wins over the cookie, whatever it says.
   * @throws AppError `unauthenticated` for credentials that are wrong or expired, `unavailable` while they cannot be looked up
   */
  readonly resolve: ResolveCaller = async (credentials) => {
    const shown = readCredential(credentials);
    if (shown === null) return NOBODY;
    const { text, isCookie } = shown;
    const caller = await this.#judge(`${isCookie ? 'cookie' : 'bearer'} ${text}`, () => this.#lookUp(text, isCookie));
    if (!isMeantFor(caller, credentials.path)) throw INVALID.refusal;
    return caller;
  };

  /**
   * Whether the credentials that a caller came with still stand for the same caller, also after the token that showed them has been
   * renewed.
   */
  async stillHolds(caller: Caller): Promise<boolean> {
    const lookUp = this.#lookUpAgain(caller);
    if (lookUp === null) return true;
    const verdict = await this.#verified.find(lookUp.credential, async () => verdictOf(await lookUp.find()));
    return 'caller' in verdict && isGood(verdict) && isSame(verdict.caller, caller);
  }

  /** Has everybody looked up again, because accounts, sign-ins or keys have changed. */
  forget(): void {
    this.#verified.forget();
  }

  async #judge(credential: string, lookUp: () => Promise<Verdict>): Promise<Caller> {
    const verdict = await this.#verified.find(credential, lookUp);
    if ('refusal' in verdict) throw verdict.refusal;
    if (!isGood(verdict)) throw expired();
    const { caller } = verdict;
    const keyRowId = keyRowIdOf(caller);
    if (keyRowId !== null) this.#options.noteKeyUse(keyRowId);
    return caller;
  }

  async #lookUp(text: string, isCookie: boolean): Promise<Verdict> {
    const { tokens, db } = this.#options;
    if (!isCookie && this.#adminDigest !== null && timingSafeEqual(digest(text), this.#adminDigest)) {
      const rowId = await findSystemUserRowId(db);
      return rowId === undefined
        ? INVALID
        : { caller: { kind: 'admin_secret', role: 'admin', rowId }, expiresAtUs: null };
    }
    const token = await tokens.read(text);
    if (token?.kind === 'AccessToken') return verdictOf(await findAccessToken(db, hashToken(text)));
    if (token?.kind === 'GrantAccessToken' && !isCookie) return verdictOf(await findAccessToken(db, hashToken(text)));
    if (token?.kind === 'ApiKey' && !isCookie) return verdictOf(await findKey(db, { hash: hashToken(text) }));
    return INVALID;
  }

  #lookUpAgain(caller: Caller) {
    const { db } = this.#options;
    const keyRowId = keyRowIdOf(caller);
    if (keyRowId !== null) return { credential: `key ${keyRowId}`, find: () => findKey(db, { rowId: keyRowId }) };
    if (caller.kind !== 'user' || caller.credential.kind === 'key') return null;
    const { sessionRowId } = caller.credential;
    return { credential: `session ${sessionRowId}`, find: () => findSignIn(db, sessionRowId) };
  }
}

function keyRowIdOf(caller: Caller): number | null {
  if (caller.kind === 'system_key') return caller.rowId;
  return caller.kind === 'user' && caller.credential.kind === 'key' ? caller.credential.keyRowId : null;
}

function readCredential({ header }: Credentials): { readonly text: string; readonly isCookie: boolean } | null {
  const authorization = header('authorization');
  if (authorization !== undefined) {
    const [, text] = /^bearer +([\x21-\x7e]+)$/i.exec(authorization.trim()) ?? [];
    return text === undefined ? null : { text, isCookie: false };
  }
  const text = readCookies(header('cookie')).access;
  return text === undefined ? null : { text, isCookie: true };
}

function verdictOf(found: FoundSignIn | FoundKey | undefined): Verdict {
  if (found === undefined) return INVALID;
  const { expiresAtUs } = found;
  if (found.kind === 'sign_in') {
    const { mustChangePassword, ...user } = found.user;
    if (found.grant !== null) {
      // What a person may not do now, no application does for them.
      if (mustChangePassword) return INVALID;
      const credential = { kind: 'grant', sessionRowId: found.rowId, ...found.grant } as const;
      return { caller: { kind: 'user', ...user, credential }, expiresAtUs };
    }
    const credential = { kind: 'session', sessionRowId: found.rowId, mustChangePassword } as const;
    return { caller: { kind: 'user', ...user, credential }, expiresAtUs };
  }
  const { rowId, name, limits, user, systemRowId: accountRowId } = found;
  if (user === null) {
    if (accountRowId === null) return INVALID;
    return { caller: { kind: 'system_key', role: 'member', rowId, accountRowId, name, limits }, expiresAtUs };
  }
  const { mustChangePassword: _isOfSessions, ...owner } = user;
  const credential = { kind: 'key', keyRowId: rowId, name, limits } as const;
  return { caller: { kind: 'user', ...owner, credential }, expiresAtUs };
}

/** Whether what an application holds is for this path: a token for the tools of agents is good for nothing else. */
function isMeantFor(caller: Caller, path = ''): boolean {
  if (caller.kind !== 'user' || caller.credential.kind !== 'grant' || caller.credential.audience === 'server')
    return true;
  return path === '/mcp' || path.startsWith('/mcp/');
}

const INVALID = {
  refusal: new AppError(
    'unauthenticated',
    'Invalid token: you are not authenticated. Send another API key, or sign in.',
  ),
};

function expired(): AppError {
  return new AppError('unauthenticated', 'Expired token: you are not authenticated. Send another API key, or sign in.');
}

/** A token is dead from the moment on at which it expires. */
function isGood({ expiresAtUs }: { readonly expiresAtUs: number | null }): boolean {
  return expiresAtUs === null || Date.now() * 1000 < expiresAtUs;
}

function isSame(one: Caller, other: Caller): boolean {
  return JSON.stringify({ ...one, address: null }) === JSON.stringify({ ...other, address: null });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
