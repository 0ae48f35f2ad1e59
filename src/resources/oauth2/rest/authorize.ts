/** Asking a person, and the answer. */
import { z } from 'zod';
import { defineRoute, type Route, type RouteReply } from '#api/rest/route';
import { AppError } from '#base/errors';
import { findAccessToken } from '#credentials/find-credentials';
import { issuerOf } from '#credentials/issuer';
import { readCookies } from '#credentials/session-cookies';
import { hashToken } from '#credentials/tokens';
import { assertMayLetIn, isFirstParty } from '#domain/application';
import type { Caller } from '#domain/caller';
import { hostOfRedirect, redirectKindOf } from '#domain/redirect-uri';
import { oauth2Policy } from '../policy.ts';
import {
  addressOfAnswer,
  ASKED_FIELDS,
  ASKED_LISTS,
  type Asked,
  checkQuery,
  checkRequest,
  formatAsked,
  InvalidRedirect,
  RequestFault,
} from './authorization.ts';
import { assertOffered, type Oauth2Parts } from './parts.ts';

const TEXT = { contentType: 'text/plain' } as const;
const NO_REDIRECT = { 400: { ...TEXT, description: 'The application has not registered this address.' } } as const;

/** The routes. */
export function authorizeRoutes(parts: Oauth2Parts): readonly Route[] {
  const { auth } = parts;
  const limit = (address: string | undefined) => {
    assertOffered(auth);
    auth.rateLimits.countClient('authorize', address);
  };
  const admit = (caller: Caller) => void assertMayLetIn(caller);
  return [
    defineRoute({
      method: 'GET',
      path: '/oauth2/authorize',
      operationId: 'authorize',
      summary: 'Lead a person to the question whether an application may act in their name',
      tag: 'applications',
      access: oauth2Policy.authorize,
      limit,
      query: z.object(ASKED_LISTS),
      replies: {
        302: { description: 'To the question, to the sign-in page, or back with `error`.' },
        ...NO_REDIRECT,
      },
      handler: async ({ caller, header, query }) => {
        const issuer = issuerOf(auth, header('host'));
        const asked = formatAsked(query);
        return answerFaults(issuer, faultAsRedirect, async () => {
          const check = () => checkQuery(parts, caller, issuer, query);
          if (!(await isBrowserSignedIn(parts, caller, header('cookie')))) {
            // Nobody is sent to an application before they have signed in; an address that is none is refused at once.
            await check().catch((error: unknown) => {
              if (!(error instanceof RequestFault)) throw error;
            });
            const back = encodeURIComponent(`${auth.rootPath}/oauth2/authorize?${asked}`);
            // A page that leads to a provider by itself would come back here without cookies, and go round.
            return redirect(`${auth.rootPath}/login?returnUrl=${back}&choose=true`);
          }
          await check();
          return redirect(`${auth.rootPath}/oauth2/consent?${asked}`);
        });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/oauth2/authorize/request',
      operationId: 'getAuthorizationRequest',
      summary: 'Describe what an application asks for',
      tag: 'applications',
      access: oauth2Policy.readRequest,
      limit,
      admit,
      query: z.object(ASKED_LISTS),
      replies: {
        200: {
          contentType: 'application/json',
          description:
            'Who asks for what; `redirect_to` alone where the request has a fault that the application is told of.',
          schema: DESCRIPTION,
        },
        ...NO_REDIRECT,
      },
      handler: async ({ caller, header, query }) => {
        const issuer = issuerOf(auth, header('host'));
        return answerFaults(issuer, faultAsAddress, async () => {
          const { application, redirectUri, audience } = await checkQuery(parts, caller, issuer, query);
          const description: z.infer<typeof DESCRIPTION> = {
            client_name: application.name,
            is_first_party: isFirstParty(application.clientId),
            redirect_uri: redirectUri,
            redirect_host: hostOfRedirect(redirectUri),
            is_local: redirectKindOf(redirectUri) !== 'https',
            audience,
            days: auth.config.applications.grantUs / DAY_US,
            username: 'name' in caller ? caller.name : '',
          };
          return { body: description };
        });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/oauth2/authorize/decision',
      operationId: 'decideAuthorization',
      summary: 'Let an application in, or do not',
      tag: 'applications',
      access: oauth2Policy.approve,
      limit,
      admit,
      hasSecretBody: true,
      body: z.object({ ...ASKED_FIELDS, approved: z.boolean() }),
      replies: {
        200: {
          contentType: 'application/json',
          description: 'Where to send the person.',
          schema: z.object({ redirect_to: z.string() }),
        },
        ...NO_REDIRECT,
        403: {
          ...TEXT,
          description: 'The request does not come from a page of this server, or from nobody who signed in.',
        },
      },
      handler: async ({ caller, header, body }) => {
        const issuer = issuerOf(auth, header('host'));
        assertOwnPage(parts, issuer, header('origin'));
        const { approved, ...fields } = body;
        return answerFaults(issuer, faultAsAddress, async () => {
          const request = await checkRequest(parts, caller, issuer, withoutNulls(fields));
          return { body: { redirect_to: await decide(parts, caller, { request, issuer, approved }) } };
        });
      },
    }),
  ];
}

const DAY_US = 24 * 3600 * 1e6;

const DESCRIPTION = z.object({
  client_name: z.string(),
  is_first_party: z.boolean(),
  redirect_uri: z.string(),
  redirect_host: z.string().nullable(),
  /** Whether the code stays on the machine of the person. */
  is_local: z.boolean(),
  audience: z.enum(['server', 'mcp']),
  days: z.number(),
  username: z.string(),
});

async function decide(
  { auth, commands }: Oauth2Parts,
  caller: Caller,
  {
    request,
    issuer,
    approved,
  }: { request: Awaited<ReturnType<typeof checkRequest>>; issuer: string; approved: boolean },
): Promise<string> {
  const { state, ...authorization } = request;
  const back = { redirectUri: authorization.redirectUri, state };
  if (!approved) {
    await commands.deny(caller, authorization.application);
    return addressOfAnswer(back, issuer, { error: 'access_denied' });
  }
  if (auth.tokens === null) throw new Error('There is no secret to sign codes with.');
  const { text, hash } = await auth.tokens.issue('GrantCode');
  await commands.approve(caller, { ...authorization, codeHash: hash });
  return addressOfAnswer(back, issuer, { code: text });
}

/** Refuses answers that a page of somebody else gives. @throws AppError `permission_denied` */
function assertOwnPage({ auth }: Oauth2Parts, issuer: string, origin: string | undefined): void {
  if (!auth.config.applications.checksOrigin || origin === new URL(issuer).origin) return;
  throw new AppError(
    'permission_denied',
    'The answer must come from a page of this server. If it does, set SERVICE_ROOT_URL to the address at which people reach it.',
  );
}

/** Of the cookie alone: what a program holds is no person in front of a browser. */
async function isBrowserSignedIn(
  { readPrimary }: Oauth2Parts,
  caller: Caller,
  cookie: string | undefined,
): Promise<boolean> {
  const { access } = readCookies(cookie);
  const found = access === undefined ? undefined : await findAccessToken(readPrimary(caller).db, hashToken(access));
  return found !== undefined && found.grant === null && Date.now() * 1000 < found.expiresAtUs;
}

async function answerFaults(
  issuer: string,
  answer: (address: string) => RouteReply,
  run: () => Promise<RouteReply>,
): Promise<RouteReply> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof InvalidRedirect) return { status: 400, body: error.message };
    if (!(error instanceof RequestFault)) throw error;
    return answer(addressOfAnswer(error, issuer, { error: error.error, error_description: error.message }));
  }
}

const faultAsRedirect = redirect;
const faultAsAddress = (address: string): RouteReply => ({ body: { redirect_to: address } });

function redirect(location: string): RouteReply {
  return { status: 302, headers: { location }, body: undefined };
}

function withoutNulls(fields: Readonly<Record<string, string | null | undefined>>): Asked {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
}
