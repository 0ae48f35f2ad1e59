/** The pages below a path of their own, as behind a proxy that serves other things too. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedBrowser, openPage } from '../harness/browser.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { IS_LONG } from '../harness/long-run.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { findProjectId } from './list-page.ts';

const ROOT_PATH = '/tools/cairn';

/** An address that shows another one's page. */
const LEADS_ELSEWHERE = `/redirects/spans/${spanId(1)}`;

let browser: Browser;
let server: TestServer;
let projectId: string;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer({ HOST_ROOT_PATH: ROOT_PATH })]);
  const span = {
    traceId: traceId(1),
    spanId: spanId(1),
    name: 'answer',
    // Within the time that tables show unless one is chosen.
    startUs: Date.now() * 1000 - 1_000_000,
    endUs: Date.now() * 1000,
    attributes: { 'session.id': 'chat', 'input.value': 'Where is my parcel?' },
  };
  await exportAll(server.url, traceRequest([span], { 'openinference.project.name': 'shop' }));
  projectId = await findProjectId(server.url, 'shop');
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

describe('below a root path', () => {
  it.each([
    ['/', 'shop'],
    ['/projects', 'shop'],
    ['/projects/:id', 'Where is my parcel?'],
    ['/projects/:id/traces', 'Where is my parcel?'],
    ['/projects/:id/spans', 'Where is my parcel?'],
    ['/projects/:id/sessions', 'chat'],
    [`/projects/:id/traces/${traceId(1)}`, 'answer'],
    [`/projects/:id/spans/${traceId(1)}?view=full`, 'answer'],
    ['/redirects/projects/shop', 'Where is my parcel?'],
    ['/redirects/sessions/chat', 'chat'],
    [`/redirects/traces/${traceId(1)}`, 'answer'],
    [LEADS_ELSEWHERE, 'answer'],
  ])('%s is shown when it is opened', async (path, text) => {
    await using tab = await openPage(browser, `${server.url}${path.replace(':id', projectId)}`);
    const shown = tab.page.getByRole('main').getByText(text, { exact: true }).first();
    await shown.waitFor();
    // Where a page leads is an address of this list, so one of those that lead elsewhere is enough.
    if (IS_LONG || path === LEADS_ELSEWHERE) {
      await tab.page.reload();
      await shown.waitFor();
    }
    expect(new URL(tab.page.url()).pathname).toMatch(new RegExp(`^${ROOT_PATH}/projects`));
    const beside = await tab.page.evaluate(
      (root) => performance.getEntriesByType('resource').filter(({ name }) => !new URL(name).pathname.startsWith(root)),
      `${ROOT_PATH}/`,
    );
    expect(beside.map(({ name }) => name)).toEqual([]);
    expect(tab.faults).toEqual([]);
  });

  it('an address that nothing answers to says so', async () => {
    await using tab = await openPage(browser, `${server.url}/dashboards/none`);
    await tab.page.getByRole('heading', { name: 'Not found', level: 1 }).waitFor();
  });

  it('links, the address bar and what is downloaded stay below it', async () => {
    await using tab = await openPage(browser, `${server.url}/projects`);
    const { page } = tab;
    await page.getByRole('main').getByRole('link', { name: 'shop' }).click();
    await page.getByRole('link', { name: 'answer' }).click();
    await page.getByRole('treeitem', { name: 'answer' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`${ROOT_PATH}/projects/${projectId}/traces/${traceId(1)}`);
    await page.getByRole('button', { name: 'Download the original' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem').first().click();
    expect(new URL((await download).url()).pathname).toMatch(new RegExp(`^${ROOT_PATH}/v1/`));
  });
});
