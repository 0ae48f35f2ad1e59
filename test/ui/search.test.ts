import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { findBarriers, sharedBrowser, openPage } from '../harness/browser.ts';
import { queryGraphql } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { findProjectId } from './list-page.ts';

let browser: Browser;
let server: TestServer;
let project: string;

const SAID = 'I want <b>my refund</b> for the order of a blue lantern';

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  const startUs = (Date.now() - 3_600_000) * 1000;
  const times = (number: number) => ({ startUs: startUs + number * 1000, endUs: startUs + number * 1000 + 500 });
  const spans = [
    { traceId: traceId(1), spanId: spanId(1), name: 'answer', ...times(1) },
    ...Array.from({ length: 40 }, (_, number) => ({
      traceId: traceId(1),
      spanId: spanId(number + 2),
      parentSpanId: spanId(1),
      name: `step ${number}`,
      ...times(number + 2),
      attributes: {
        'input.value': number === 7 ? SAID : `a lantern, number ${number}`,
        'output.value': `nothing about refunds ${number}`,
      },
    })),
  ];
  await exportAll(server.url, traceRequest(spans, { 'openinference.project.name': 'shop' }));
  project = `${server.url}/projects/${await findProjectId(server.url, 'shop')}`;
  await vi.waitUntil(async () => (await countLanterns()) === 40, { timeout: 50_000 });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

it('finds spans by what they say, marks it, and opens one by keyboard', async () => {
  await using tab = await openPage(browser, `${project}/spans?range=all`);
  const { page } = tab;
  await page.getByRole('link', { name: 'Search', exact: true }).click();
  await page.getByText('Search the text of spans').waitFor();
  await page.keyboard.type('"my refund" lantern');
  await page.getByText('1 span', { exact: true }).waitFor();
  await expect.poll(() => page.locator('mark').allInnerTexts()).toEqual(['my refund', 'lantern']);
  await page.getByText('<b>my refund</b>').waitFor();
  expect(await findBarriers(page)).toEqual([]);

  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Trace answer' }).waitFor();
  await page.getByRole('region', { name: 'Span step 7' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('region', { name: 'Trace answer' }).waitFor({ state: 'detached' });

  await page.keyboard.press('/');
  await page.keyboard.type('-refund');
  await page.getByText('Include at least one word to find').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Change the search' }).click();
  await page.keyboard.type('refund*');
  await page.getByText('40 spans').waitFor();
  await expect.poll(() => hits(page).count()).toBeGreaterThanOrEqual(30);
  await page.getByRole('radio', { name: 'Input' }).click();
  await page.getByText('1 span', { exact: true }).waitFor();
  await page.getByRole('radio', { name: 'Errors' }).click();
  await page.getByText('No span contains this in errors').waitFor();
  await page.getByRole('button', { name: 'Search everywhere' }).click();
  await page.getByText('40 spans').waitFor();
  await hits(page).nth(29).focus();
  await page.getByText('step 0', { exact: true }).waitFor();
  await expect.poll(() => hits(page).count()).toBe(40);
  expect(tab.faults.filter((fault) => !fault.includes('Include at least one word'))).toEqual([]);
});

it('goes on from the palette, on a small phone too', async () => {
  await using tab = await openPage(browser, `${project}/traces?range=all`, { width: 320 });
  const { page } = tab;
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('combobox', { name: 'Search or paste an id' }).fill('blue lantern');
  await page.getByRole('option', { name: 'Search spans for “blue lantern” shop' }).click();
  await page.getByText('1 span', { exact: true }).waitFor();
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('blue lantern');
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  expect(await findBarriers(page)).toEqual([]);
  await hits(page).click();
  await page.getByRole('region', { name: 'Trace answer' }).waitFor();
  expect(tab.faults).toEqual([]);
});

it('stays in sight in the palette below a long list, and outside of projects searches the last one', async () => {
  await using tab = await openPage(browser, `${project}/traces?range=all`);
  const { page } = tab;
  const search = page.getByRole('option', { name: 'Search spans for “set” shop' });
  await page.getByRole('heading', { level: 1, name: 'shop' }).waitFor();
  await (await openPalette(page)).fill('set');
  await page.getByRole('option', { name: 'Settings: Models' }).waitFor();
  const list = page.getByRole('listbox', { name: 'Results' });
  await expect.poll(() => list.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)).toBe(true);
  const bottomOf = (part: typeof list) => part.evaluate((element) => element.getBoundingClientRect().bottom);
  expect(await bottomOf(search)).toBeLessThanOrEqual(await bottomOf(list));
  // The chosen line is never below it.
  for (let press = 0; press < 7; press++) await page.keyboard.press('ArrowDown');
  const chosen = await bottomOf(page.getByRole('option', { selected: true }));
  expect(chosen).toBeLessThanOrEqual(await search.evaluate((element) => element.getBoundingClientRect().top));
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Queues' }).first().click();
  await page.waitForURL(/\/queues$/);
  await (await openPalette(page)).fill('lantern');
  await page.getByRole('option', { name: 'Search spans for “lantern” shop' }).click();
  await page.waitForURL(/\/search\?.*q=lantern/);
  expect(tab.faults).toEqual([]);
});

async function openPalette(page: Page) {
  await page.keyboard.press('ControlOrMeta+k');
  return page.getByRole('combobox', { name: 'Search or paste an id' });
}

function hits(page: Page) {
  return page.getByRole('list', { name: 'Hits' }).getByRole('link');
}

async function countLanterns(): Promise<number> {
  const { getProjectByName } = await queryGraphql<Counted>(
    server.url,
    '{ getProjectByName(name: "shop") { search(text: "lantern") { hitCount { count } } } }',
  );
  return getProjectByName.search.hitCount.count;
}

interface Counted {
  readonly getProjectByName: { readonly search: { readonly hitCount: { readonly count: number } } };
}
