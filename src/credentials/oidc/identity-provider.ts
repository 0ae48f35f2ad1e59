/** One provider of identities, asked by OpenID Connect: the code flow, with everything checked that a token says. */
import type * as OpenidClient from 'openid-client';
import type { Configuration, CustomFetch, IDToken } from 'openid-client';
import type { JSONValue } from '#base/expression';
import type { ProviderConfig } from '#config/provider-config';
import { isConfidential } from '#config/provider-values';
import { ProviderRefusal } from '#domain/provider-sign-in';
import { fetchBounded, REQUEST_TIMEOUT_MS } from './bounded-fetch.ts';
import { clientAuthOf } from './client-auth.ts';
import { describeFailure, isNotAllowed, refusalOf } from './failures.ts';

/** What is said of a person, by name. */
export type Claims = Readonly<Record<string, JSONValue>>;

/** What binds an answer of a provider to the request that it answers. */
export interface FlowChecks {
  readonly state: string;
  readonly nonce: string;
  /** `null` without PKCE. */
  readonly verifier: string | null;
}

/** What a provider answered, with all of it proven. */
export interface ProviderAnswer {
  readonly issuer: string;
  readonly subject: string;
  /** Of the ID token. */
  readonly claims: Claims;
  /** More claims, where the token does not hold enough; none where the provider does not let them be read. */
  readonly readMore: () => Promise<Claims>;
}

/** What a provider says of itself; `null` for what it leaves open. */
export interface ProviderDescription {
  readonly issuer: string;
  /** How it lets clients prove who they are. */
  readonly clientMethods: readonly string[] | null;
  readonly isPkceOffered: boolean | null;
}

type Library = typeof OpenidClient;

/** See above. It is not asked before somebody signs in, and a failure is forgotten: the next sign-in asks again. */
export class IdentityProvider {
  readonly config: ProviderConfig;
  readonly #issuersOfOthers: ReadonlySet<string>;
  /** The description, and until when it is taken for true. */
  #description: { readonly text: Promise<string>; readonly untilMs: number } | null = null;

  /** @param issuersOfOthers which this one cannot be, so that it speaks for nobody whom another one knows */
  constructor(config: ProviderConfig, issuersOfOthers: ReadonlySet<string> = new Set()) {
    this.config = config;
    this.#issuersOfOthers = issuersOfOthers;
  }

