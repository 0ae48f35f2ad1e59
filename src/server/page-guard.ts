/**
 * What keeps web pages of others out while callers authenticate: with a list of trusted hosts, requests that a browser marks as
 * coming from a page of another host are refused. Without a list nothing is looked at, and the cookies alone, which browsers do not
 * send along from pages of other sites, tell pages apart. Schemes and ports do not count.
 */

/** The headers that say where a request comes from. */
export interface PageHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly referer?: string | undefined;
}

/** What other pages are told. */
export const UNTRUSTED_PAGE =
  'Pages of this origin may not send requests to this server. If the origin is yours, add it to SERVICE_CSRF_TRUSTED_ORIGINS.';

/**
 * Whether each of `Origin` and `Referer` that is there names a trusted host, or the one that the request is sent to.
 * @param trustedHosts in lower case; `null` for all hosts
 */
export function isFromTrustedPage(headers: PageHeaders, trustedHosts: readonly string[] | null): boolean {
  if (trustedHosts === null) return true;
  const own = headers.host === undefined ? undefined : hostNameOf(`http://${headers.host}`);
  return [headers.origin, headers.referer].every((page) => {
    if (page === undefined) return true;
    const host = hostNameOf(page);
    return host !== undefined && (host === own || trustedHosts.includes(host));
  });
}

/**
 * Whether pages of other sites lead browsers to the route by design. A provider of identities does; what such a request may do hangs on a
 * cookie that binds it to what this browser began.
 * @param path of the route, with its parameters by name
 */
export function isMetFromOutside(path: string | undefined): boolean {
  return path === '/oauth2/:idp/tokens';
}

function hostNameOf(url: string): string | undefined {
  const hostname = URL.parse(url)?.hostname;
  return hostname === '' ? undefined : hostname;
}
