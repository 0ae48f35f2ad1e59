/**
 * A sign-in that a browser has begun and that a provider is to answer. The browser keeps it in cookies that scripts cannot read; they
 * are `SameSite=Lax`, as the provider sends the browser back from another site.
 */
import { createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { Secret } from '#base/secret';
import { ProviderRefusal } from '#domain/provider-sign-in';
import type { CookieSettings } from '../session-cookies.ts';
import type { FlowChecks } from './identity-provider.ts';

/** A sign-in under way. */
export interface Flow extends FlowChecks {
  /** Name of the provider. */
  readonly provider: string;
  /** Where the person wanted to go: a path of this server. */
  readonly returnPath: string | null;
}

/** A sign-in that came back, and until when its state could come back again. */
export interface ReturnedFlow extends Flow {
  readonly expiresAtUs: number;
}

/** How long somebody may take at the provider. */
const LIFE_SECONDS = 15 * 60;

const NAMES = {
  /** What the server says of the flow, signed. */
  state: 'phoenix-oauth2-state',
  nonce: 'phoenix-oauth2-nonce',
  verifier: 'phoenix-oauth2-code-verifier',
} as const;

/** Longer return addresses are forgotten: a cookie has room for 4 KB. */
const MAX_RETURN_LENGTH = 2000;

/** What no sign-in is begun twice with. */
export function newFlow(
  { provider, returnPath }: Pick<Flow, 'provider' | 'returnPath'>,
  { usesPkce }: { readonly usesPkce: boolean },
): Flow {
  return {
    provider,
    returnPath: returnPath !== null && returnPath.length <= MAX_RETURN_LENGTH ? returnPath : null,
    state: randomText(),
    nonce: randomText(),
    verifier: usesPkce ? randomText() : null,
  };
}

/** Writes and reads the cookies of flows. */
export class FlowCookies {
  readonly #key: Uint8Array;
  readonly #settings: CookieSettings;

  constructor(secret: Secret, settings: CookieSettings) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret.reveal(), '', 'cairn sign-ins with providers', 32));
    this.#settings = settings;
  }

  /** The cookies that a browser keeps until it comes back. */
  async set({ provider, returnPath, state, nonce, verifier }: Flow): Promise<readonly string[]> {
    const token = await new SignJWT({ state, ...(returnPath !== null && { returnPath }) })
      .setProtectedHeader({ alg: ALGORITHM })
      .setAudience(provider)
      .setExpirationTime(`${LIFE_SECONDS} s`)
      .sign(this.#key);
    return [
      this.#cookie('state', token, LIFE_SECONDS),
      this.#cookie('nonce', nonce, LIFE_SECONDS),
      ...(verifier === null ? [] : [this.#cookie('verifier', verifier, LIFE_SECONDS)]),
    ];
  }

  /** Has a browser forget its flow. */
  clear(): readonly string[] {
    return (['state', 'nonce', 'verifier'] as const).map((cookie) => this.#cookie(cookie, '', 0));
  }

  /**
   * The flow of a browser that comes back from a provider.
   * @param header of the name `cookie`
   * @param state as the provider sent it back
   * @throws ProviderRefusal `invalid_state` unless this browser began it with this provider a short time ago
   */
  async read(header: string | undefined, provider: string, state: string | undefined): Promise<ReturnedFlow> {
    const cookies = header === undefined ? {} : parseCookie(header);
    const { [NAMES.state]: token = '', [NAMES.nonce]: nonce = '', [NAMES.verifier]: verifier = null } = cookies;
    if (token === '' || nonce === '') {
      throw new ProviderRefusal('invalid_state', 'The browser has no cookies of a sign-in that it began.');
    }
    const flow = await this.#verify(token, provider);
    if (flow === null) {
      throw new ProviderRefusal('invalid_state', 'The cookie of the sign-in is too old, or not one for this provider.');
    }
    if (state === undefined || !isEqual(state, flow.state)) {
      throw new ProviderRefusal('invalid_state', 'The state is not that of the sign-in that this browser began.');
    }
    return { provider, nonce, verifier, state, returnPath: flow.returnPath ?? null, expiresAtUs: flow.exp * 1_000_000 };
  }

  async #verify(token: string, provider: string): Promise<z.output<typeof TOKEN> | null> {
    try {
      const { payload } = await jwtVerify(token, this.#key, { algorithms: [ALGORITHM], audience: provider });
      return TOKEN.parse(payload);
    } catch {
      return null; // whatever is wrong with it, this server did not make it for this sign-in
    }
  }

  #cookie(cookie: keyof typeof NAMES, value: string, maxAge: number): string {
    const { path, isSecure } = this.#settings;
    return stringifySetCookie({
      name: NAMES[cookie],
      value,
      maxAge,
      path,
      secure: isSecure,
      httpOnly: true,
      sameSite: 'lax',
    });
  }
}

const ALGORITHM = 'HS256';

const TOKEN = z.object({ state: z.string(), returnPath: z.string().optional(), exp: z.number() });

function randomText(): string {
  return randomBytes(32).toString('base64url');
}

function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
