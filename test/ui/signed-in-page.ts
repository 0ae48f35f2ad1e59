/** Pages that somebody who has signed in opens. */
import type { Browser } from 'playwright-core';
import type { Shown } from '../harness/accounts.ts';
import { openPage, type TestPage, type View } from '../harness/browser.ts';

/** Opens an address with the cookies that a person was given. */
export async function openSignedIn(
  browser: Browser,
  url: string,
  { headers }: { readonly headers: Shown },
  path: string,
  view?: View,
): Promise<TestPage> {
  // Any address of the server, so that what was remembered of it is gone.
  const tab = await openPage(browser, `${url}/healthz`, view);
  const shown = headers['cookie']?.split('; ') ?? [];
  const cookies = shown.map((cookie) => {
    const [name = '', ...value] = cookie.split('=');
    return { name, value: value.join('='), url };
  });
  await tab.context.addCookies(cookies);
  await tab.page.goto(`${url}${path}`);
  return tab;
}
