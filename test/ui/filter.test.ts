import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers, sharedBrowser } from '../harness/browser.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { spanId } from '../harness/otlp-json.ts';
import { openList, range, readNames, row, rows, sendTraces } from './list-page.ts';
import { visit } from './visit.ts';

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  const model = (name: string) => ({
    attributes: { 'llm.model_name': name, 'openinference.span.kind': 'LLM', 'till.number': 7 },
  });
  const document = { 'retrieval.documents.0.document.content': 'Parcels arrive on Monday.' };
  const small = { attributes: { ...model('small').attributes, ...document } };
  await sendTraces(server.url, 'shop', range(1, 5), { ...small, status: 'OK' });
  const chat = { attributes: { ...model('large').attributes, 'session.id': 'chat' } };
  await sendTraces(server.url, 'shop', range(11, 13), { ...chat, status: 'ERROR' });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const field = (page: Page) => page.getByRole('combobox', { name: 'Filter spans' });
const open = () => openList(browser, server.url, 'shop', 'spans?range=all');

describe('the filter bar', () => {
  it('completes names and observed values, applies by Enter, and is in the address', async () => {
    await using tab = await open();
    const { page } = tab;
    await page.keyboard.press('/');
    await page.keyboard.type('llm.mod');
    await page.getByRole('option', { name: /^llm\.model_name/, selected: true }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type("== 'la");
    await page.getByRole('option', { name: /^large/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => field(page).inputValue()).toBe("llm.model_name == 'large'");
    await page.keyboard.press('Enter');
    await page.getByText('3 spans', { exact: true }).waitFor();
    await expect.poll(() => readNames(page)).toEqual(['answer 13', 'answer 12', 'answer 11']);
    expect(new URL(page.url()).searchParams.get('filter')).toBe("llm.model_name == 'large'");
    await page.reload();
    await row(page, 13).waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await row(page, 5).waitFor();
    await field(page).focus();
    await page.getByRole('option', { name: /^llm\.model_name == 'large'/ }).waitFor();
    expect(tab.faults).toEqual([]);
  });

  it('completes names of annotations of documents, whoever annotated', async () => {
    const annotation = { span_id: spanId(1), document_position: 0, name: 'chosen by code', annotator_kind: 'CODE' };
    const stored = await fetch(`${server.url}/v1/document_annotations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data: [{ ...annotation, result: { score: 1 } }] }),
    });
    expect(stored.status).toBe(200);
    await using tab = await open();
    const { page } = tab;
    await page.keyboard.press('/');
    await page.keyboard.type("document_annotations['cho");
    await page.getByRole('option', { name: /chosen by code/ }).waitFor();
    expect(tab.faults).toEqual([]);
  });

  it('offers what is looked for most before a word is written, and shows how that is written', async () => {
    await using tab = await open();
    const { page } = tab;
    await expect.poll(() => field(page).getAttribute('placeholder')).toBe('Filter spans');
    await page.keyboard.press('/');
    const options = page.getByRole('option');
    await options.first().waitFor();
    const texts = (await options.allInnerTexts()).slice(0, 6).map((text) => text.split('\n')[0]);
    expect(texts).toEqual(['Errors', 'Slow', 'Expensive', 'span_kind', 'status_code', 'model_name']);
    await page.getByRole('option', { name: /^Errors/ }).click();
    await expect.poll(() => readNames(page)).toEqual(['answer 13', 'answer 12', 'answer 11']);
    await expect.poll(() => field(page).inputValue()).toBe("status_code == 'ERROR'");
    expect(new URL(page.url()).searchParams.get('filter')).toBe("status_code == 'ERROR'");
    expect(tab.faults).toEqual([]);
  });

  it('underlines a mistake, mends it, keeps the rows meanwhile, and offers to clear what nothing fulfils', async () => {
    await using tab = await open();
    const { page } = tab;
    await field(page).fill("latency_ms > '11'");
    await page.locator('[data-severity=error]', { hasText: /^'11'$/ }).waitFor();
    const fault = page.getByRole('listitem').filter({ hasText: 'is a number' });
    await expect.poll(() => fault.count()).toBe(0);
    await expect.poll(() => field(page).getAttribute('aria-invalid')).toBe('false');
    await page.keyboard.press('Enter');
    await fault.waitFor();
    await expect.poll(() => rows(page).count()).toBe(8);
    await page.getByText('The rows below are not filtered.').waitFor();
    await field(page).fill("latency_ms > '11' and");
    // What a message quotes is set as code, without its backticks.
    await page.getByRole('listitem').filter({ hasText: 'something is missing after and' }).locator('code').waitFor();
    await expect.poll(() => fault.count()).toBe(1);
    await field(page).fill("latency_ms > '11'");
    await page.getByRole('button', { name: 'Change to 11' }).click();
    await page.getByText('2 spans', { exact: true }).waitFor();
    await expect.poll(() => readNames(page)).toEqual(['answer 13', 'answer 12']);
    await field(page).fill('refund please');
    await page.keyboard.press('Enter');
    await page.getByRole('listitem').filter({ hasText: 'a text needs quotes' }).waitFor();
    await page.getByRole('button', { name: "Change to 'refund please' in input.value" }).click();
    await expect.poll(() => field(page).inputValue()).toBe("'refund please' in input.value");
    await field(page).fill("name == 'none'");
    await page.keyboard.press('Enter');
    await page.getByText('No spans match', { exact: true }).waitFor();
    await field(page).fill("llm.model_nam == 'large'");
    await page.keyboard.press('Enter');
    await page.getByText('No recent span has llm.model_nam. Did you mean llm.model_name?').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).last().click();
    await row(page, 5).waitFor();
  });

  it('that an address has broken off is told as it is, beside no other filter', async () => {
    await using tab = await open();
    const { page } = tab;
    const address = new URL(page.url());
    address.searchParams.set('filter', 'latency_ms > 11 and ');
    await page.goto(address.href);
    await page.getByText('something is missing after and').first().waitFor();
    expect(await page.getByText('still use the last applied filter').count()).toBe(0);
  });

  it('is above traces and sessions, each in its own words', async () => {
    await using tab = await openList(browser, server.url, 'shop', 'traces?range=all');
    const { page } = tab;
    await page.keyboard.press('b');
    const facets = page.getByRole('complementary', { name: 'Facets' });
    await facets.getByRole('textbox', { name: 'Minimum failed spans' }).fill('1');
    await page.keyboard.press('Enter');
    await page.getByText('3 traces', { exact: true }).waitFor();
    await facets.getByRole('checkbox', { name: /^chat 3/ }).waitFor();
    await page.getByRole('caption').filter({ hasText: '3 traces over time' }).waitFor({ state: 'attached' });
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Filter traces' }).inputValue())
      .toBe('error_count >= 1');
    await page.getByRole('combobox', { name: 'Filter traces' }).fill('error_count > 99');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing matches the filter in this time range: all time.').waitFor();
    // Where there are no rows, no facet says that they lack something.
    await expect.poll(() => facets.getByRole('checkbox', { name: /^chat 3/ }).count()).toBe(0);
    await expect.poll(() => facets.getByText('None of these').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Filter traces' }).fill('error_count > 0');
    await page.keyboard.press('Enter');
    await expect.poll(() => readNames(page)).toEqual(['answer 13', 'answer 12', 'answer 11']);
    await page.getByRole('link', { name: 'answer 12' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('filter')).toBe('error_count > 0');
    await page.getByRole('link', { name: /^Sessions/ }).click();
    await page.getByRole('combobox', { name: 'Filter sessions' }).fill('num_traces > 1');
    await page.keyboard.press('Enter');
    await page.getByText('1 session', { exact: true }).waitFor();
    await page.getByRole('caption').filter({ hasText: '1 session over time' }).waitFor({ state: 'attached' });
    expect(tab.faults).toEqual([]);
  });

  it('gives the file of a download the rows and columns that are shown', async () => {
    await using tab = await openList(browser, server.url, 'shop', 'spans?range=all&spans=roots&filter=latency_ms>11');
    const { page } = tab;
    await page.getByRole('button', { name: 'Download' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines[0]).toBe('status,kind,name,input,output,model,start,latency,tokens,cost,user');
    expect(lines.slice(1).map((line) => line.split(',')[2])).toEqual(['answer 13', 'answer 12']);
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(tab.faults).toEqual([]);
  });

  it('can stop what takes long, and goes back to what was shown', async () => {
    await using tab = await open();
    const { page } = tab;
    await tab.context.route('**/graphql', (route) =>
      route.request().postData()?.includes('query spansTableQuery') === true ? undefined : route.continue(),
    );
    await field(page).fill("name == 'answer 2'");
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('filter')).toBeNull();
    await expect.poll(() => rows(page).count()).toBe(8);
  });
});

describe('facets', () => {
  it('show counts, add what is ticked to the filter, and untick what is taken out of it', async () => {
    await using tab = await open();
    const { page } = tab;
    await page.keyboard.press('b');
    const facets = page.getByRole('complementary', { name: 'Facets' });
    const [panel, finder] = await Promise.all(
      [facets, facets.getByRole('searchbox', { name: 'Find an attribute' }).locator('..')].map((it) =>
        it.boundingBox(),
      ),
    );
    expect(finder?.width).toBeGreaterThan(200);
    expect((finder?.x ?? 0) + (finder?.width ?? 0)).toBeLessThan((panel?.x ?? 0) + (panel?.width ?? 0));
    await facets.getByRole('textbox', { name: 'Maximum cost' }).fill('> 2 s');
    await page.keyboard.press('Enter');
    await facets.getByRole('alert').filter({ hasText: 'in the minimum field' }).waitFor();
    await facets.getByRole('textbox', { name: 'Maximum cost' }).fill('');
    const large = facets.getByRole('checkbox', { name: /^large/ });
    await large.press('Space');
    await page.getByText('3 spans', { exact: true }).waitFor();
    await expect.poll(() => field(page).inputValue()).toBe("model_name == 'large'");
    await facets.getByRole('checkbox', { name: /^small 5/ }).waitFor();
    await facets.getByRole('textbox', { name: 'Minimum latency in milliseconds or with a unit' }).fill('> 0.0125s');
    await page.keyboard.press('Enter');
    await page.getByText('1 span', { exact: true }).waitFor();
    await expect.poll(() => field(page).inputValue()).toBe("model_name == 'large' and latency_ms > 12.5");
    await field(page).fill('latency_ms >= 12.5');
    await page.keyboard.press('Enter');
    await expect.poll(() => large.isChecked()).toBe(false);
    expect(await findBarriers(page)).toEqual([]);
    await page.reload();
    await facets.waitFor();
    expect(tab.faults).toEqual([]);
  });
});

it('has all of its tools on a phone, a list of orders among them', async () => {
  await using tab = await openList(browser, server.url, 'shop', 'spans?range=all', { width: 390 });
  const { page } = tab;
  await page.getByRole('button', { name: 'Sort' }).click();
  await page.getByRole('menuitemradio', { name: 'Latency' }).click();
  await page.locator('tr[aria-rowindex="2"]').getByRole('link', { name: 'answer 13', exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('sort')).toBe('latency:desc');
  for (const name of ['Filters', 'Copy as code', 'Download', 'Show the chart'])
    await page.getByRole('button', { name }).click({ trial: true });
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('complementary', { name: 'Facets' }).waitFor();
  await page.keyboard.press('Escape');
  await expect
    .poll(() => page.getByRole('button', { name: 'Filters' }).evaluate((it) => it === document.activeElement))
    .toBe(true);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

it('compares the metrics with the time before, and narrows them by a filter', async () => {
  await using tab = await openList(browser, server.url, 'shop', 'traces?range=all');
  const { page } = tab;
  const hour = 3_600_000;
  // What was sent lies in the time before this one.
  const start = new Date(Date.now() - hour / 2).toISOString();
  const end = new Date(Date.now() + hour).toISOString();
  await visit(page, page.url().replace(/traces.*/, `metrics?start=${start}&end=${end}`));
  await page.getByText('No traces in this time range.').waitFor();
  await page.keyboard.press('c');
  await page.getByRole('button', { name: 'Compare with previous period', pressed: true }).waitFor();
  await page.getByRole('button', { name: 'Show Traces by status as a table' }).click();
  const table = page.getByRole('region', { name: 'Traces by status as a table' });
  await table.getByRole('columnheader', { name: 'Without error, previous' }).waitFor();
  const sum = (texts: readonly string[]) => texts.reduce((total, text) => total + (Number(text) || 0), 0);
  await expect.poll(async () => sum(await table.getByRole('cell').allInnerTexts())).toBe(8);
  expect(new URL(page.url()).searchParams.get('compare')).toBe('before');
  await page.keyboard.press('c');
  await field(page).fill("llm.model_name == 'large'");
  await page.keyboard.press('Enter');
  await page.getByText('0 spans', { exact: true }).waitFor();
  await visit(page, page.url().replace(/start=[^&]*/, `start=${new Date(Date.now() - 2 * hour).toISOString()}`));
  await page.getByText('3 spans', { exact: true }).waitFor();
  await page.getByRole('radio', { name: 'Calls' }).click();
  await page.getByRole('button', { name: 'Show LLM spans by model as a table' }).click();
  const models = page.getByRole('region', { name: 'LLM spans by model as a table' });
  await models.getByRole('columnheader', { name: 'large' }).waitFor();
  await expect.poll(() => models.getByRole('columnheader', { name: 'small' }).count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
  expect(tab.faults).toEqual([]);
});

describe('the histogram', () => {
  it('narrows the time by keys, and says its figures in a table', async () => {
    await using tab = await open();
    const { page } = tab;
    const strip = page.getByRole('region', { name: 'Spans over time' });
    await strip.getByRole('table').waitFor({ state: 'attached' });
    await expect.poll(() => strip.getByRole('caption').innerText()).toBe('8 spans over time');
    const slider = strip.getByRole('slider');
    await slider.focus();
    await slider.press('End');
    await slider.press('Shift+Home');
    await slider.press('Enter');
    await expect.poll(() => page.url()).toContain('start=');
    await page.goBack();
    await expect.poll(() => page.url()).toContain('range=all');
  });
});
