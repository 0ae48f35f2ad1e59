import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBarriers, sharedBrowser, openPage } from '../harness/browser.ts';
import { queryGraphql } from '../harness/graphql.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { openList, range, readNames, row, sendTraces } from './list-page.ts';

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  await sendTraces(server.url, 'shop', range(1, 3));
  await sendTraces(server.url, 'old shop', [11]);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

it('deletes a trace, and then clears its project, when somebody is sure', async () => {
  await using tab = await openList(browser, server.url, 'shop', 'traces?range=all');
  const { page } = tab;
  await row(page, 2).click();
  await page.getByRole('button', { name: 'Trace actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete trace…' }).click();
  await page.getByRole('dialog').getByText('Deletes answer 2 with its span.').waitFor();
  await page.getByRole('button', { name: 'Delete trace' }).click();
  await row(page, 2).waitFor({ state: 'detached' });
  await expect.poll(() => readNames(page)).toEqual(['answer 3', 'answer 1']);

  await page.getByRole('link', { name: 'Config' }).click();
  await page.getByRole('button', { name: 'Change…' }).click();
  await page.getByRole('button', { name: /Policy/ }).click();
  await page.getByRole('option', { name: 'A new policy…' }).click();
  await page.getByRole('textbox', { name: 'Keep for (days)' }).fill('a month');
  await page.keyboard.press('Enter');
  await page.getByText('Enter days as a number').waitFor();
  await page.getByRole('textbox', { name: 'Keep for (days)' }).fill('90');
  await page.keyboard.press('Enter');
  await page.getByText('The retention of shop was changed').waitFor();
  const { getProjectByName } = await queryGraphql<{ getProjectByName: unknown }>(
    server.url,
    '{ getProjectByName(name: "shop") { traceRetentionPolicy { name rule { ... on TraceRetentionRuleMaxDays { maxDays } } } } }',
  );
  expect(getProjectByName).toEqual({ traceRetentionPolicy: { name: 'shop: 90 days', rule: { maxDays: 90 } } });

  await page.getByRole('button', { name: 'Delete traces…' }).click();
  const clear = page.getByRole('button', { name: 'Delete traces', exact: true });
  await page.keyboard.type('another shop');
  await expect.poll(() => clear.isDisabled()).toBe(true);
  expect(await findBarriers(page)).toEqual([]);
  await page.getByText('Deletes 2 traces.').waitFor();
  await page.getByRole('button', { name: /Traces to delete/ }).click();
  await page.getByRole('option', { name: 'Traces that started before…' }).click();
  await page.getByText('No trace started before then').waitFor();
  await page.getByRole('textbox', { name: /^Type/ }).fill('shop');
  await expect.poll(() => clear.isDisabled()).toBe(true);
  await page.getByLabel('Before, in Europe/Berlin').fill('2099-01-01T00:00');
  await page.getByText('Deletes 2 traces.').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('textbox', { name: /^Type/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('The traces of shop were deleted').waitFor();
  await page.getByRole('link', { name: /^Traces/ }).click();
  await row(page, 1).waitFor({ state: 'detached' });
  await expect.poll(() => row(page, 1).count()).toBe(0);
  expect(tab.faults).toEqual([]);
});

it('deletes a project from the list', async () => {
  await using tab = await openPage(browser, `${server.url}/projects`);
  const { page } = tab;
  await page.getByRole('button', { name: 'Actions for old shop' }).click();
  await page.getByRole('menuitem', { name: 'Delete project…' }).click();
  await page.keyboard.type('old shop');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'old shop' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'shop', exact: true }).waitFor();
  expect(tab.faults).toEqual([]);
});
