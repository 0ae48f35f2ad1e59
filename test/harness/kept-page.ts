/**
 * The page that a test has left: its code is loaded, and the next test of the same server goes on in it, as somebody does who
 * follows a link. Loading a page is most of what a test of pages costs; `npm run test:long` loads each.
 */
import type { BrowserContext, Page } from 'playwright-core';
import { IS_LONG } from './long-run.ts';
import { countStarts } from './server.ts';

/** Where nothing is asked of the server. */
const NOWHERE = '/nowhere';

/** What tests listen to. */
const EVENTS = ['pageerror', 'console', 'requestfailed', 'requestfinished', 'request', 'response', 'dialog'] as const;

let kept: { readonly page: Page; readonly origin: string; readonly starts: number } | undefined;

/** Lets pages of the context be kept. */
export async function prepareKeeping(context: BrowserContext): Promise<void> {
  if (!IS_LONG) await context.addInitScript({ content: FIND_RELAY });
}

/** The page that was kept, if it is one of this server and may go on; it is the caller's now. */
export async function takeKeptPage(url: string, mayGoOn: boolean): Promise<Page | undefined> {
  const taken = kept;
  kept = undefined;
  if (taken === undefined) return undefined;
  const { page, origin, starts } = taken;
  if (mayGoOn && !page.isClosed() && origin === new URL(url).origin && starts === countStarts()) return page;
  await page.close();
  return undefined;
}

/** Keeps a page for the next test, as it is when nothing is remembered, or closes it. */
export async function keepPage(page: Page): Promise<void> {
  if (kept !== undefined || IS_LONG || page.isClosed()) return page.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  for (const event of EVENTS) page.removeAllListeners(event);
  const isFresh = await startOver(page).catch(() => false);
  if (!isFresh) return page.close();
  kept = { page, origin: new URL(page.url()).origin, starts: countStarts() };
}

/** Shows another address of the server in the page, as a link within the pages does; loads it where that does not lead there. */
export async function showInPage(page: Page, path: string): Promise<void> {
  const hasArrived = await page.evaluate<boolean>(`(${GO_TO})(${JSON.stringify(path)})`);
  if (!hasArrived) await page.goto(new URL(path, page.url()).href);
}

/** Leaves what the page shows, and forgets what it knows; false where it is no page that can go on. */
async function startOver(page: Page): Promise<boolean> {
  if (!(await page.evaluate<boolean>(CAN_GO_ON))) return false;
  await showInPage(page, NOWHERE);
  return page.evaluate<boolean>(FORGET);
}

// Texts, because these types know no document.

/** Relay tells its store to the tools of developers. */
const FIND_RELAY = `window.__RELAY_DEVTOOLS_HOOK__ = {
  registerEnvironment: (environment) => { window.__CAIRN_TEST_RELAY__ = environment; },
};`;

/** Whether it is a page of the product, for everybody. */
const CAN_GO_ON = `(() => {
  const config = document.querySelector('#cairn-config')?.textContent;
  return config != null && !JSON.parse(config).authEnabled && '__TSR_ROUTER__' in window && '__CAIRN_TEST_RELAY__' in window;
})()`;

/**
 * Whether the page comes to an address within ten seconds. The page looks itself: Playwright's own way to look again and again is code that
 * the policy of the pages refuses.
 */
const GO_TO = `async (href) => {
  const router = window.__TSR_ROUTER__;
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const hasArrived = () => router.state.status === 'idle' && router.state.resolvedLocation?.href === router.state.location.href;
  const endMs = performance.now() + 10_000;
  await Promise.race([router.navigate({ href }), sleep(10_000)]);
  while (!hasArrived() && performance.now() < endMs) await sleep(10);
  return hasArrived();
}`;

/** Whether nothing is left. What was read to a screen reader is about what is gone. */
const FORGET = `(() => {
  window.__CAIRN_TEST_RELAY__.commitUpdate((store) => store.invalidateStore());
  const keys = Object.keys(localStorage);
  localStorage.clear();
  sessionStorage.clear();
  for (const key of keys) window.dispatchEvent(new StorageEvent('storage', { key }));
  for (const said of document.querySelectorAll('[data-live-announcer] [role=log] > *')) said.remove();
  document.activeElement?.blur?.();
  return document.querySelector('[role=dialog], [role=menu], [aria-label=Notifications] > *') === null;
})()`;
