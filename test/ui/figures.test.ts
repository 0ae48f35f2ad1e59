import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers, openPage, sharedBrowser, THEMES } from '../harness/browser.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { findProjectId, openList, range, row, sendTraces } from './list-page.ts';
import { visit } from './visit.ts';

let browser: Browser;
let server: TestServer;

const CALL = {
  'openinference.span.kind': 'LLM',
  'llm.model_name': 'gpt-4o',
  'llm.token_count.prompt': 1000,
  'llm.token_count.completion': 500,
};

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  // Twenty traces that last 1 to 20 ms, of which two failed; one of them in a session.
  await sendTraces(server.url, 'shop', range(1, 18), { status: 'OK', attributes: CALL });
  await sendTraces(server.url, 'shop', [19, 20], { status: 'ERROR', attributes: { ...CALL, 'session.id': 'chat' } });
  await sendTraces(server.url, 'desk', range(101, 105), { status: 'OK' });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

function line(page: Page, of: string) {
  return page.getByRole('region', { name: `Figures of the ${of}`, exact: true });
}

/** What the line says, without what separates its figures. */
function readLine(page: Page, of: string) {
  return line(page, of)
    .innerText()
    .then((text) => text.replaceAll(/\s+/g, ' '));
}

describe('above a table', () => {
  it('a line says what all rows come to, and leads to those that failed, the slowest and the most expensive', async () => {
    await using tab = await openList(browser, server.url, 'shop', 'traces?range=all');
    const { page } = tab;
    await expect
      .poll(() => readLine(page, 'traces shown'))
      .toBe('20 traces 10 % errors p50 11 ms p95 19 ms 30k tokens $0.15 cost');
    await line(page, 'traces shown').getByRole('link', { name: '10 % errors' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('filter')).toBe('error_count > 0');
    await expect.poll(() => readLine(page, 'traces shown')).toMatch(/^2 traces 100 % errors p50 20 ms/);
    await page.goBack();
    await expect.poll(() => readLine(page, 'traces shown')).toMatch(/^20 traces/);
    await line(page, 'traces shown').getByRole('link', { name: /^p95/ }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('filter')).toBe('latency_ms >= 19');
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('latency:desc');
    await expect.poll(() => readLine(page, 'traces shown')).toMatch(/^2 traces 100 % errors/);
    await line(page, 'traces shown').getByRole('link', { name: /cost$/ }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('cost:desc');
    expect(tab.faults).toEqual([]);
  });

  it('a line keeps its place before its figures come, while rows are there, and is none where there are no rows', async () => {
    const id = await findProjectId(server.url, 'shop');
    await using tab = await openPage(browser, 'about:blank');
    const { page } = tab;
    const held = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('useTotalsSpansQuery') === true) await held.promise;
      await route.continue();
    });
    await page.goto(`${server.url}/projects/${id}/spans?range=all`);
    await row(page, 20).waitFor();
    const top = () => page.getByRole('grid').evaluate((grid) => grid.getBoundingClientRect().top);
    const before = await top();
    held.resolve();
    await expect.poll(() => readLine(page, 'spans shown')).toMatch(/^20 spans 10 % errors/);
    expect(await top()).toBe(before);
    await visit(page, `/projects/${id}/spans?range=all&filter=latency_ms%20%3E%20999`);
    await page.getByText('No spans match').waitFor();
    await expect.poll(() => line(page, 'spans shown').count()).toBe(0);
    await visit(page, `/projects/${id}/sessions?range=all`);
    await expect.poll(() => readLine(page, 'sessions shown')).toMatch(/^1 session 100 % errors .* 3,000 tokens/);
    expect(tab.faults).toEqual([]);
  });

  it('a line is read again with its rows', async () => {
    await using tab = await openList(browser, server.url, 'desk', 'traces?range=all');
    await expect.poll(() => readLine(tab.page, 'traces shown')).toMatch(/^5 traces 0 % errors/);
    await sendTraces(server.url, 'desk', [106], { status: 'ERROR' });
    await tab.page.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(() => readLine(tab.page, 'traces shown')).toMatch(/^6 traces 17 % errors/);
  });

  it('each figure of traces leads to its chart, which says the same of all', async () => {
    await using tab = await openList(browser, server.url, 'shop', 'traces?range=all');
    const { page } = tab;
    await line(page, 'traces shown')
      .getByRole('link', { name: /tokens$/ })
      .click();
    await page.waitForURL(/\/metrics\?.*#tokens$/);
    await expect
      .poll(() => readLine(page, 'charts'))
      .toBe('20 traces 10 % errors p50 11 ms p95 19 ms 30k tokens $0.15 cost');
    for (const link of await line(page, 'charts').getByRole('link').all()) {
      const { hash } = new URL((await link.getAttribute('href')) ?? '', server.url);
      await expect.poll(() => page.locator(hash).count()).toBe(1);
    }
    expect(await findBarriers(page)).toEqual([]);
  });
});

