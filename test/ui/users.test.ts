/** The users of an application: their list, and the page of one. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers, openPage, sharedBrowser } from '../harness/browser.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { findProjectId, openList, range, readHeaders, rows, sendTraces } from './list-page.ts';
import { visit } from './visit.ts';

let browser: Browser;
let server: TestServer;

/** What servers, proxies and browsers treat in paths, and what a filter could end with. */
const HOSTILE = "../b?c#d%2F'; ~2E/..";

const CALL = {
  'openinference.span.kind': 'LLM',
  'llm.model_name': 'gpt-4o',
  'llm.token_count.prompt': 1000,
  'llm.token_count.completion': 500,
};

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  const ofAda = { ...CALL, 'user.id': 'ada' };
  await sendTraces(server.url, 'shop', range(1, 3), { attributes: { ...ofAda, 'session.id': 'first talk' } });
  await sendTraces(server.url, 'shop', [4], { status: 'ERROR', attributes: ofAda });
  await sendTraces(server.url, 'shop', [11], { attributes: { ...CALL, 'user.id': HOSTILE, 'session.id': 'other' } });
  await sendTraces(server.url, 'shop', [21, 22], { attributes: { 'user.id': '..' } });
  await sendTraces(server.url, 'shop', [23], { attributes: { 'user.id': 'u'.repeat(5000) } });
  await sendTraces(server.url, 'shop', [31], { attributes: CALL });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** The texts of a column of the table, from the top. */
function readColumn(page: Page, column: number): Promise<readonly string[]> {
  return rows(page).evaluateAll(
    (all, place) =>
      all
        .toSorted((one, other) => Number(one.ariaRowIndex) - Number(other.ariaRowIndex))
        .map((one) => one.querySelectorAll('td')[place]?.textContent ?? ''),
    column,
  );
}

const readUsers = async (page: Page) => (await readColumn(page, 0)).map((text) => text.slice(0, 30));

function readFigures(page: Page) {
  return page
    .getByRole('region', { name: 'Figures of the user' })
    .innerText()
    .then((text) => text.replaceAll(/\s+/g, ' '));
}

describe('the users of a project', () => {
  it('are listed with what each came to, the most expensive first, in any order and by a part of their id', async () => {
    await using tab = await openList(browser, server.url, 'shop', 'users?range=all');
    const { page } = tab;
    await expect.poll(() => readUsers(page)).toEqual(['ada', HOSTILE, '..', 'u'.repeat(30)]);
    expect(await readHeaders(page)).toEqual([
      'User',
      'Cost',
      'Tokens',
      'Sessions',
      'Traces',
      'Error rate',
      'P95',
      'First seen',
      'Last seen',
    ]);
    expect((await readColumn(page, 1)).slice(0, 3)).toEqual(['$0.03', '$0.0075', '–']);
    await page.getByRole('columnheader', { name: 'Traces' }).click();
    await expect.poll(() => readColumn(page, 4)).toEqual(['4', '2', '1', '1']);
    await page.keyboard.press('/');
    await page.keyboard.type('AD');
    await expect.poll(() => readUsers(page)).toEqual(['ada']);
    await page.getByText('1 user', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('user')).toBe('AD');
    await page.keyboard.press('Escape');
    await expect.poll(() => rows(page).count()).toBe(4);
    expect(tab.faults).toEqual([]);
  });

  it('have pages that are found again, whatever their ids are', async () => {
    await using tab = await openList(browser, server.url, 'shop', 'users?range=all');
    const { page } = tab;
    for (const beginning of [HOSTILE, '..', 'u'.repeat(30)]) {
      await rows(page).filter({ hasText: beginning }).last().click();
      await page.waitForURL(/\/users\/.+\?/);
      await page.reload();
      await expect.poll(() => readFigures(page)).toMatch(/^\d traces? /);
      await page.getByRole('heading', { level: 2, name: beginning }).waitFor();
      await page.goBack();
    }
    expect(tab.faults).toEqual([]);
  });
});

describe('the page of a user', () => {
  it('says what the user cost, in which sessions and by which models, and leads to the rows behind it', async () => {
    const id = await findProjectId(server.url, 'shop');
    await using tab = await openPage(browser, `${server.url}/projects/${id}/traces?range=all`);
    const { page } = tab;
    await page.getByRole('link', { name: 'ada', exact: true }).first().click();
    await expect.poll(() => readFigures(page)).toMatch(/^4 traces \$0.03 cost 6,000 tokens 25 % errors p50 /);
    await expect.poll(() => readColumn(page, 0)).toEqual(['Without a session', 'first talk']);
    expect(await readColumn(page, 8)).toEqual(['$0.0075', '$0.0225']);
    await page.getByRole('row', { name: /gpt-4o 4 6,000 \$0.03/ }).waitFor();
    await page.getByRole('figure', { name: 'Cost' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);

    await page.getByRole('link', { name: '25 % errors' }).click();
    await page.waitForURL(/\/traces\?/);
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(new URL(page.url()).searchParams.get('filter')).toBe(
      "any(s.user_id == 'ada' for s in spans) and error_count > 0",
    );
    await page.goBack();
    await rows(page).filter({ hasText: 'Without a session' }).click();
    await page.waitForURL(/\/traces\?/);
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.goBack();
    await page.getByRole('radio', { name: 'Traces' }).click();
    await expect.poll(() => rows(page).count()).toBe(4);
    expect(await readHeaders(page)).not.toContain('User');
    await page.getByRole('link', { name: 'Spans', exact: true }).last().click();
    await page.waitForURL(/\/spans\?/);
    await expect.poll(() => rows(page).count()).toBe(4);
    await page.goBack();
    await page.getByRole('link', { name: 'Users', exact: true }).last().click();
    await expect.poll(() => rows(page).count()).toBe(4);
    expect(tab.faults).toEqual([]);
  });

  it('follows what arrives, and fits a phone', async () => {
    const id = await findProjectId(server.url, 'shop');
    await using tab = await openPage(browser, `${server.url}/projects/${id}/users/eve?range=all`, { width: 390 });
    const { page } = tab;
    await page.getByText('No span names this user').waitFor();
    await sendTraces(server.url, 'shop', [41], { attributes: { ...CALL, 'user.id': 'eve', 'session.id': 'hers' } });
    await expect.poll(() => readFigures(page)).toMatch(/^1 trace \$0.0075 cost/);
    await rows(page).filter({ hasText: 'hers' }).waitFor();
    await page.getByRole('radio', { name: 'Charts' }).click();
    await page.getByRole('figure', { name: 'Cost' }).waitFor();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await visit(page, `/projects/${id}/users/eve?start=2020-01-01T00:00:00Z&end=2020-01-02T00:00:00Z`);
    await page.getByText('No traces of this user in this time range').waitFor();
    expect(tab.faults).toEqual([]);
  });
});
