/** A real browser for tests of pages: the system's Chromium or Chrome, else the one that npm brings. */
import { existsSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import bundledChromium from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const INSTALLED = [
  process.env['CHROME_PATH'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Starts a browser; closing it is the caller's. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath =
    INSTALLED.find((path) => path !== '' && existsSync(path)) ?? (await bundledChromium.executablePath());
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

/** How a page is shown. */
export interface View {
  readonly theme?: 'light' | 'dark';
  /** Pixels; a laptop's unless it says otherwise. */
  readonly width?: number;
  readonly height?: number;
  readonly reducedMotion?: 'reduce' | 'no-preference';
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
  const { theme = 'light', width = 1440, height = 900, reducedMotion = 'no-preference' } = view;
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
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('requestfailed', (request) => {
    // A page that goes away, or a stream that it no longer wants, gives its requests up.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') faults.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  return { page, context, faults, [Symbol.asyncDispose]: () => context.close() };
}

/** What an automated check finds serious or critical, one line for each element; WCAG 2.2 A and AA and best practices. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  // No page holds a frame, for which alone the other mode opens a page of its own, and takes three times as long.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`));
}