describe('the projects', () => {
  const card = (page: Page, name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });

  it('come before their figures, and say what happened in the chosen time', async () => {
    await using tab = await openPage(browser, 'about:blank');
    const { page } = tab;
    const held = Promise.withResolvers<void>();
    const asked: string[] = [];
    await page.route('**/graphql', async (route) => {
      const { operationName } = route.request().postDataJSON() as { readonly operationName: string };
      asked.push(operationName);
      if (operationName === 'useProjectFiguresQuery') await held.promise;
      await route.continue();
    });
    await page.goto(`${server.url}/projects`);
    await card(page, 'shop').waitFor();
    await expect.poll(() => asked).toEqual(['projectListQuery', 'useProjectFiguresQuery']);
    const height = () => card(page, 'shop').evaluate((element) => element.clientHeight);
    const before = await height();
    held.resolve();
    await card(page, 'shop')
      .getByRole('img', { name: /^20 traces, 2 with errors\. Busiest: / })
      .waitFor();
    expect(await height()).toBe(before);
    const read = () => card(page, 'shop').getByRole('definition').allInnerTexts();
    await expect.poll(read).toEqual(['20', '10 %', '11 ms', '19 ms', '$0.15']);
    await page.keyboard.press('t');
    await page.getByRole('button', { name: 'Last 15 minutes' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('range')).toBe('15m');
    await expect.poll(read).toEqual(['0', '–', '–', '–', '–']);
    await page.reload();
    await card(page, 'shop').getByRole('img', { name: 'No traces' }).waitFor();
    await page.getByRole('link', { name: 'shop', exact: true }).click();
    await page.waitForURL(/\/traces\?range=15m/);
    expect(tab.faults).toEqual([]);
  });

  it('are sorted by the header that is pressed', async () => {
    await using tab = await openPage(browser, `${server.url}/projects?range=all`);
    const { page } = tab;
    await page.getByRole('radio', { name: 'Table' }).click();
    const names = () => page.getByRole('rowheader').getByRole('link').allInnerTexts();
    await expect.poll(names).toEqual(expect.arrayContaining(['shop', 'desk']));
    await page.getByRole('button', { name: 'Traces', exact: true }).click();
    await expect.poll(async () => (await names()).slice(0, 2)).toEqual(['shop', 'desk']);
    await page.getByRole('button', { name: 'Traces', exact: true }).click();
    await expect.poll(async () => (await names()).slice(0, 2)).toEqual(['desk', 'shop']);
    const header = page.getByRole('columnheader', { name: 'Traces', exact: true });
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('ascending');
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('traces:asc');
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await expect.poll(async () => (await names()).filter((name) => name !== 'default')).toEqual(['desk', 'shop']);
    expect(tab.faults).toEqual([]);
  });

  it.each(THEMES)('bar nobody in the %s theme, as cards and as a table', async (theme) => {
    await using tab = await openPage(browser, `${server.url}/projects?range=all`, { theme, reducedMotion: 'reduce' });
    const { page } = tab;
    for (const look of theme === 'dark' ? ['Table'] : ['Table', 'Cards']) {
      await page.getByRole('radio', { name: look }).click();
      await page.getByRole('img', { name: /^20 traces/ }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  });
});

it('nothing is cut off on a phone, or where a trace is open beside the table', async () => {
  const nowUs = Date.now() * 1000;
  for (const [number, hoursAgo] of [
    [201, 3],
    [202, 6],
  ] as const) {
    const startUs = nowUs - hoursAgo * 3_600_000_000;
    const times = { startUs, endUs: startUs + 65_432_000 };
    await sendTraces(server.url, 'far apart', [number], { status: 'OK', attributes: CALL, ...times });
  }
  await using tab = await openList(browser, server.url, 'far apart', 'traces?range=all', { width: 360, height: 844 });
  const { page } = tab;
  await page.getByRole('button', { name: 'Show the chart' }).click();
  await expect.poll(() => readLine(page, 'traces shown')).toMatch(/^2 traces .* cost$/);
  await page.getByRole('button', { name: /^Slowest/ }).waitFor();
  expect(await findCut(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('link', { name: 'answer 202' }).click();
  for (const width of [760, 1024, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await page.getByRole('button', { name: /^Slowest/ }).waitFor();
    await expect.poll(() => findCut(page)).toEqual([]);
  }
});

/** The texts above the table of which something is outside their place or cut off without a sign. */
function findCut(page: Page) {
  return page.getByRole('region', { name: 'Traces', exact: true }).evaluate((list) => {
    const { left, right } = list.getBoundingClientRect();
    const texts = [...list.querySelectorAll('section :is(a, button, p > span), search input')];
    return texts
      .filter((text) => {
        const place = text.getBoundingClientRect();
        if (place.width === 0) return false;
        const isClipped = [...text.querySelectorAll('*'), text].some(
          (part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).textOverflow !== 'ellipsis',
        );
        const isTooSmall = text instanceof HTMLInputElement && place.width < 80;
        return place.left < left || place.right > right || (isClipped && text.clientWidth > 0) || isTooSmall;
      })
      .map((text) => text.textContent);
  });
}
