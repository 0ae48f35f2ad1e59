import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBarriers, openPage, sharedBrowser } from '../harness/browser.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { findProjectId, openList, range, row, rows, sendTraces } from './list-page.ts';

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  await sendTraces(server.url, 'many', range(1, 130));
  await sendTraces(server.url, 'few', range(201, 204));
  await sendTraces(server.url, 'other', [301]);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const bar = (page: Page): Locator => page.getByRole('region', { name: 'Selected traces' });
const box = (page: Page, number: number): Locator =>
  page.getByRole('checkbox', { name: `Select answer ${number}`, exact: true });
const pageBox = (page: Page): Locator => page.getByRole('checkbox', { name: 'Select all loaded rows' });
const selectedRow = (page: Page, number: number): Locator =>
  row(page, number).and(page.locator('[aria-selected="true"]'));

it('selects by pointer and by keys, a page, and everything', async () => {
  await using tab = await openList(browser, server.url, 'many', 'traces?range=all');
  const { page } = tab;
  await box(page, 130).click();
  await box(page, 127).click({ modifiers: ['Shift'] });
  await bar(page).getByText('4 selected').waitFor();
  await selectedRow(page, 128).waitFor();
  await expect.poll(() => pageBox(page).evaluate((input: HTMLInputElement) => input.indeterminate)).toBe(true);
  await page.keyboard.press('Escape');
  await bar(page).waitFor({ state: 'detached' });

  await row(page, 130).focus();
  await page.keyboard.press('x');
  await page.keyboard.press('Shift+J');
  await page.keyboard.press('Shift+ArrowDown');
  await bar(page).getByText('3 selected').waitFor();
  await page.keyboard.press('Shift+K');
  await bar(page).getByText('2 selected').waitFor();
  await selectedRow(page, 128).waitFor({ state: 'detached' });

  await pageBox(page).click();
  await bar(page).getByText('100 selected').waitFor();
  await bar(page).getByRole('button', { name: 'Select all 130' }).click();
  await bar(page).getByText('All 130 traces selected').waitFor();
  await box(page, 129).click();
  await bar(page).getByText('All 129 traces selected').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await bar(page).getByRole('button', { name: 'Clear the selection' }).click();
  await bar(page).waitFor({ state: 'detached' });
  await page.locator('tr:focus, [role="row"]:focus').waitFor();
});

it('keeps the selection while the table is sorted, scrolled and added to, and clears it before the panel', async () => {
  await using tab = await openList(browser, server.url, 'many', 'traces?range=all');
  const { page } = tab;
  await box(page, 130).click();
  await page.getByRole('columnheader', { name: 'Latency', exact: true }).click();
  await row(page, 130).waitFor();
  await selectedRow(page, 130).waitFor();
  await row(page, 130).getByRole('link').click();
  await page.getByRole('tree').waitFor();
  await selectedRow(page, 130).waitFor();
  await page.keyboard.press('Escape');
  await bar(page).waitFor({ state: 'detached' });
  await expect.poll(() => page.url()).toContain(traceId(130));
  await page.keyboard.press('Escape');
  await expect.poll(() => page.url()).not.toContain(traceId(130));
});

it('downloads what arrived, which can be sent again', async () => {
  await using tab = await openList(browser, server.url, 'few', 'traces?range=all');
  const { page } = tab;
  await box(page, 201).click();
  await box(page, 203).click();
  await bar(page).getByRole('button', { name: 'Download selected traces' }).click();
  const started = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'OTLP JSON, as it arrived' }).click();
  const file = await (await started).path();
  const text = await readFile(file, 'utf8');
  const message = JSON.parse(text) as object;
  const spanIds = new Set([...text.matchAll(/"spanId":"(\w+)"/g)].map(([, id]) => id));
  expect(spanIds).toEqual(new Set([spanId(201), spanId(203)]));
  expect(await exportAll(server.url, message)).toBeUndefined();
});