  /** What the provider says of itself. @throws ProviderRefusal `oauth_error` where it cannot be asked */
  async examine(): Promise<ProviderDescription> {
    const metadata = (await this.#open(await loadLibrary())).serverMetadata();
    return {
      issuer: metadata.issuer,
      clientMethods: metadata.token_endpoint_auth_methods_supported ?? null,
      isPkceOffered: metadata.code_challenge_methods_supported?.includes('S256') ?? null,
    };
  }

  /** Where a browser is sent. @throws ProviderRefusal `oauth_error` where the provider cannot be asked */
  async authorizationUrl(redirectUri: string, { state, nonce, verifier }: FlowChecks): Promise<string> {
    const library = await loadLibrary();
    const client = await this.#open(library);
    const challenge = verifier === null ? null : await library.calculatePKCECodeChallenge(verifier);
    const url = library.buildAuthorizationUrl(client, {
      redirect_uri: redirectUri,
      scope: this.config.scopes.join(' '),
      state,
      nonce,
      ...(challenge !== null && { code_challenge: challenge, code_challenge_method: 'S256' }),
    });
    if (!isConfidential(url)) throw new ProviderRefusal('oauth_error', 'The provider names an address without https.');
    return url.href;
  }

  /**
   * What an answer that a browser brought is good for.
   * @param answer the address that the browser was sent to, with its parameters
   * @throws ProviderRefusal
   */
  async redeem(answer: URL, { state, nonce, verifier }: FlowChecks): Promise<ProviderAnswer> {
    const library = await loadLibrary();
    if (this.config.usesPkce && verifier === null) {
      throw new ProviderRefusal('auth_failed', 'The browser has no cookie with the verifier of its sign-in.');
    }
    // With a client of its own, each sign-in reads the provider's keys as they are now.
    const client = await this.#open(library);
    const checks = {
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
      ...(verifier !== null && { pkceCodeVerifier: verifier }),
    };
    const tokens = await library.authorizationCodeGrant(client, answer, checks).catch((error: unknown) => {
      throw refusalOf(library, error);
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new ProviderRefusal('no_oidc_support', 'The provider sent no ID token.');
    this.#assertParty(claims);
    const { iss: issuer, sub: subject } = claims;
    return {
      issuer,
      subject,
      claims: claims as Claims,
      readMore: () => readUserInfo(library, client, tokens.access_token, subject),
    };
  }

  /** The library asks for this only of tokens for several audiences. */
  #assertParty({ azp, sub }: IDToken): void {
    if (azp !== undefined && azp !== this.config.clientId) {
      throw new ProviderRefusal('auth_failed', 'The ID token was made for another client (azp).');
    }
    if (sub.trim() === '' || sub.length > MAX_SUBJECT_LENGTH) {
      throw new ProviderRefusal('auth_failed', 'The ID token has an empty subject, or one that is too long.');
    }
  }

  async #open(library: Library): Promise<Configuration> {
    const { config } = this;
    try {
      const text = await this.#describe();
      const client = await library.discovery(
        discoveryAddress(config.configUrl),
        config.clientId,
        { [library.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
        clientAuthOf(library, config),
        {
          [library.customFetch]: answerFirst(text),
          timeout: REQUEST_TIMEOUT_MS / 1000,
          execute: [
            // The code flow trusts TLS otherwise, which localhost has none of.
            library.enableNonRepudiationChecks,
            ...(config.configUrl.startsWith('http:') ? [library.allowInsecureRequests] : []),
          ],
        },
      );
      this.#assertOwnIssuer(client.serverMetadata().issuer);
      return client;
    } catch (error) {
      this.#description = null;
      throw new ProviderRefusal(
        'oauth_error',
        `The provider’s configuration at ${config.configUrl} could not be read: ${describeFailure(error)}.`,
      );
    }
  }

  #assertOwnIssuer(issuer: string): void {
    const plain = issuer.replace(/\/$/, '');
    if (plain === issuerOf(this.config) || !this.#issuersOfOthers.has(plain)) return;
    throw new Error(`it calls itself ${issuer}, which is another provider`);
  }

  /** The text of the description, which sign-ins share while it is fresh. */
  async #describe(): Promise<string> {
    if (this.#description === null || this.#description.untilMs < performance.now()) {
      const text = fetchDescription(this.config.configUrl);
      this.#description = { text, untilMs: performance.now() + DESCRIPTION_LIFE_MS };
    }
    return this.#description.text;
  }
}

/** Who a provider is by its address. */
export function issuerOf({ configUrl }: ProviderConfig): string {
  return configUrl.replace(/\/\.well-known\/openid-configuration.*$/, '');
}

/** As much as clocks may differ. */
const CLOCK_TOLERANCE_SECONDS = 120;

/** Longer than the protocol allows. */
const MAX_SUBJECT_LENGTH = 512;

/** After that, a change of the provider is seen. */
const DESCRIPTION_LIFE_MS = 3_600_000;

/** Only servers that people sign in to this way load what it takes. */
function loadLibrary(): Promise<Library> {
  return import('openid-client');
}

/** Where many tenants share a description, the library finds the issuer of each by the address without the known path. */
function discoveryAddress(configUrl: string): URL {
  const shared = /^(https:\/\/login\.microsoftonline\.com\/.+?)\/\.well-known\/openid-configuration$/.exec(configUrl);
  return new URL(shared?.[1] ?? configUrl);
}

async function fetchDescription(url: string): Promise<string> {
  const response = await fetchBounded(url, { method: 'GET', headers: { accept: 'application/json' } });
  if (response.status !== 200) throw new Error(`it answers with status ${response.status}`);
  return response.text();
}

/** Gives the description in place of the first request, which asks for it. */
function answerFirst(description: string): CustomFetch {
  let isFirst = true;
  return async (url, request) => {
    if (!isFirst) return fetchBounded(url, request);
    isFirst = false;
    return new Response(description, { headers: { 'content-type': 'application/json' } });
  };
}

async function readUserInfo(
  library: Library,
  client: Configuration,
  accessToken: string,
  subject: string,
): Promise<Claims> {
  if (client.serverMetadata().userinfo_endpoint === undefined) return {};
  try {
    return (await library.fetchUserInfo(client, accessToken, subject)) as Claims;
  } catch (error) {
    if (isNotAllowed(library, error)) return {};
    throw refusalOf(library, error);
  }
}
