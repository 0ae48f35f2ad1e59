/** The address where following it is harmless, else nothing: addresses of the web and of mail, in full. */
export function safeAddress(address: string): string {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    // Relative to nothing: it would lead into this product's own pages.
    return '';
  }
  return PROTOCOLS.has(url.protocol) ? url.href : '';
}

const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);
