/**
 * What keeps web pages out while nobody is asked for credentials. The server then trusts whoever reaches it, and any page
 * that its user opens could make the browser reach it. Three checks close the ways:
 *
 * - Rebinding: a page of evil.example lets that name resolve to this machine and is then of the same origin. The browser
 *   still sends the name in `Host`, so only names that nobody else can own are answered: addresses, localhost, and what
 *   is configured.
 * - Forgery: a page of any origin may post without being asked first. Browsers name the page in `Origin` with every such
 *   request, so an origin that is neither this host nor configured is refused, other ports of this machine and `null`
 *   (sandboxed frames, local files) included: they serve other programs' pages. Programs send no `Origin`.
 * - Probing: a picture, a script or a `no-cors` request has no `Origin`. Its page cannot read the answer, but can tell how long
 *   it took, and so whether a word occurs. Browsers mark what a page of another origin causes (`fetch-metadata.ts`); it is
 *   refused unless it leads a tab to a page of this server.
 */
import { isIP } from 'node:net';
import { type FetchMetadata, isFromOtherOrigin } from './fetch-metadata.ts';

/** Names by which the server may be addressed beside addresses, and origins that may call it beside its own. */
export interface HostGuardOptions {
  /** In lower case. */
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

/** The headers that browsers do not let pages choose. */
export interface GuardedHeaders extends FetchMetadata {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}

/**
 * Why the request is refused, in a sentence that says what to do; `undefined` when it may go on.
 * @param isVisit whether it leads a tab to a page, which links of other origins may do
 */
export function findRefusal(headers: GuardedHeaders, options: HostGuardOptions, isVisit = false): string | undefined {
  const { host = '', origin } = headers;
  const name = parseHostName(host);
  if (name === undefined) return 'The header Host is missing or does not name a host.';
  if (!isKnownHost(name, options.allowedHosts)) {
    return `This server does not accept requests for the host name ${name}. If the name is yours, add it to SERVICE_ALLOWED_HOSTS.`;
  }
  if (origin !== undefined && options.allowedOrigins.includes(origin)) return undefined;
  const isOther = origin !== undefined && !isSameHost(origin, host);
  if (!isOther && (isVisit || !isFromOtherOrigin(headers))) return undefined;
  return 'Pages of other origins may not call this server. If this origin is yours, add it to SERVICE_ALLOWED_ORIGINS.';
}

function parseHostName(host: string): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9_.-]+))(?::\d{1,5})?$/.exec(host.toLowerCase());
  return match?.[1] ?? match?.[2]?.replace(/\.$/, '');
}

/** Names below localhost are loopback by definition. @see https://www.rfc-editor.org/rfc/rfc6761#section-6.3 */
function isKnownHost(name: string, allowedHosts: readonly string[]): boolean {
  return isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost') || allowedHosts.includes(name);
}

function isSameHost(origin: string, host: string): boolean {
  const page = URL.parse(origin);
  if (page === null || (page.protocol !== 'http:' && page.protocol !== 'https:')) return false;
  return page.host === URL.parse(`${page.protocol}//${host}`)?.host;
}
