/**
 * What keeps web pages of others out while callers authenticate: with a list of trusted hosts, requests that a browser marks as
 * coming from a page of another host are refused. Without a list, `Origin` and `Referer` are not looked at. Schemes and ports do not
 * count.
 *
 * With and without it, a cookie speaks for the person, and an answer changes it, only where the person, or a page that may, caused the
 * request: a link elsewhere signs nobody out. Browsers do not send it along from pages of other sites, but they do from other ports of
 * this host and from names beside it.
 */
import { type FetchMetadata, isFromOtherOrigin } from './fetch-metadata.ts';

/** The headers that say where a request comes from. */
export interface PageHeaders extends FetchMetadata {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly referer?: string | undefined;
}

/** What other pages are told. */
export const UNTRUSTED_PAGE =
  'Pages of this origin may not send requests to this server. If the origin is yours, add it to SERVICE_CSRF_TRUSTED_ORIGINS.';

/** Whose pages may do what; names in lower case. */
export interface TrustedPages {
  /** `null` for all hosts. */
  readonly trustedHosts: readonly string[] | null;
  /** By which people reach the server, beside the one that the request names. */
  readonly ownHost?: string | undefined;
  readonly allowedOrigins: readonly string[];
}

/** Whether each of `Origin` and `Referer` that is there names a trusted host, or the one that the request is sent to. */
export function isFromTrustedPage(headers: PageHeaders, { trustedHosts, ownHost }: TrustedPages): boolean {
  if (trustedHosts === null) return true;
  const own = headers.host === undefined ? undefined : hostNameOf(`http://${headers.host}`);
  return [headers.origin, headers.referer].every((page) => {
    if (page === undefined) return true;
    const host = hostNameOf(page);
    return host !== undefined && (host === own || host === ownHost || trustedHosts.includes(host));
  });
}

/** Whether its cookies count: a page of this origin, a person, or a page that the settings name caused it. */
export function mayBringCookies(headers: PageHeaders, { trustedHosts, allowedOrigins }: TrustedPages): boolean {
  if (!isFromOtherOrigin(headers)) return true;
  const page = headers.origin ?? headers.referer;
  if (page === undefined) return false;
  return allowedOrigins.includes(page) || trustedHosts?.includes(hostNameOf(page) ?? '') === true;
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
