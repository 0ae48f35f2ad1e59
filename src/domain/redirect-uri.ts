/** Where an application may have people sent back to with a code. @see https://www.rfc-editor.org/rfc/rfc9700#section-2.1 */

/** A program on the machine of the person, a scheme that only the application opens, or a site. */
export type RedirectKind = 'loopback' | 'private' | 'https';

/** Longest address that is taken. */
export const MAX_REDIRECT_LENGTH = 2048;

/** Of which kind an address is; `null` for one that no code is sent to. */
export function redirectKindOf(text: string): RedirectKind | null {
  // Browsers drop white space and control characters, and take a backslash for a slash.
  if (text.length > MAX_REDIRECT_LENGTH || !/^[\x21-\x7e]+$/.test(text) || /[\\#"<>]/.test(text)) return null;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return null;
  if (url.protocol === 'http:')
    return LOOPBACK.has(url.hostname) && withoutPort(text) !== undefined ? 'loopback' : null;
  if (url.protocol === 'https:') return url.hostname === '' ? null : 'https';
  return !OTHERS.has(url.protocol) && /^[a-z][a-z0-9+.-]*:\//.test(text) ? 'private' : null;
}

/**
 * Whether an address is one that the application registered: exactly, but for the port of a program on the person's machine, which the system
 * chooses anew at each start.
 */
export function isRegisteredRedirect(asked: string, registered: readonly string[]): boolean {
  const kind = redirectKindOf(asked);
  if (kind === null) return false;
  return registered.some((known) =>
    kind === 'loopback' ? withoutPort(known) === withoutPort(asked) : known === asked,
  );
}

/** The host that an address leads to; `null` for a scheme of an application. */
export function hostOfRedirect(text: string): string | null {
  return redirectKindOf(text) === 'private' ? null : (URL.parse(text)?.hostname ?? null);
}

/** The address with more parameters. */
export function redirectWith(address: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.append(name, value);
  return url.href;
}

function withoutPort(text: string): string | undefined {
  // Nothing is normalised but the port: the rest is compared as it was written.
  return /^(http:\/\/(?:\[::1\]|[^/?:]+))(?::\d{1,5})?((?:[/?].*)?)$/.exec(text)?.slice(1).join(' ');
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Schemes that browsers or systems open by themselves, so that no application has them for itself. */
const OTHERS: ReadonlySet<string> = new Set(
  'about blob chrome content data edge file filesystem ftp ftps geo intent jar javascript ldap mailto ms-appx resource sftp sms smb ssh tel telnet urn vbscript view-source ws wss'
    .split(' ')
    .map((scheme) => `${scheme}:`),
);
