/** Where people go on after signing in. The address that says so can be written by anyone, so it is checked. */

/** Pages that stand before signing in: none is a place to return to. */
const SIGN_IN_PAGES: ReadonlySet<string> = new Set([
  '/login',
  '/logout',
  '/forgot-password',
  '/reset-password',
  '/reset-password-with-token',
]);

/** Routes that sign people in and out, which are no places to return to either: `/auth/logout` would undo the sign-in. */
const SIGN_IN_ROUTES = /^\/+auth(?:\/|$)/;

// A browser drops tabs and line feeds from an address, and takes a backslash for a slash.
const FORBIDDEN = /[\\\u0000-\u001f\u007f]/;

/**
 * The path that a return address names, or undefined unless it is a path of this server: it starts with a single slash and lies
 * below the root path.
 */
export function readReturnUrl(
  text: string | null,
  server: { readonly origin: string; readonly rootPath: string },
): string | undefined {
  if (text === null || !/^\/(?!\/)/.test(text) || FORBIDDEN.test(text)) return undefined;
  const url = URL.parse(text, server.origin);
  if (url === null || url.origin !== server.origin) return undefined;
  const { pathname, search, hash } = url;
  // Steps upwards can leave two slashes at the start, which name another server.
  if (pathname.startsWith('//')) return undefined;
  if (pathname !== server.rootPath && !pathname.startsWith(`${server.rootPath}/`)) return undefined;
  const page = decodePath(pathname.slice(server.rootPath.length));
  if (page === undefined || SIGN_IN_PAGES.has(page.replace(/\/+$/, '')) || SIGN_IN_ROUTES.test(page)) return undefined;
  return pathname + search + hash;
}

/** As the router reads it; undefined for what is no percent-encoded text. */
function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** The address of a sign-in page that leads back to `path`. */
export function withReturnUrl(page: string, path: string | undefined): string {
  return path === undefined ? page : `${page}${page.includes('?') ? '&' : '?'}returnUrl=${encodeURIComponent(path)}`;
}
