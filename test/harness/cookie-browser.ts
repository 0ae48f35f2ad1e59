/** A browser as a server sees it: it keeps cookies and sends them along. */
import { parseSetCookie } from 'cookie';

/** What a server answered. */
export interface BrowserAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** One browser on one server. */
export class CookieBrowser {
  readonly cookies = new Map<string, string>();
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** @param headers sent with every request, as a proxy would add them */
  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.#url = url;
    this.#headers = headers;
  }

  async send(method: 'GET' | 'POST', path: string, body?: unknown): Promise<BrowserAnswer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${this.#url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...this.#headers,
        ...(cookie !== '' && { cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const { name, value = '', maxAge } of response.headers.getSetCookie().map((text) => parseSetCookie(text))) {
      if (maxAge === 0) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return { status: response.status, text: await response.text(), headers: response.headers };
  }

  /** The status of signing in. */
  async logIn(email: string, password: string): Promise<number> {
    return (await this.send('POST', '/auth/login', { email, password })).status;
  }

  /** What an operation of GraphQL answers. */
  async ask(query: string): Promise<unknown> {
    return JSON.parse((await this.send('POST', '/graphql', { query })).text) as unknown;
  }

  /** Another browser with some of the cookies. */
  copy(...names: readonly string[]): CookieBrowser {
    const copied = new CookieBrowser(this.#url, this.#headers);
    for (const [name, value] of this.cookies) if (names.includes(name)) copied.cookies.set(name, value);
    return copied;
  }
}
