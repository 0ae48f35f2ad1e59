/** Moving between projects and their pages, what a project is like, and the settings that concern its data. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers, openPage, sharedBrowser, type TestPage } from '../harness/browser.ts';
import { queryGraphql } from '../harness/graphql.ts';
import { spanId, traceId } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { findProjectId, openList, range, rows, sendTraces } from './list-page.ts';

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  await sendTraces(server.url, 'shop', range(1, 3));
  await sendTraces(server.url, 'desk', range(4, 5), { attributes: { 'session.id': 'chat-48fb/desk' } });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

function switcher(page: Page) {
  return page.getByRole('combobox', { name: 'Search projects by name' });
}

describe('the name of a project', () => {
  it('switches to another one by keys, to the same page in the same time', async () => {
    await using tab = await openList(browser, server.url, 'shop', 'spans?range=30d');
    const { page } = tab;
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await switcher(page).waitFor();
    await page.getByRole('option', { name: 'desk' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await switcher(page).fill('zzz');
    await page.getByText('No project name contains this.').waitFor();
    await switcher(page).fill('DES');
    await page.getByRole('option', { name: 'desk' }).waitFor();
    await expect.poll(() => page.getByRole('option').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'desk', level: 1 }).waitFor();
    await page.waitForURL(/\/spans\?range=30d/);
    await expect.poll(() => rows(page).count()).toBe(2);
    expect(tab.faults).toEqual([]);
  });

  it('is pinned to the navigation, and stays there', async () => {
    await using tab = await openList(browser, server.url, 'shop', 'traces?range=all');
    const { page } = tab;
    const known = page.getByRole('list', { name: 'Pinned and recent projects' });
    const pin = page.getByRole('button', { name: 'Pin in the navigation' });
    await pin.click();
    await known.getByTitle('shop, pinned').waitFor();
    await page.reload();
    await known.getByTitle('shop, pinned').waitFor();
    await pin.click();
    await known.getByTitle('shop, pinned').waitFor({ state: 'detached' });
    await pin.click();
    await page.getByRole('link', { name: 'Projects', exact: true }).first().click();
    await page.getByRole('main').getByRole('listitem').filter({ hasText: 'shop' }).getByText('pinned').waitFor();
  });
});

it('a project’s config shows what it is like, and changes it', async () => {
  await using tab = await openConfig('shop');
  const { page } = tab;
  await page.getByText('Name used when sending traces').waitFor();
  await page.getByText('Runs Sundays at 00:00 UTC').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Edit…' }).click();
  const window = page.getByRole('dialog', { name: 'Edit project' });
  await window.getByRole('textbox', { name: 'Description' }).fill('Sells shoes\nand boots');
  await window.getByRole('radio', { name: 'Sea' }).check({ force: true });
  expect(await findBarriers(page)).toEqual([]);
  await window.getByRole('button', { name: 'Save' }).click();
  await window.waitFor({ state: 'detached' });
  await page.getByText('Sells shoes').waitFor();
  await page.getByText('#1d6fa5').waitFor();
  const query = '{ getProjectByName(name: "shop") { description gradientEndColor } }';
  const { getProjectByName } = await queryGraphql<{ getProjectByName: unknown }>(server.url, query);
  expect(getProjectByName).toEqual({ description: 'Sells shoes\nand boots', gradientEndColor: '#7cc6d6' });
  expect(tab.faults).toEqual([]);
});

it('a project’s config counts its annotations by name, deletes those of one, and chooses the tab to open with', async () => {
  const said = [4, 5].flatMap((number) =>
    ['tone', 'fit'].map((name) => ({ trace_id: traceId(number), name, annotator_kind: 'CODE', result: { score: 1 } })),
  );
  await store('trace', said);
  await store('span', [{ span_id: spanId(4), name: 'tone', annotator_kind: 'LLM', result: { label: 'kind' } }]);
  await using tab = await openConfig('desk');
  const { page } = tab;
  const counts = page.getByRole('region', { name: 'Annotations', exact: true });
  await expect
    .poll(async () => (await counts.locator('dl > div').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ')))
    .toEqual(['fit 2 on traces Delete…', 'tone 1 on spans Delete…', 'tone 2 on traces Delete…']);
  await counts.getByRole('button', { name: 'Delete tone on traces…' }).press('Enter');
  const window = page.getByRole('dialog', { name: 'Delete annotations' });
  await window.getByText('2 annotations “tone” on traces').waitFor();
  await window.getByText('This cannot be undone.').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect(await window.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
  await page.keyboard.type('tone');
  await page.keyboard.press('Enter');
  await page.getByText('Deleted 2 annotations “tone” on traces').waitFor();
  await expect.poll(() => counts.locator('dl > div').count()).toBe(2);

  const facts = page.getByRole('region', { name: 'Project', exact: true });
  await facts.getByText('The table that each person used last').waitFor();
  await page.getByRole('button', { name: 'Edit…' }).press('Enter');
  const edit = page.getByRole('dialog', { name: 'Edit project' });
  await edit.getByRole('button', { name: /Opens with/ }).press('Enter');
  await page.getByRole('option', { name: 'Metrics' }).press('Enter');
  await edit.getByRole('button', { name: 'Save' }).press('Enter');
  await facts.getByText('Metrics').waitFor();
  await page.goto(`${server.url}/projects/${await findProjectId(server.url, 'desk')}`);
  await page.waitForURL(/\/metrics\?/);
  expect(tab.faults).toEqual([]);
});

it('the palette finds pages of the project, and what has an id that begins so', async () => {
  await using tab = await openList(browser, server.url, 'desk', 'traces?range=all');
  const { page } = tab;
  const field = page.getByRole('combobox', { name: 'Search or paste an id' });
  await page.keyboard.press('ControlOrMeta+k');
  await field.fill('chat-48');
  await page
    .getByRole('group', { name: 'Jump to' })
    .getByRole('option', { name: /Session in desk/ })
    .waitFor();
  await field.fill('metrics');
  await page
    .getByRole('group', { name: 'Project pages' })
    .getByRole('option', { name: /Metrics/ })
    .click();
  await page.waitForURL(/\/metrics\?/);
  await page.keyboard.press('ControlOrMeta+k');
  const traceId = (await firstTraceId()).slice(0, 8);
  await field.fill(traceId);
  await page.getByRole('group', { name: 'Jump to' }).getByRole('option').first().waitFor();
  expect(tab.faults).toEqual([]);
});

describe('a phone', () => {
  it('keeps the menu of pages open when their counts come', async () => {
    await using tab = await openPage(browser, 'about:blank', { width: 390, height: 844 });
    const { page } = tab;
    const held = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('projectHeaderCountsQuery') === true) await held.promise;
      await route.continue();
    });
    await page.goto(`${server.url}/projects/${await findProjectId(server.url, 'shop')}/traces?range=all`);
    const button = page.getByRole('button', { name: /^Traces/, includeHidden: true });
    await button.click();
    await page.getByRole('menuitemradio', { name: 'Config' }).waitFor();
    held.resolve();
    await expect.poll(() => button.textContent()).toContain('3');
    await page.getByRole('menuitemradio', { name: 'Config' }).click();
    await page.getByRole('button', { name: 'Delete project…' }).waitFor();
  });

  it('shows rows in less than 200 pixels, and every page in a menu', async () => {
    await using tab = await openList(browser, server.url, 'shop', 'traces?range=all', { width: 390, height: 844 });
    const { page } = tab;
    await expect.poll(async () => (await rows(page).first().boundingBox())?.y ?? 999).toBeLessThan(200);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.getByRole('button', { name: /^Traces/ }).click();
    await page.getByRole('menuitemradio', { name: 'Config' }).click();
    await page.getByRole('button', { name: 'Delete project…' }).waitFor();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await findBarriers(page)).toEqual([]);
  });
});

describe('settings', () => {
  it('say which price a model has, and take prices of one’s own', async () => {
    await using tab = await openPage(browser, `${server.url}/settings/models`);
    const { page } = tab;
    await page.getByRole('button', { name: 'Add model' }).click();
    const window = page.getByRole('dialog', { name: 'Add model' });
    await window.getByRole('textbox', { name: 'Name', exact: true }).fill('house.model');
    await window.getByRole('textbox', { name: 'Prompt', exact: true }).fill('2.5');
    await window.getByRole('button', { name: 'Add model' }).click();
    await window.getByText('Enter a price; it can be 0.').waitFor();
    await window.getByRole('textbox', { name: 'Completion', exact: true }).fill('10');
    expect(await findBarriers(page)).toEqual([]);
    await window.getByRole('button', { name: 'Add model' }).click();
    await window.waitFor({ state: 'detached' });
    await page.getByRole('searchbox').fill('house');
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByRole('radio', { name: 'Used' }).check({ force: true });
    await page.getByText('No model matches').waitFor();
    await page.getByRole('radio', { name: 'All' }).check({ force: true });
    await page.getByRole('button', { name: 'Test a name' }).click();
    await page.getByRole('textbox', { name: 'Model name' }).fill('House.Model');
    await page.getByText('$2.50 prompt, $10.00 completion').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Actions for house.model' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete model' }).click();
    await page.getByText('No model matches').waitFor();
    expect(tab.faults).toEqual([]);
  });

  it('make a retention policy and show which projects have it', async () => {
    await using tab = await openPage(browser, `${server.url}/settings/data`);
    const { page } = tab;
    const space = page.getByRole('region', { name: 'Space on disk' });
    await space.getByRole('listitem').filter({ hasText: 'Spans and traces' }).getByText('%').waitFor();
    await page.getByRole('button', { name: 'New policy' }).click();
    const window = page.getByRole('dialog', { name: 'New policy' });
    await window.getByRole('textbox', { name: 'Name' }).fill('ninety');
    await window.getByRole('textbox', { name: 'Keep for (days)' }).fill('90');
    await window.getByRole('checkbox', { name: 'desk' }).check({ force: true });
    expect(await findBarriers(page)).toEqual([]);
    await window.getByRole('button', { name: 'Create policy' }).click();
    await window.waitFor({ state: 'detached' });
    await rows(page).filter({ hasText: 'ninety' }).click();
    const panel = page.getByRole('region', { name: 'Policy ninety' });
    await panel.getByRole('link', { name: 'desk' }).waitFor();
    await panel.getByText('Runs daily at 03:00 UTC').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Actions for ninety' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete policy' }).click();
    await rows(page).filter({ hasText: 'ninety' }).waitFor({ state: 'detached' });
    expect(tab.faults).toEqual([]);
  });
});

async function store(target: 'span' | 'trace', data: readonly object[]): Promise<void> {
  const answer = await fetch(`${server.url}/v1/${target}_annotations?sync=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data }),
  });
  expect(answer.status).toBe(200);
}

async function openConfig(project: string): Promise<TestPage> {
  const tab = await openPage(browser, `${server.url}/projects/${await findProjectId(server.url, project)}/config`);
  await tab.page.getByRole('heading', { name: project, level: 1 }).waitFor();
  return tab;
}

async function firstTraceId(): Promise<string> {
  const query = '{ getProjectByName(name: "desk") { traces(first: 1) { edges { node { traceId } } } } }';
  const { getProjectByName } = await queryGraphql<{
    getProjectByName: { traces: { edges: readonly { node: { traceId: string } }[] } };
  }>(server.url, query);
  return getProjectByName.traces.edges[0]?.node.traceId ?? '';
}
