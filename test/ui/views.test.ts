import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers, sharedBrowser } from '../harness/browser.ts';
import { queryGraphql } from '../harness/graphql.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { findProjectId, openList, range, readHeaders, rows, sendTraces } from './list-page.ts';

let browser: Browser;
let server: TestServer;
let projectId: string;

const SLOW = "name == 'answer 3'";

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  await sendTraces(server.url, 'shop', range(1, 6));
  projectId = await findProjectId(server.url, 'shop');
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** The names of the views that the server has. */
async function storedViews(): Promise<readonly string[]> {
  const { node } = await queryGraphql<{ node: { savedViews: readonly { name: string }[] } }>(
    server.url,
    `{ node(id: "${projectId}") { ... on Project { savedViews { name } } } }`,
  );
  return node.savedViews.map(({ name }) => name);
}

/** Presses a button of the open menu of views, whichever it is. */
async function act(page: Page, action: string): Promise<void> {
  await openMenu(page);
  await menuOf(page).getByRole('button', { name: action, exact: true }).click();
}

async function openMenu(page: Page): Promise<void> {
  // One that closes is still there for a moment.
  await page.locator('[data-exiting]').waitFor({ state: 'detached' });
  if (!(await menuOf(page).isVisible())) await page.getByRole('button', { name: /^Views?\b/ }).click();
  await menuOf(page).getByRole('combobox').waitFor();
}

const menuOf = (page: Page) => page.getByRole('dialog', { name: 'Views', exact: true });
const shownView = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const tabOf = (page: Page, name: RegExp) => page.getByRole('link', { name }).first();
const addressOf = (page: Page, key: string) => new URL(page.url()).searchParams.get(key);

async function save(page: Page, name: string): Promise<void> {
  await act(page, 'Save as view…');
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.keyboard.press('Enter');
  await shownView(page, `View: ${name}`).waitFor();
}

describe('a view', () => {
  it('is saved, changed, updated, reset, renamed, opened by a link and by default, and left', async () => {
    const path = `spans?range=all&filter=${encodeURIComponent(SLOW)}`;
    {
      await using tab = await openList(browser, server.url, 'shop', path);
      const { page } = tab;
      await save(page, 'Slow');
      expect(addressOf(page, 'saved')).not.toBeNull();

      // What the address carries, and what it does not.
      await page.getByRole('columnheader', { name: 'Latency', exact: true }).click();
      await shownView(page, 'View: Slow, changed').waitFor();
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('dialog', { name: 'Columns' }).getByText('Model', { exact: true }).click();
      await page.keyboard.press('Escape');
      await openMenu(page);
      await menuOf(page).getByText('Changed: order and columns').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await act(page, 'Update view');
      await shownView(page, 'View: Slow').waitFor();

      await page.getByRole('button', { name: 'Clear the filter' }).click();
      await expect.poll(() => rows(page).count()).toBe(6);
      await shownView(page, 'View: Slow, changed').waitFor();
      await act(page, 'Reset changes');
      await shownView(page, 'View: Slow').waitFor();
      await expect.poll(() => rows(page).count()).toBe(1);
      expect(addressOf(page, 'filter')).toBe(SLOW);

      await act(page, 'Rename…');
      await page.getByRole('textbox', { name: 'Name' }).fill('Slowest');
      await page.getByRole('button', { name: 'Rename', exact: true }).click();
      await shownView(page, 'View: Slowest').waitFor();
      await act(page, 'Open by default');
      await menuOf(page).getByText('default', { exact: true }).waitFor();
      expect(tab.faults).toEqual([]);
    }
    // Another browser, which has kept nothing.
    const { node } = await queryGraphql<{ node: { savedViews: readonly [{ id: string }] } }>(
      server.url,
      `{ node(id: "${projectId}") { ... on Project { savedViews { id } } } }`,
    );
    await using tab = await openList(browser, server.url, 'shop', `views/${node.savedViews[0].id}`, {
      isLoadedAnew: true,
    });
    const { page } = tab;
    await shownView(page, 'View: Slowest').waitFor();
    expect([addressOf(page, 'filter'), addressOf(page, 'sort'), await rows(page).count()]).toEqual([
      SLOW,
      'latency:desc',
      1,
    ]);
    expect(await readHeaders(page)).not.toContain('Model');

    await page.keyboard.press('g');
    await page.keyboard.press('v');
    await menuOf(page).getByRole('combobox').fill('no');
    await menuOf(page).getByText('No view name contains this.').waitFor();
    await menuOf(page).getByRole('combobox').fill('');
    await menuOf(page).getByRole('option', { name: 'No view' }).waitFor();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await expect.poll(() => rows(page).count()).toBe(6);
    expect(await readHeaders(page)).toContain('Model');
    expect(addressOf(page, 'saved')).toBe('none');

    // The link to the table that is shown leads to its default view, too.
    await tabOf(page, /^Spans/).click();
    await shownView(page, 'View: Slowest').waitFor();
    expect(addressOf(page, 'filter')).toBe(SLOW);

    await tabOf(page, /^Traces/).click();
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/traces$/);
    await tabOf(page, /^Spans/).click();
    await shownView(page, 'View: Slowest').waitFor();
    expect(addressOf(page, 'filter')).toBe(SLOW);

    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Search or paste an id' }).fill('slowest');
    await page.getByRole('option', { name: /Slowest.*View of spans/ }).waitFor();
    expect(tab.faults).toEqual([]);
  });

  it('that is deleted is gone at once, comes back by Undo, and goes from the server after ten seconds or with the page', async () => {
    await using tab = await openList(browser, server.url, 'shop', 'traces?range=all');
    const { page } = tab;
    const toast = page.getByRole('region', { name: 'Notifications' });
    const before = await storedViews();
    await save(page, 'Doomed');
    await page.clock.install();

    await act(page, 'Delete view');
    await toast.getByText('The view “Doomed” was deleted').waitFor();
    await openMenu(page);
    await menuOf(page).getByText('There are no views yet.', { exact: false }).waitFor();
    await page.keyboard.press('Escape');
    await menuOf(page).waitFor({ state: 'detached' });
    // React acts upon the keyboard at once, upon the pointer a moment later.
    await toast.getByRole('button', { name: 'Undo' }).focus();
    await page.clock.fastForward(60_000);
    expect(await storedViews()).toContain('Doomed');
    await page.keyboard.press('Shift+U');
    await openMenu(page);
    await menuOf(page).getByRole('option', { name: 'Doomed' }).click();
    await shownView(page, 'View: Doomed').waitFor();
    await page.clock.fastForward(60_000);
    expect(await storedViews()).toContain('Doomed');

    await act(page, 'Delete view');
    await toast.getByText('The view “Doomed” was deleted').waitFor();
    await page.mouse.move(10, 10);
    await page.clock.fastForward(9000);
    expect(await storedViews()).toContain('Doomed');
    await page.clock.fastForward(1000);
    await expect.poll(storedViews).toEqual(before);

    await save(page, 'Left');
    await act(page, 'Delete view');
    await toast.getByText('The view “Left” was deleted').waitFor();
    expect(await storedViews()).toContain('Left');
    expect(tab.faults).toEqual([]);
    await page.goto('about:blank');
    await expect.poll(storedViews).toEqual(before);
  });
});
