import { z } from 'zod';
import { defineRoute, type Route, type RouteReply } from '#api/rest/route';
import { clearTokens, readCookies, setKnownBrowser, setTokens } from '#credentials/session-cookies';
import type { GivenTokens } from '#credentials/sign-in-tokens';
import type { CommandCalls } from '#store/commands/command';
import type { Services } from '../slice.ts';
import type { SignInCommands } from './commands.ts';
import { signInPolicy } from './policy.ts';
import { logIn } from './rest/log-in.ts';
import { logInByDirectory } from './rest/log-in-by-directory.ts';
import type { SignInParts } from './rest/parts.ts';
import { logOut, renew, Tidying } from './rest/renew.ts';

/** Longer than any address or password that is accepted. */
const MAX_TYPED = 4096;

const TEXT = { contentType: 'text/plain' } as const;
const TOO_MANY = { ...TEXT, description: 'Too many requests; `Retry-After` says when to try again.' };
const SET = 'Sets the cookies `phoenix-access-token` and `phoenix-refresh-token`.';

/** Routes of signing in with a browser. */
export function signInRoutes(
  { auth, readPrimary }: Pick<Services, 'auth' | 'readPrimary'>,
  commands: CommandCalls<SignInCommands>,
): readonly Route[] {
  const parts: SignInParts = { auth, readPrimary, commands };
  const tidying = new Tidying(commands);
  const settings = () => auth.config.signIn.cookies;
  const withCookies = ({ times, ...tokens }: GivenTokens, more: readonly string[] = []): RouteReply => ({
    status: 204,
    headers: { 'set-cookie': [...setTokens(tokens, times, settings()), ...more] },
    body: undefined,
  });
  return [
    defineRoute({
      method: 'POST',
      path: '/auth/login',
      operationId: 'login',
      summary: 'Sign in with a password',
      tag: 'sign-in',
      access: signInPolicy.login,
      limit: (address) => auth.rateLimits.countClient('sign-in', address),
      hasSecretBody: true,
      body: z.object({
        email: z.string().max(MAX_TYPED).nullish(),
        password: z.string().max(MAX_TYPED).nullish(),
      }),
      replies: {
        204: { description: SET },
        401: { ...TEXT, description: 'The e-mail address or the password is wrong.' },
        403: { ...TEXT, description: 'Signing in with a password is off.' },
        429: { ...TOO_MANY, description: 'Too many attempts; `Retry-After` says when to try again.' },
      },
      handler: async ({ caller, header, body }) => {
        await tidying.tidy(caller);
        const { known, ...given } = await logIn(parts, caller, body, readCookies(header('cookie')));
        return withCookies(given, known === null ? [] : [setKnownBrowser(known, settings())]);
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/auth/ldap/login',
      operationId: 'loginByDirectory',
      summary: 'Sign in with a directory (LDAP)',
      tag: 'sign-in',
      access: signInPolicy.loginByDirectory,
      limit: (address) => auth.rateLimits.countClient('sign-in', address),
      hasSecretBody: true,
      body: z.object({
        username: z.string().max(MAX_TYPED).nullish(),
        password: z.string().max(MAX_TYPED).nullish(),
      }),
      replies: {
        204: { description: SET },
        401: { ...TEXT, description: 'The username or the password is wrong, or this user may not sign in.' },
        429: { ...TOO_MANY, description: 'Too many attempts; `Retry-After` says when to try again.' },
        503: { ...TEXT, description: 'There is no directory, or it does not answer.' },
      },
      handler: async ({ caller, header, body }) => {
        await tidying.tidy(caller);
        const { known, ...given } = await logInByDirectory(parts, caller, body, readCookies(header('cookie')));
        return withCookies(given, known === null ? [] : [setKnownBrowser(known, settings())]);
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/auth/refresh',
      operationId: 'refreshTokens',
      summary: 'Renew the cookies of a sign-in',
      tag: 'sign-in',
      access: signInPolicy.refresh,
      limit: (address) => auth.rateLimits.countClient('refresh', address),
      replies: {
        204: { description: SET },
        401: {
          ...TEXT,
          description: 'The refresh token is missing, wrong, expired or was used before, or its account is gone.',
        },
        429: TOO_MANY,
      },
      handler: async ({ caller, header }) => {
        await tidying.tidy(caller);
        return withCookies(await renew(parts, caller, readCookies(header('cookie'))));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/auth/logout',
      operationId: 'logout',
      summary: 'Sign out with all browsers',
      tag: 'sign-in',
      access: signInPolicy.logout,
      limit: (address) => auth.rateLimits.countClient('sign-out', address),
      replies: {
        302: { description: 'The account is signed out everywhere; leads to the page for signing in.' },
        429: TOO_MANY,
      },
      handler: async ({ caller, header }) => {
        const bearer = /^bearer +(\S+)$/i.exec(header('authorization') ?? '')?.[1];
        const { access, refresh } = readCookies(header('cookie'));
        await logOut(parts, caller, { access: bearer ?? access, refresh });
        // The page for signing in may lead to a provider at once, where the browser is signed in still.
        const staysOut =
          auth.config.passwords.isDisabled || auth.config.providers.some(({ isAutomatic }) => isAutomatic);
        const location = `${auth.rootPath}${staysOut ? '/logout' : '/login'}`;
        return { status: 302, headers: { location, 'set-cookie': clearTokens(settings()) }, body: undefined };
      },
    }),
  ];
}
