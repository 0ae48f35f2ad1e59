/** A real provider of identities (OpenID Connect) for tests, at an address of localhost. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { type ClientMetadata, type Configuration, Provider } from 'oidc-provider';
import { findFreePort } from './free-port.ts';

/** Somebody with an account there: what is said of them, by name of the claim. */
export type Person = Readonly<Record<string, unknown>>;

/** See {@link startIdentityProvider}. */
export interface IdentityProviderServer extends AsyncDisposable {
  readonly issuer: string;
  readonly configUrl: string;
  /** By subject; may be changed between two sign-ins. */
  readonly people: Map<string, Person>;
  /** How many requests came to a path. */
  readonly requests: ReadonlyMap<string, number>;
  /** Stops it, and starts it again with other keys. */
  rotateKeys(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Settings of a client there. */
export interface TestClient {
  readonly id: string;
  readonly secret?: string;
  readonly method: 'client_secret_basic' | 'client_secret_post' | 'none';
  readonly redirectUri: string;
  /** How its ID tokens are signed. */
  readonly algorithm?: 'RS256' | 'ES256' | 'EdDSA';
}

/** What {@link startIdentityProvider} is made of. */
export interface IdentityProviderOptions {
  readonly clients: readonly TestClient[];
  readonly people?: Readonly<Record<string, Person>>;
  /** Whether claims of scopes are in the ID token, too, and not at the endpoint for them alone. */
  readonly putsClaimsIntoToken?: boolean;
  /** Whether clients must use PKCE. */
  readonly requiresPkce?: boolean;
}

const GRANTED = 'openid email profile groups';

/**
 * Starts one. Its sign-in page is a list of links, one for each person: the parameter `person` of its address chooses without a page.
 */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProviderServer> {
  const port = await findFreePort();
  const issuer = `http://localhost:${port}`;
  const people = new Map(Object.entries(options.people ?? {}));
  const requests = new Map<string, number>();
  const open = async () => {
    const provider = await createProvider(issuer, people, options);
    const handle = provider.callback();
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', issuer);
      requests.set(pathname, (requests.get(pathname) ?? 0) + 1);
      void handle(request, response);
    });
    server.listen(port, 'localhost');
    await once(server, 'listening');
    return server;
  };
  let server = await open();
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  const start = async () => {
    server = await open();
  };
  return {
    issuer,
    configUrl: `${issuer}/.well-known/openid-configuration`,
    people,
    requests,
    stop,
    start,
    rotateKeys: async () => {
      await stop();
      await start();
    },
    [Symbol.asyncDispose]: async () => {
      if (server.listening) await stop();
    },
  };
}

async function createProvider(
  issuer: string,
  people: ReadonlyMap<string, Person>,
  { clients, putsClaimsIntoToken = true, requiresPkce = false }: IdentityProviderOptions,
): Promise<Provider> {
  const configuration: Configuration = {
    clients: clients.map(toMetadata),
    jwks: { keys: await Promise.all((['RS256', 'ES256', 'EdDSA'] as const).map(makeKey)) },
    cookies: { keys: ['a key of these tests'] },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'picture', 'preferred_username', 'role', 'resource_access'],
      groups: ['groups', 'cognito:groups'],
    },
    scopes: GRANTED.split(' '),
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    conformIdTokenClaims: !putsClaimsIntoToken,
    pkce: { required: () => requiresPkce },
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256', 'EdDSA'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => {
      const person = people.get(sub);
      return person && { accountId: sub, claims: () => ({ ...person, sub }) };
    },
  };
  const provider = new Provider(issuer, configuration);
  provider.use(async (context, next) => {
    if (!context.path.startsWith('/interaction/')) return next();
    const sub = new URL(context.href).searchParams.get('person') ?? '';
    const { params, uid } = await provider.interactionDetails(context.req, context.res);
    if (sub === '') {
      const links = [...people.keys(), 'nobody'].map(
        (name) => `<p><a href="/interaction/${uid}?person=${name}">${name}</a></p>`,
      );
      context.body = `<!doctype html><title>Provider</title><h1>Who are you?</h1>${links.join('')}`;
      return undefined;
    }
    const result = people.has(sub)
      ? { login: { accountId: sub }, consent: { grantId: await makeGrant(provider, sub, String(params['client_id'])) } }
      : { error: 'access_denied', error_description: 'The person went away.' };
    context.redirect(await provider.interactionResult(context.req, context.res, result));
    return undefined;
  });
  return provider;
}

function makeGrant(provider: Provider, accountId: string, clientId: string): Promise<string> {
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope(GRANTED);
  return grant.save();
}

function toMetadata({ id, secret, method, redirectUri, algorithm = 'RS256' }: TestClient): ClientMetadata {
  return {
    client_id: id,
    ...(secret !== undefined && { client_secret: secret }),
    token_endpoint_auth_method: method,
    redirect_uris: [redirectUri],
    response_types: ['code'],
    grant_types: ['authorization_code'],
    id_token_signed_response_alg: algorithm,
    scope: GRANTED,
  };
}

async function makeKey(alg: 'RS256' | 'ES256' | 'EdDSA'): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), alg, use: 'sig' };
}
