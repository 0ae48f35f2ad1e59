/** Tokens that this server gives out: signed texts with a random id, of which only a digest is stored. */
import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { Secret } from '#base/secret';

/** What a token is for; begins its id. */
export type TokenKind = (typeof KINDS)[number];

/** A new token, and what is stored of it. */
export interface IssuedToken {
  readonly text: string;
  readonly hash: string;
}

/** Issues and checks tokens with keys that follow from one secret. */
export class Tokens {
  readonly #key: Uint8Array;

  constructor(secret: Secret) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret.reveal(), '', 'cairn tokens', 32));
  }

  /** A token that nobody can guess, and that says nothing but its kind. */
  async issue(kind: TokenKind, subject?: string): Promise<IssuedToken> {
    const token = new SignJWT({ ...(subject !== undefined && { sub: subject }) })
      .setProtectedHeader({ typ: 'JWT', alg: ALGORITHM })
      .setJti(`${kind}:${randomBytes(24).toString('base64url')}`);
    const text = await token.sign(this.#key);
    return { text, hash: hashToken(text) };
  }

  /**
   * The kind and the subject of a token that was signed with the secret; `undefined` for any other text. Whether it is still good
   * only the tables know.
   */
  async read(text: string): Promise<{ readonly kind: TokenKind; readonly subject: string | undefined } | undefined> {
    if (text.length > MAX_CHARACTERS) return undefined;
    try {
      const { payload } = await jwtVerify(text, this.#key, { algorithms: [ALGORITHM], typ: 'JWT' });
      const kind = KINDS.find((known) => payload.jti?.startsWith(`${known}:`) === true);
      return kind === undefined ? undefined : { kind, subject: payload.sub };
    } catch {
      return undefined; // whatever is wrong with it, it is no token of ours
    }
  }
}

/** What is stored of a token: it has so much chance in it that a plain digest tells nothing. */
export function hashToken(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

const ALGORITHM = 'HS256';

const KINDS = [
  'AccessToken',
  'RefreshToken',
  'PasswordResetToken',
  'ApiKey',
  'KnownBrowser',
  // Of applications: no cookie holds them, and they renew no browser's sign-in.
  'GrantAccessToken',
  'GrantRefreshToken',
  'GrantCode',
] as const;

/** Several times what one has. */
const MAX_CHARACTERS = 1024;
