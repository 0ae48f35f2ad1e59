/** A provider of identities that says what a test has it say, signed or not. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { findFreePort } from './free-port.ts';

/** What it says in place of the truth. */
export interface Lies {
  /** Claims of the ID token; `undefined` leaves one out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Parts of its description. */
  readonly description?: Readonly<Record<string, unknown>>;
  /** How the token is signed: by a key that it does not name, or not at all, or by the client's secret. */
  readonly signature?: 'foreign' | 'none' | 'symmetric';
  /** In place of the answer of the token endpoint. */
  readonly tokenAnswer?: { readonly status: number; readonly body: string };
  /** In place of what the endpoint of claims answers. */
  readonly userInfo?: { readonly status: number; readonly body: string };
  /** More parameters of the address by which it sends a browser back. */
  readonly answer?: Readonly<Record<string, string>>;
}

/** See {@link startHostileProvider}. */
export interface HostileProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly configUrl: string;
  lies: Lies;
}

const CLIENT = { id: 'hostile', secret: 'a secret of the hostile provider, long enough' };

/** The client that it knows. */
export const HOSTILE_CLIENT = CLIENT;

/** Starts one at localhost, which tells the truth until it is told to lie. */
export async function startHostileProvider(): Promise<HostileProvider> {
  const port = await findFreePort();
  const issuer = `http://localhost:${port}`;
  const [own, foreign] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const jwk = { ...(await exportJWK(own.publicKey)), alg: 'RS256', use: 'sig', kid: 'own' };
  const nonces = new Map<string, string>();
  const provider: { lies: Lies } = { lies: {} };

  const sign = async (nonce: string | undefined) => {
    const { claims, signature } = provider.lies;
    const now = Math.floor(Date.now() / 1000);
    const honest = {
      iss: issuer,
      sub: 'eve',
      aud: CLIENT.id,
      exp: now + 300,
      iat: now,
      nonce,
      email: 'eve@example.com',
      email_verified: true,
    };
    const payload = JSON.parse(JSON.stringify({ ...honest, ...claims })) as JWTPayload;
    if (signature === 'none') {
      const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${encode({ alg: 'none' })}.${encode(payload)}.`;
    }
    if (signature === 'symmetric') {
      return new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(CLIENT.secret));
    }
    const key = signature === 'foreign' ? foreign.privateKey : own.privateKey;
    return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'own' }).sign(key);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', issuer);
    const { lies } = provider;
    const send = (status: number, body: string) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return send(200, JSON.stringify({ ...describe(issuer), ...lies.description }));
      case '/keys':
        return send(200, JSON.stringify({ keys: [jwk] }));
      case '/authorize': {
        const code = crypto.randomUUID();
        nonces.set(code, url.searchParams.get('nonce') ?? '');
        const back = new URL(url.searchParams.get('redirect_uri') ?? '');
        const state = url.searchParams.get('state') ?? '';
        for (const [name, value] of Object.entries({ code, state, ...lies.answer })) back.searchParams.set(name, value);
        return response.writeHead(302, { location: back.href }).end();
      }
      case '/token': {
        if (lies.tokenAnswer !== undefined) return send(lies.tokenAnswer.status, lies.tokenAnswer.body);
        const body = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
        const nonce = nonces.get(body.get('code') ?? '');
        return send(
          200,
          JSON.stringify({ access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token: await sign(nonce) }),
        );
      }
      case '/userinfo':
        return send(lies.userInfo?.status ?? 200, lies.userInfo?.body ?? JSON.stringify({ sub: 'eve' }));
      default:
        return send(404, '{}');
    }
  };
  const server = createServer((request, response) => void handle(request, response));
  server.listen(port, 'localhost');
  await once(server, 'listening');
  return Object.assign(provider, {
    issuer,
    configUrl: `${issuer}/.well-known/openid-configuration`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

function describe(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
  };
}
