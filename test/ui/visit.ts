/** Goes on in a page that is open, where a test does not need a first visit: loading a page is most of what its test costs. */
import type { Page } from 'playwright-core';
import { showInPage } from '../harness/kept-page.ts';
import { IS_LONG } from '../harness/long-run.ts';

/** Shows an address of the server in the place of another, as a link within the pages does; `npm run test:long` loads it. */
export async function visit(page: Page, path: string): Promise<void> {
  const { href, pathname, search } = new URL(path, page.url());
  if (IS_LONG) {
    await page.goto(href);
    return;
  }
  await page.waitForLoadState('load');
  await showInPage(page, `${pathname}${search}`);
}
