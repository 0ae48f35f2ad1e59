/** The cookies of a browser that signs in. Scripts of pages cannot read them, and pages of other sites do not send them. */
import { parseCookie, stringifySetCookie } from 'cookie';
import type { SignInConfig } from '#config/auth-config';
import type { TokenTimes } from './sign-ins.ts';

/** The cookies by what they hold. Phoenix's clients and the proxies before them look for these names. */
const NAMES = {
  access: 'phoenix-access-token',
  refresh: 'phoenix-refresh-token',
  /** Tells which accounts a browser was signed in to, so that strangers cannot lock its person out of them. */
  known: 'cairn-known-browser',
} as const;

/** The texts of the cookies that a browser shows. */
export type ShownCookies = { readonly [Cookie in keyof typeof NAMES]: string | undefined };

/** How cookies are set and cleared; the same for both, or browsers would keep them. */
export type CookieSettings = SignInConfig['cookies'];

/** Reads them. @param header of the name `cookie` */
export function readCookies(header: string | undefined): ShownCookies {
  const cookies = header === undefined ? {} : parseCookie(header);
  const textOf = (name: string) => (cookies[name] === '' ? undefined : cookies[name]);
  return { access: textOf(NAMES.access), refresh: textOf(NAMES.refresh), known: textOf(NAMES.known) };
}

/** Sets the tokens of a sign-in until they expire. */
export function setTokens(
  { access, refresh }: { readonly access: string; readonly refresh: string },
  { accessUs, refreshUs }: TokenTimes,
  settings: CookieSettings,
): readonly string[] {
  return [
    setCookie('access', access, Math.ceil(accessUs / 1e6), settings),
    setCookie('refresh', refresh, Math.ceil(refreshUs / 1e6), settings),
  ];
}

/** Sets what a browser is known by, for a year. */
export function setKnownBrowser(text: string, settings: CookieSettings): string {
  return setCookie('known', text, 366 * 24 * 3600, settings);
}

/** Clears the tokens of a sign-in; the browser stays known. */
export function clearTokens(settings: CookieSettings): readonly string[] {
  return [setCookie('access', '', 0, settings), setCookie('refresh', '', 0, settings)];
}

function setCookie(
  cookie: keyof typeof NAMES,
  value: string,
  maxAge: number,
  { path, isSecure }: CookieSettings,
): string {
  return stringifySetCookie({
    name: NAMES[cookie],
    value,
    maxAge,
    path,
    secure: isSecure,
    httpOnly: true,
    sameSite: 'strict',
  });
}
