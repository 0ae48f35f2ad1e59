/** A browser that signs in with a provider: follows where it is led, and keeps the cookies of each host. */
import { parseSetCookie } from 'cookie';

/** Where a browser was led to. */
export interface Visit {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** One browser. Ports of one host share cookies, as they do in real ones. */
export class ProviderBrowser {
  readonly cookies = new Map<string, string>();
  /** Every address that it was led to, in order. */
  readonly visited: string[] = [];

  /** Loads an address, and what it leads to, up to the first answer that leads nowhere or to an address that is stopped at. */
  async visit(address: string, isEnd: (url: URL) => boolean = () => false): Promise<Visit> {
    let url = new URL(address);
    for (let count = 0; count < MAX_REDIRECTS; count++) {
      const visit = await this.load(url.href);
      const location = visit.headers.get('location');
      if (location === null) return visit;
      url = new URL(location, url);
      if (isEnd(url)) return { ...visit, url };
    }
    throw new Error('The browser is led in a circle.');
  }

  /**
   * Signs in with a provider, as somebody.
   * @param address that begins it
   * @returns where the server led in the end
   */
  async signIn(address: string, person: string): Promise<Visit> {
    const chosen = await this.choose(address, person);
    return chosen.url.pathname.startsWith('/oauth2/') ? this.visit(chosen.url.href) : chosen;
  }

  /** The same up to the address by which the provider sends the browser back, before it goes there. */
  async choose(address: string, person: string): Promise<Visit> {
    const asked = await this.visit(address, ({ pathname }) => pathname.endsWith('/tokens'));
    if (!asked.url.pathname.startsWith('/interaction/')) return asked;
    return this.visit(`${asked.url.href}?person=${person}`, ({ pathname }) => pathname.endsWith('/tokens'));
  }

  /** Loads one address. */
  async load(address: string, method: 'GET' | 'POST' = 'GET'): Promise<Visit> {
    this.visited.push(address);
    const url = new URL(address);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { method, redirect: 'manual', headers: { ...(cookie !== '' && { cookie }) } });
    for (const text of response.headers.getSetCookie()) {
      const { name, value = '', maxAge, expires } = parseSetCookie(text);
      if (maxAge === 0 || (expires !== undefined && expires.getTime() < Date.now())) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return { url, status: response.status, headers: response.headers, text: await response.text() };
  }
}

const MAX_REDIRECTS = 12;