it('moves traces, and deletes them once their number is typed', async () => {
  await using tab = await openList(browser, server.url, 'few', 'traces?range=all');
  const { page } = tab;
  await box(page, 204).click();
  await bar(page).getByRole('button', { name: 'Move selected traces' }).click();
  await page.getByRole('radio', { name: 'other' }).click();
  await page.getByRole('button', { name: 'Move trace' }).click();
  await page.getByText('Moved 1 trace to other.').first().waitFor();
  await row(page, 204).waitFor({ state: 'detached' });

  await pageBox(page).click();
  await bar(page).getByRole('button', { name: 'Delete selected traces' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Deletes 3 traces with 3 spans').waitFor();
  await expect.poll(() => dialog.getByRole('button', { name: 'Delete traces' }).isEnabled()).toBe(false);
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.type('3');
  await dialog.getByRole('button', { name: 'Delete traces' }).click();
  await page.getByText('Deleted 3 traces.').first().waitFor();
  await expect.poll(() => rows(page).count()).toBe(0);
});

it('annotates the selected rows under any name where the project asks for nothing', async () => {
  await sendTraces(server.url, 'unasked', range(601, 603));
  await using tab = await openList(browser, server.url, 'unasked', 'traces?range=all', { width: 1440 });
  const { page } = tab;
  await row(page, 603).focus();
  await page.keyboard.press('x');
  await bar(page).getByText('1 selected').waitFor();
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: 'Annotate trace' });
  await dialog.getByText('1 trace gets your answer.').waitFor();
  await dialog.getByLabel('Name').and(page.locator(':focus')).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.type('topic');
  // A name alone says nothing.
  await expect.poll(() => dialog.getByRole('button', { name: 'Annotate trace' }).isEnabled()).toBe(false);
  await page.keyboard.press('Tab');
  await page.keyboard.type('billing');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Annotated 1 trace with topic.').first().waitFor();
});

it('annotates the selected rows by keys alone, and the rows show it', async () => {
  await sendTraces(server.url, 'judged', range(501, 506));
  const projectId = await findProjectId(server.url, 'judged');
  for (const config of [
    { type: 'CATEGORICAL', name: 'helpful', values: ['yes', 'no'].map((label) => ({ label })) },
    { type: 'CONTINUOUS', name: 'tone', lower_bound: 0, upper_bound: 1 },
  ]) {
    await send('POST', '/v1/annotation_configs', { ...config, optimization_direction: 'NONE' });
    await send('PUT', `/v1/projects/${projectId}/annotation_configs/${config.name}`);
  }
  await using tab = await openList(browser, server.url, 'judged', 'traces?range=all', { width: 1440 });
  const { page } = tab;
  await row(page, 506).focus();
  await page.keyboard.press('x');
  await page.keyboard.press('Shift+J');
  await bar(page).getByText('2 selected').waitFor();
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: 'Annotate traces' });
  await dialog.getByText('2 traces get your answer.').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await expect.poll(() => dialog.getByRole('button', { name: 'Annotate traces' }).isEnabled()).toBe(false);
  // The first answer has the focus.
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await dialog.getByRole('radio', { name: 'no', checked: true }).waitFor();
  // Past the button that explains the first.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('0.25');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Annotated 2 traces with helpful.').first().waitFor();
  await page.getByText('Annotated 2 traces with tone.').first().waitFor();
  await bar(page).waitFor({ state: 'detached' });
  await row(page, 506).getByText('no', { exact: true }).waitFor();
  await row(page, 505).getByText('0.25').waitFor();
  expect(await row(page, 504).getByText('0.25').count()).toBe(0);
  expect(tab.faults).toEqual([]);
});

it('selects on a phone, in a sheet at the end of the screen', async () => {
  const address = `${server.url}/projects/${await findProjectId(server.url, 'many')}/spans?range=all`;
  await using tab = await openPage(browser, address, { width: 390, height: 844 });
  const { page } = tab;
  await rows(page).first().waitFor();
  await box(page, 130).click();
  const sheet = page.getByRole('region', { name: 'Selected spans' });
  await sheet.getByText('1 selected').waitFor();
  await expect.poll(async () => (await sheet.boundingBox())?.width).toBe(390);
  expect(await findBarriers(page)).toEqual([]);
});

async function send(method: string, path: string, body?: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(server.url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(answer.status).toBe(200);
}
