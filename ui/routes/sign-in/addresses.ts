/** The addresses around signing in, and the one that this page shows. */
import { readReturnUrl, withReturnUrl } from '#domain/return-url';
import { serverConfig } from '#ui/lib/server-config.ts';

const { rootPath } = serverConfig;
const search = new URLSearchParams(location.search);

/** Where the user goes on afterwards; undefined: nowhere in particular. */
export const returnPath = readReturnUrl(search.get('returnUrl'), { origin: location.origin, rootPath });

/** Which page is shown: the part of the path after the root path. */
export const pagePath = location.pathname.slice(rootPath.length).replace(/\/+$/, '');

/** The value of a parameter of this page's address. */
export function readParameter(name: string): string | null {
  return search.get(name);
}

/** An address of this server. */
export function addressOf(path: string): string {
  return rootPath + path;
}

/** The address of a sign-in page; the way back is kept. */
export function signInAddressOf(path: string): string {
  return withReturnUrl(rootPath + path, returnPath);
}

const EMAIL = 'sign-in.email';

/** Has the next sign-in of this tab begin with the address. */
export function keepEmail(email: string): void {
  sessionStorage.setItem(EMAIL, email);
}

/** The address that the sign-in begins with; empty where none is known. */
export const keptEmail = sessionStorage.getItem(EMAIL) ?? '';
