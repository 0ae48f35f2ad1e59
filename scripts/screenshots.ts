/**
 * `npm run screenshots [-- folder --only projects,users]`: pictures of every page in both themes, on a large screen, on a laptop and on a
 * phone, over a week of the demo's traffic in servers of their own, with and without accounts; `--only <names>` takes some. Writes `<page>-<width>-<theme>.png`.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { parseArgs } from 'node:util';
import { launchBrowser } from '../test/harness/browser.ts';
import { addPerson, type Shown, WITH_PEOPLE } from '../test/harness/accounts.ts';
import { openSignedIn } from '../test/ui/signed-in-page.ts';
import { startServerProcess } from '../test/harness/server-process.ts';
import { ensureBuilt } from './bootstrap/build.mjs';
import { batchSpans } from './demo/batches.ts';
import { sendSpans, tracesUrl } from './demo/send.ts';
import { recordWeek } from './demo/week.ts';
import { listPictures, type Picture, PICTURES_WITH_ACCOUNTS } from './screenshots/pictures.ts';

const WIDTHS = [1920, 1440, 390];
const THEMES = ['light', 'dark'] as const;
const HEIGHTS: Readonly<Record<number, number>> = { 1920: 1080, 1440: 900, 390: 844 };

const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true });
const only = values.only?.split(',');
const output = resolve(positionals[0] ?? 'screenshots');
ensureBuilt(process.execPath);
mkdirSync(output, { recursive: true });
const browser = await launchBrowser();
try {
  const open = await withServer({}, async (url) => {
    const traffic = recordWeek({ seed: 'demo', days: 7, scale: 0.3, untilMs: Date.now() });
    for (const spans of batchSpans(traffic)) await sendSpans({ url: tracesUrl(url), key: null }, spans);
    return takeAll({ url, headers: {} }, await listPictures(url));
  });
  const asking = await withServer(WITH_PEOPLE, async (url) => {
    const { headers } = await addPerson(url, 'grace', 'ADMIN');
    await addPerson(url, 'ada', 'MEMBER');
    await addPerson(url, 'alan', 'VIEWER');
    return takeAll({ url, headers }, PICTURES_WITH_ACCOUNTS);
  });
  const faults = [...open, ...asking];
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await browser.close();
}

/** Runs a server of its own for as long as `work` takes. */
async function withServer<T>(settings: Record<string, string>, work: (url: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-screenshots-'));
  const server = await startServerProcess(folder, settings);
  try {
    return await work(server.url);
  } finally {
    await server.end('SIGTERM');
    rmSync(folder, { recursive: true });
  }
}

/** Where pages are, and what shows who opens them. */
interface Place {
  readonly url: string;
  readonly headers: Shown;
}

async function takeAll(place: Place, pictures: readonly Picture[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const picture of pictures) {
    if (only !== undefined && !only.includes(picture.name)) continue;
    for (const width of WIDTHS) {
      for (const theme of THEMES) faults.push(...(await take(place, picture, width, theme)));
    }
  }
  return faults;
}

async function take(place: Place, { name, path, prepare }: Picture, width: number, theme: 'light' | 'dark') {
  const view = { theme, width, height: HEIGHTS[width] ?? 900, reducedMotion: 'reduce', isFirstVisit: true } as const;
  await using tab = await openSignedIn(browser, place.url, place, path, view);
  const file = `${name}-${width}-${theme}.png`;
  try {
    await settle(tab.page);
    await prepare?.(tab.page);
    await settle(tab.page);
  } catch (error) {
    console.error(`${file}: ${String(error)}`);
  }
  await tab.page.screenshot({ path: join(output, file) });
  console.log(file);
  return tab.faults.map((fault) => `${file}: ${fault}`);
}

/** Waits until nothing on the page says that it still loads. */
async function settle(page: Page): Promise<void> {
  await page.locator('main').first().waitFor();
  await page
    .locator('[aria-busy="true"], [class*="skeleton"], [role="progressbar"][aria-label^="Loading"]')
    .first()
    .waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready');
}
