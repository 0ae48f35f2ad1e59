import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedBrowser } from '../harness/browser.ts';
import { spanId, traceId } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { openList, range, readNames, row, rows, sendTraces } from './list-page.ts';

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

describe('a table that is followed', () => {
  it('shows a new trace by itself at its top', async () => {
    await sendTraces(server.url, 'quiet', range(1, 5));
    await using tab = await openList(browser, server.url, 'quiet', 'traces?range=7d');
    await sendTraces(server.url, 'quiet', [6]);
    await row(tab.page, 6).waitFor();
    expect((await readNames(tab.page))[0]).toBe('answer 6');
    expect(tab.faults).toEqual([]);
  });

  it('counts new traces further down, and keeps place, focus and panel until they are asked for', async () => {
    await sendTraces(server.url, 'busy', range(1001, 1090));
    await using tab = await openList(browser, server.url, 'busy', 'traces?range=7d');
    const { page } = tab;
    await page.evaluate(() => document.querySelector('[role=grid]')?.parentElement?.scrollTo(0, 1200));
    await row(page, 1050).getByText('question 1050').click();
    await page.getByRole('region', { name: 'Trace answer 1050' }).waitFor();
    const place = await row(page, 1050).boundingBox();
    await sendTraces(server.url, 'busy', [1091, 1092]);
    await page.getByRole('button', { name: '2 new' }).waitFor();
    await expect.poll(() => row(page, 1050).boundingBox()).toEqual(place);
    await expect.poll(() => row(page, 1050).getAttribute('aria-current')).toBe('true');
    await page.getByRole('button', { name: '2 new' }).click();
    await row(page, 1092).waitFor();
    await page.getByRole('button', { name: '2 new' }).waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('region', { name: 'Trace answer 1050' }).isVisible()).toBe(true);
  });

  it('reads a row again that grew, where it stands', async () => {
    await sendTraces(server.url, 'growing', range(2001, 2060));
    await using tab = await openList(browser, server.url, 'growing', 'traces?range=7d');
    await tab.page.evaluate(() => document.querySelector('[role=grid]')?.parentElement?.scrollTo(0, 700));
    await row(tab.page, 2035).waitFor();
    await sendTraces(server.url, 'growing', [9999], {
      traceId: traceId(2035),
      parentSpanId: spanId(2035),
      status: 'ERROR',
    });
    await row(tab.page, 2035).getByText('Error').waitFor();
  });

  it('asks nothing while the tab is hidden, and catches up when it is seen again', async () => {
    await sendTraces(server.url, 'away', range(3001, 3003));
    await using tab = await openList(browser, server.url, 'away', 'traces?range=7d');
    await untilQuiet(tab.page);
    await setHidden(tab.page, true);
    const asked: string[] = [];
    tab.page.on('request', (request) => asked.push(request.url()));
    // The palette's code is fetched when the page has nothing else to do, seen or not.
    const questions = () => asked.filter((url) => !url.includes('/assets/'));
    await sendTraces(server.url, 'away', [3004]);
    await tab.page.waitForTimeout(3500);
    expect(questions()).toEqual([]);
    await setHidden(tab.page, false);
    await row(tab.page, 3004).waitFor();
  });

  it('asks every two seconds where no stream gets through', async () => {
    await sendTraces(server.url, 'blocked', range(4001, 4003));
    await using tab = await openList(browser, server.url, 'blocked', 'traces?range=7d');
    await tab.context.route('**/graphql', (route) =>
      route.request().postData()?.includes('subscription') === true ? route.abort() : route.continue(),
    );
    await tab.page.reload();
    await rows(tab.page).first().waitFor();
    await tab.page.waitForTimeout(2500);
    await sendTraces(server.url, 'blocked', [4004]);
    await row(tab.page, 4004).waitFor();
  });

  it('says when no server answers, and is live again when one does', async () => {
    await sendTraces(server.url, 'gone', [6001]);
    await using tab = await openList(browser, server.url, 'gone', 'traces?range=7d');
    const live = tab.page.getByRole('button', { name: 'Live', exact: true });
    await untilQuiet(tab.page);
    await tab.context.setOffline(true);
    // The palette asks the server, and leaves the page as it is.
    await tab.page.keyboard.press('ControlOrMeta+k');
    await tab.page.getByText('The server is not responding.').first().waitFor({ state: 'attached' });
    await tab.page.keyboard.press('Escape');
    await tab.page.getByRole('button', { name: 'Live, but no response from the server' }).waitFor();
    await tab.context.setOffline(false);
    await live.waitFor();
  });

  it('stays as it is while it is held', async () => {
    await sendTraces(server.url, 'held', range(5001, 5003));
    await using tab = await openList(browser, server.url, 'held', 'traces?range=7d');
    await tab.page.getByRole('button', { name: 'Live' }).click();
    await untilQuiet(tab.page);
    await sendTraces(server.url, 'held', [5004]);
    await tab.page.waitForTimeout(2500);
    await expect.poll(() => row(tab.page, 5004).count()).toBe(0);
    await tab.page.getByRole('button', { name: 'Refresh' }).click();
    await row(tab.page, 5004).waitFor();
  });
});

/** Waits until a second passes without an answer: what is under way can bring what is sent next. */
async function untilQuiet(page: Page): Promise<void> {
  let before = -1;
  const isQuiet = async () => {
    const count = await page.evaluate(() => performance.getEntriesByType('resource').length);
    const isSame = count === before;
    before = count;
    return isSame;
  };
  await expect.poll(isQuiet, { interval: 1000 }).toBe(true);
}

async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}
