/** Codes and refresh tokens for new tokens, and tokens that are given up. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { defineRoute, type Route, type RouteReply } from '#api/rest/route';
import { guardCaller } from '#credentials/acting-callers';
import { issuerOf } from '#credentials/issuer';
import { hashToken } from '#credentials/tokens';
import type { TokenTimes } from '#credentials/sign-ins';
import type { Caller } from '#domain/caller';
import type { NoTokens } from '../commands.ts';
import { oauth2Policy } from '../policy.ts';
import { answerOauth, assertOffered, OauthError, type Oauth2Parts, readAudience } from './parts.ts';

const FORM = z.record(z.string().max(100), z.union([z.string().max(4096), z.array(z.string()).max(100)]));
const OAUTH_FAULT = {
  contentType: 'application/json',
  description: 'Refused, for the reason in `error`.',
  schema: z.object({ error: z.string(), error_description: z.string().optional() }),
} as const;
const TOO_MANY = {
  contentType: 'text/plain',
  description: 'Too many requests; `Retry-After` says when to try again.',
} as const;

/** The routes. */
export function tokenRoutes(parts: Oauth2Parts): readonly Route[] {
  const { auth } = parts;
  const limit = (address: string | undefined) => {
    assertOffered(auth);
    auth.rateLimits.countClient('token', address);
  };
  return [
    defineRoute({
      method: 'POST',
      path: '/oauth2/token',
      operationId: 'issueToken',
      summary: 'Exchange a code or a refresh token for tokens',
      tag: 'applications',
      access: oauth2Policy.exchange,
      limit,
      isForm: true,
      hasSecretBody: true,
      body: FORM,
      replies: {
        200: {
          contentType: 'application/json',
          description: 'The tokens.',
          schema: z.object({
            access_token: z.string(),
            token_type: z.literal('Bearer'),
            expires_in: z.int(),
            refresh_token: z.string(),
          }),
        },
        400: OAUTH_FAULT,
        429: TOO_MANY,
      },
      handler: ({ caller, header, body }) =>
        answerOauth(async () => {
          const form = readForm(body);
          const issuer = issuerOf(auth, header('host'));
          switch (form('grant_type')) {
            case 'authorization_code':
              return exchange(parts, caller, issuer, form);
            case 'refresh_token':
              return refresh(parts, caller, issuer, form);
            case undefined:
              throw new OauthError('invalid_request', 'grant_type is missing.');
            default:
              throw new OauthError('unsupported_grant_type', 'grant_type is authorization_code or refresh_token.');
          }
        }),
    }),
    defineRoute({
      method: 'POST',
      path: '/oauth2/revoke',
      operationId: 'revokeToken',
      summary: 'Give up what an application was let do',
      tag: 'applications',
      access: oauth2Policy.revokeToken,
      limit,
      isForm: true,
      hasSecretBody: true,
      body: FORM,
      replies: {
        200: { description: 'The token is good no longer, if it was one.' },
        400: OAUTH_FAULT,
        429: TOO_MANY,
      },
      handler: ({ caller, body }) =>
        answerOauth(async () => {
          const form = readForm(body);
          const token = await auth.tokens?.read(form('token') ?? '');
          if (token?.kind === 'GrantAccessToken' || token?.kind === 'GrantRefreshToken') {
            const hash = hashToken(form('token') ?? '');
            await parts.commands.revokeToken(guardCaller(caller), { hash, clientId: form('client_id') ?? null });
          }
          return { status: 200, body: undefined };
        }),
    }),
  ];
}

type Form = (name: string) => string | undefined;

/** The fields of a form, where an empty one is none. @throws OauthError `invalid_request` for one that stands there twice */
function readForm(body: z.infer<typeof FORM>): Form {
  const repeated = Object.keys(body).find((name) => typeof body[name] !== 'string');
  if (repeated !== undefined) throw new OauthError('invalid_request', 'A parameter stands there twice.');
  return (name) => {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
}

async function exchange(parts: Oauth2Parts, caller: Caller, issuer: string, form: Form): Promise<Tokens> {
  const [code, verifier, clientId, redirectUri] = ['code', 'code_verifier', 'client_id', 'redirect_uri'].map((name) =>
    required(form, name),
  ) as [string, string, string, string];
  const audience = readAudience(form('resource'), issuer);
  const isOurs = (await parts.auth.tokens?.read(code))?.kind === 'GrantCode';
  if (!isOurs || !/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) throw invalidGrant();
  const codeHash = hashToken(code);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return give(parts, caller, { codeHash }, (guard, tokens) =>
    parts.commands.exchange(guard, { codeHash, clientId, redirectUri, challenge, audience, ...tokens }),
  );
}

async function refresh(parts: Oauth2Parts, caller: Caller, issuer: string, form: Form): Promise<Tokens> {
  const shown = required(form, 'refresh_token');
  const clientId = required(form, 'client_id');
  const audience = readAudience(form('resource'), issuer);
  if ((await parts.auth.tokens?.read(shown))?.kind !== 'GrantRefreshToken') throw invalidGrant();
  const refreshHash = hashToken(shown);
  return give(parts, caller, { refreshHash }, (guard, tokens) =>
    parts.commands.refresh(guard, { refreshHash, clientId, audience, ...tokens }),
  );
}

type Tokens = Pick<RouteReply, 'body'>;

/** New tokens, if what was shown is good for them; what was used before ends the grant. @throws OauthError */
async function give(
  { auth, commands }: Oauth2Parts,
  caller: Caller,
  shown: Parameters<Oauth2Parts['commands']['endReplayed']>[1],
  take: (guard: Caller, tokens: Awaited<ReturnType<typeof issue>>['stored']) => Promise<TokenTimes | NoTokens>,
): Promise<Tokens> {
  const guard = guardCaller(caller);
  const { texts, stored } = await issue(auth);
  const given = await take(guard, stored);
  if (typeof given === 'object') {
    const { access, refresh: next } = texts;
    return {
      body: {
        access_token: access,
        token_type: 'Bearer',
        expires_in: Math.floor(given.accessUs / 1e6),
        refresh_token: next,
      },
    };
  }
  if (given === 'replayed') await commands.endReplayed(guard, shown);
  throw given === 'target'
    ? new OauthError('invalid_target', 'The tokens were asked for another resource.')
    : invalidGrant();
}

async function issue({ tokens, config }: Oauth2Parts['auth']) {
  if (tokens === null) throw new Error('There is no secret to sign tokens with.');
  const [access, next] = await Promise.all([tokens.issue('GrantAccessToken'), tokens.issue('GrantRefreshToken')]);
  const { accessTokenUs, refreshTokenUs } = config.signIn;
  const times = { accessTokenUs, refreshTokenUs, sessionUs: config.applications.grantUs };
  return {
    texts: { access: access.text, refresh: next.text },
    stored: { tokens: { accessHash: access.hash, refreshHash: next.hash }, times },
  };
}

function required(form: Form, name: string): string {
  const value = form(name);
  if (value === undefined) throw new OauthError('invalid_request', `${name} is missing.`);
  return value;
}

/** The same for every reason: who guesses learns nothing. */
function invalidGrant(): OauthError {
  return new OauthError('invalid_grant', 'The code or refresh token is not good, or not for this client.');
}
