/** A real browser for tests of pages: the one that npm brings, or the system's Chromium or Chrome. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import bundledChromium from '@sparticuz/chromium';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { keepPage, prepareKeeping, showInPage, takeKeptPage } from './kept-page.ts';
import { IS_LONG } from './long-run.ts';
import { hasSharedMemory } from './shared-memory.ts';

const INSTALLED = [
  process.env['CHROME_PATH'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Path of the program of the system's browser; that of npm, unpacked where it is not yet, where the system has none. */
async function findBrowser(): Promise<string> {
  return INSTALLED.find((path) => path !== '' && existsSync(path)) ?? (await bundledChromium.executablePath());
}

/**
 * Path of the program that a run of the tests opens pages with. That of npm is a Chromium without windows of its own, which shows
 * a page in two thirds of the processor time that another takes; the long run tests with the browser that people have.
 */
export async function findBrowserOfTests(): Promise<string> {
  const isBundled = process.platform === 'linux' && process.arch === 'x64';
  if (IS_LONG || !isBundled || (process.env['CHROME_PATH'] ?? '') !== '') return findBrowser();
  const path = await bundledChromium.executablePath();
  // It needs libraries that a system may lack.
  return spawnSync(path, ['--version']).status === 0 ? path : findBrowser();
}

/** Starts a browser; closing it is the caller's. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CAIRN_TEST_BROWSER'] ?? (await findBrowser()),
    args: ['--no-sandbox'],
    // Else its processes share memory in files on the disk, a tenth of what a page costs.
    ignoreDefaultArgs: hasSharedMemory(2 ** 30) ? ['--disable-dev-shm-usage'] : [],
  });
}

/** The browser of this worker, for all of its files; it ends with the worker. What pages load, it loads once. */
export async function sharedBrowser(): Promise<Browser> {
  shared ??= shareBrowser();
  return (await shared).browser;
}

let shared: Promise<{ readonly browser: Browser; readonly context: BrowserContext }> | undefined;

async function shareBrowser() {
  const browser = await launchBrowser();
  const context = await openContext(browser, {});
  await prepareKeeping(context);
  return { browser, context };
}

/** Both themes where all is tested, else the light one: contrast of either is computed from the tokens, too. */
export const THEMES: readonly ('light' | 'dark')[] = IS_LONG ? ['light', 'dark'] : ['light'];

/** How a page is shown. */
export interface View {
  readonly theme?: 'light' | 'dark';
  /** Pixels; a laptop's unless it says otherwise. */
  readonly width?: number;
  readonly height?: number;
  readonly reducedMotion?: 'reduce' | 'no-preference';
  /** Whether nothing has been loaded before, as on a first visit. */
  readonly isFirstVisit?: boolean;
  /** Whether the page is loaded even if a test has left one that could go on. */
  readonly isLoadedAnew?: boolean;
}

/** A page of its own, without anything remembered, and what went wrong on it. */
export interface TestPage extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Uncaught errors, errors on the console (refusals of the content security policy among them) and failed requests. */
  readonly faults: readonly string[];
}

/** Opens an address. */
export async function openPage(browser: Browser, url: string, view: View = {}): Promise<TestPage> {
  const known = view.isFirstVisit === true ? undefined : await shared;
  const isShared = known?.browser === browser;
  const context = isShared ? known.context : await openContext(browser, view);
  const keptPage = isShared ? await takeKeptPage(url, view.isLoadedAnew !== true) : undefined;
  const others = context.pages().filter((page) => page !== keptPage);
  const page = keptPage ?? (await context.newPage());
  if (isShared) await startAfresh(page, url, view);
  if (keptPage !== undefined) await page.evaluate(HIDE_FILTERS);
  else if (view.isFirstVisit !== true) await page.addInitScript(closeFilters);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('requestfailed', (request) => {
    // A page that goes away, or a stream that it no longer wants, gives its requests up.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') faults.push(`request: ${request.url()}`);
  });
  if (keptPage === undefined) await page.goto(url);
  else await showInPage(page, url.slice(new URL(url).origin.length));
  const dispose = async () => {
    if (!isShared) return context.close();
    // What went wrong may stay so.
    if (faults.length > 0) await page.close();
    return leave(page, context, others);
  };
  return { page, context, faults, [Symbol.asyncDispose]: dispose };
}

async function openContext(browser: Browser, view: View): Promise<BrowserContext> {
  const { theme, reducedMotion, width, height } = { ...LAPTOP, ...view };
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    // No browser knows who signs the certificates of tests.
    ignoreHTTPSErrors: true,
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  return context;
}

/** On a first visit filters stand beside tables; most tests look at the tables alone. */
function closeFilters(): void {
  try {
    localStorage.setItem('cairn.facets', localStorage.getItem('cairn.facets') ?? 'false');
  } catch {
    // The page has no origin yet.
  }
}

/** The same in a page that is open already. */
const HIDE_FILTERS = `
  localStorage.setItem('cairn.facets', 'false');
  window.dispatchEvent(new StorageEvent('storage', { key: 'cairn.facets' }));`;

/** Motion takes a fifth of the processor time of tests of pages. The long run shows it. */
const LAPTOP = {
  theme: 'light',
  width: 1440,
  height: 900,
  reducedMotion: IS_LONG ? 'no-preference' : 'reduce',
} as const;

/** Nothing is remembered of pages before but what was loaded. */
async function startAfresh(page: Page, url: string, view: View): Promise<void> {
  const { theme, reducedMotion, width, height } = { ...LAPTOP, ...view };
  const session = await page.context().newCDPSession(page);
  const storageTypes = 'cookies,local_storage,indexeddb,cache_storage,service_workers';
  await Promise.all([
    session.send('Storage.clearDataForOrigin', { origin: new URL(url).origin, storageTypes }),
    page.setViewportSize({ width, height }),
    page.emulateMedia({ colorScheme: theme, reducedMotion }),
  ]);
  await session.detach();
}

/** Closes what was opened since the others were there, but for the page itself, which is kept. */
async function leave(page: Page, context: BrowserContext, others: readonly Page[]): Promise<void> {
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.setOffline(false);
  const own = context.pages().filter((one) => one !== page && !others.includes(one));
  await Promise.all([...own.map((one) => one.close()), keepPage(page)]);
}

/** What an automated check finds serious or critical, one line for each element; WCAG 2.2 A and AA and best practices. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  await page.locator(WAITING).first().waitFor({ state: 'detached' });
  await page.evaluate(UNTIL_FADED);
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(axe.source);
  return page.evaluate<readonly string[]>(CHECK);
}

/** Runs the check; what passed stays in the page, because it is a megabyte. Texts, because these types know no document. */
const CHECK = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
  violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) => nodes.map(({ html }) => id + ': ' + help + ': ' + html.slice(0, 200))),
)`;

/** What waits for newer data is faint until it has it. */
const WAITING = '[data-waiting]';

/** What fades in has too little contrast until it is there. An animation that has no end, or comes to none within five seconds, is not waited for. */
const UNTIL_FADED = `Promise.race([
  Promise.allSettled(
    document.getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
      .map(({ finished }) => finished),
  ).then(() => undefined),
  new Promise((resolve) => setTimeout(resolve, 5000)),
])`;
