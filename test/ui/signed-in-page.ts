/** Pages that somebody who has signed in opens. */
import type { Browser } from 'playwright-core';
import type { Shown } from '../harness/accounts.ts';
import { openPage, type TestPage, type View } from '../harness/browser.ts';

/** Opens an address with the cookies that a person was given. */
export function openSignedIn(
  browser: Browser,
  url: string,
  { headers }: { readonly headers: Shown },
  path: string,
  view?: View,
): Promise<TestPage> {
  const cookies = (headers['cookie'] ?? '').split('; ').map((cookie) => {
    const [name = '', ...value] = cookie.split('=');
    return { name, value: value.join('='), url };
  });
  return openPage(browser, `${url}${path}`, { ...view, cookies });
}
