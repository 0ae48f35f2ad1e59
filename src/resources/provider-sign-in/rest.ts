import { z } from 'zod';
import { defineRoute, type Route, type RouteReply } from '#api/rest/route';
import { setTokens } from '#credentials/session-cookies';
import type { Caller } from '#domain/caller';
import { ProviderRefusal } from '#domain/provider-sign-in';
import { readReturnUrl, withReturnUrl } from '#domain/return-url';
import type { CommandCalls } from '#store/commands/command';
import type { Services } from '../slice.ts';
import type { ProviderSignInCommands } from './commands.ts';
import { providerSignInPolicy } from './policy.ts';
import { ProviderSignIns } from './rest/provider-sign-ins.ts';

/** Routes of signing in with a provider. Whatever is refused leads back to the page for signing in, which says why. */
export function providerSignInRoutes(
  { auth }: Pick<Services, 'auth'>,
  commands: CommandCalls<ProviderSignInCommands>,
): readonly Route[] {
  const signIns = new ProviderSignIns(auth, commands);
  return [beginRoute('GET', auth, signIns), beginRoute('POST', auth, signIns), answerRoute(auth, signIns)];
}

const TEXT = { contentType: 'text/plain' } as const;
const TOO_MANY = { ...TEXT, description: 'Too many requests; `Retry-After` says when to try again.' };
const NAME = z.object({ idp: z.string().describe('The provider, as the settings name it, in lower case.') });

function beginRoute(method: 'GET' | 'POST', auth: Services['auth'], signIns: ProviderSignIns): Route {
  // A redirect with 307 would have the browser repeat a POST at the page.
  const refusalStatus = method === 'GET' ? 307 : 303;
  return defineRoute({
    method,
    path: '/oauth2/{idp}/login',
    operationId: method === 'GET' ? 'beginProviderSignIn' : 'postProviderSignIn',
    summary: 'Begin to sign in with a provider',
    tag: 'sign-in',
    access: providerSignInPolicy.begin,
    limit: (address) => auth.rateLimits.countClient('provider sign-in', address),
    params: NAME,
    query: z.object({ returnUrl: z.string().optional().describe('Where to go afterwards: a path of this server.') }),
    replies: {
      302: { description: 'Leads to the provider, and sets cookies that bind its answer to this browser.' },
      [refusalStatus]: { description: 'Leads to the page for signing in, with the code of what is wrong.' },
      429: TOO_MANY,
    },
    handler: async ({ caller, params: { idp }, query: { returnUrl }, header }) => {
      let returnPath: string | null = null;
      try {
        const provider = signIns.find(idp);
        returnPath = readLocalPath(returnUrl, auth.rootPath);
        const { location, cookies } = await signIns.begin(provider, header('host'), returnPath);
        return redirect(302, location, cookies);
      } catch (error) {
        const { code } = noteRefusal(auth, caller, idp, error);
        return refuse(refusalStatus, auth.rootPath, { code, returnPath }, []);
      }
    },
  });
}

function answerRoute(auth: Services['auth'], signIns: ProviderSignIns): Route {
  return defineRoute({
    method: 'GET',
    path: '/oauth2/{idp}/tokens',
    operationId: 'finishProviderSignIn',
    summary: 'Come back from a provider',
    description: 'The redirect address that the provider is told.',
    tag: 'sign-in',
    access: providerSignInPolicy.signIn,
    limit: (address) => auth.rateLimits.countClient('provider answer', address),
    params: NAME,
    query: z.object({
      state: z.string().optional(),
      code: z.string().optional(),
      iss: z.string().optional(),
      error: z.string().optional(),
      error_description: z.string().optional(),
    }),
    replies: {
      302: { description: 'Sets the cookies of a sign-in, and leads to where it began.' },
      307: { description: 'Leads to the page for signing in, with the code of what is wrong.' },
      429: TOO_MANY,
    },
    handler: async ({ caller, params: { idp }, query, header }) => {
      const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
      const back = { parameters: new URLSearchParams(given), cookie: header('cookie'), host: header('host') };
      const forgotten = signIns.cookies.clear();
      let returnPath: string | null = null;
      try {
        const provider = signIns.find(idp);
        const flow = await signIns.take(provider, caller, back);
        ({ returnPath } = flow);
        const { times, ...tokens } = await signIns.finish(provider, caller, flow, back);
        const cookies = [...setTokens(tokens, times, auth.config.signIn.cookies), ...forgotten];
        return redirect(302, returnPath ?? `${auth.rootPath}/`, cookies);
      } catch (error) {
        const { code } = noteRefusal(auth, caller, idp, error);
        return refuse(307, auth.rootPath, { code, returnPath }, forgotten);
      }
    },
  });
}

/** The refusal, told to the operator. @throws what is none */
function noteRefusal({ providers, refusals }: Services['auth'], caller: Caller, idp: string, error: unknown) {
  if (!(error instanceof ProviderRefusal)) throw error;
  const isKnown = error.code !== 'unknown_idp';
  providers.noteRefusal(isKnown ? idp : idp.slice(0, MAX_SHOWN), error);
  refusals.note({
    caller,
    operation: providerSignInPolicy.signIn.operation,
    ...(isKnown && { objectType: 'Provider', objectId: idp }),
  });
  return error;
}

/** Of a name that anybody can write into an address. */
const MAX_SHOWN = 50;

function refuse(
  status: number,
  rootPath: string,
  { code, returnPath }: { readonly code: string; readonly returnPath: string | null },
  cookies: readonly string[],
): RouteReply {
  return redirect(status, withReturnUrl(`${rootPath}/login?error=${code}`, returnPath ?? undefined), cookies);
}

function redirect(status: number, location: string, cookies: readonly string[]): RouteReply {
  return {
    status,
    headers: { location, 'cache-control': 'no-store', ...(cookies.length > 0 && { 'set-cookie': cookies }) },
    body: undefined,
  };
}

/** A path of this server, with the root path or without. @throws ProviderRefusal `unsafe_return_url` */
function readLocalPath(text: string | undefined, rootPath: string): string | null {
  if (text === undefined || text === '') return null;
  const server = { origin: 'http://localhost', rootPath };
  const path = readReturnUrl(text, server) ?? readReturnUrl(rootPath + text, server);
  if (path === undefined)
    throw new ProviderRefusal('unsafe_return_url', 'The return address is no path of this server.');
  return path;
}
