import type { Browser, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatGlobalId } from '#base/global-id';
import { sharedBrowser, openPage } from '../harness/browser.ts';
import { queryGraphql } from '../harness/graphql.ts';
import { traceId } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { findProjectId, rows, sendTraces } from './list-page.ts';

let browser: Browser;
let server: TestServer;
let project: string;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  await sendTraces(server.url, 'shop', [1], { attributes: { 'session.id': 'chat 1' } });
  await sendTraces(server.url, 'desk', [2], { attributes: { 'session.id': 'chat 2' } });
  project = `${server.url}/projects/${await findProjectId(server.url, 'shop')}`;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

it('what the server refuses is said in its words, not in those of a library', async () => {
  await using tab = await openPage(browser, `${server.url}/projects`);
  await tab.context.route('**/graphql', (route) =>
    route.fulfill({
      contentType: 'application/json',
      body: JSON.stringify({
        data: null,
        errors: [{ message: 'The disk is full.', extensions: { code: 'internal' } }],
      }),
    }),
  );
  await tab.page.goto(`${project}/traces`);
  await tab.page.getByRole('alert').filter({ hasText: 'The disk is full.' }).first().waitFor();
  await expect.poll(() => tab.page.getByText('operation').count()).toBe(0);
});

it('a page whose code the server did not send says so, and is there when the server is', async () => {
  await using tab = await openPage(browser, `${project}/traces?range=all`, { isFirstVisit: true });
  const { page } = tab;
  await Promise.all([rows(page).first().waitFor(), page.getByRole('link', { name: 'Metrics' }).waitFor()]);
  // Not even what the browser has kept is given.
  await tab.context.route('**', (route) => route.abort());
  await page.getByRole('link', { name: 'Metrics' }).click();
  await page.getByRole('heading', { name: 'Part of this page could not be loaded' }).waitFor();
  await tab.context.unroute('**');
  await page.getByText('Traces by status').waitFor();
});

it('a page whose modules alone are missing is not left for an error page of the browser', async () => {
  await using tab = await openPage(browser, `${project}/traces?range=all`, { isFirstVisit: true });
  const { page } = tab;
  await Promise.all([rows(page).first().waitFor(), page.getByRole('link', { name: 'Sessions' }).waitFor()]);
  await tab.context.route('**', (route) => (route.request().url().endsWith('.css') ? route.continue() : route.abort()));
  await page.getByRole('link', { name: 'Sessions' }).click();
  await page.getByRole('heading', { name: 'Part of this page could not be loaded' }).waitFor();
  expect(page.url()).toContain('/sessions');
  await tab.context.unroute('**');
  await rows(page).first().waitFor();
});

it('a page whose header could not be read has it when the server is there again', async () => {
  await using tab = await openPage(browser, `${server.url}/projects`);
  const { page } = tab;
  const isOfHeader = (request: Request) => /query projectHeaderQuery/.test(request.postData() ?? '');
  let isGone = true;
  await tab.context.route('**/{graphql,healthz}', (route) =>
    isGone && (isOfHeader(route.request()) || route.request().url().endsWith('healthz'))
      ? route.abort()
      : route.continue(),
  );
  await page.goto(`${project}/traces?range=all`);
  await page.getByRole('alert').filter({ hasText: 'The project could not be loaded' }).waitFor();
  isGone = false;
  await page.getByRole('link', { name: 'Metrics' }).waitFor();
});

it('what is too much is said at the filter, with what would be less', async () => {
  await using tab = await openPage(browser, `${server.url}/projects`);
  const { page } = tab;
  await tab.context.route('**/graphql', (route) =>
    /query tracesTableQuery.*"filter":"latency/.test(route.request().postData() ?? '')
      ? route.fulfill({
          contentType: 'application/json',
          body: JSON.stringify({
            data: null,
            errors: [{ message: 'This takes too long.', extensions: { code: 'deadline_exceeded' } }],
          }),
        })
      : route.continue(),
  );
  await page.goto(`${project}/traces?range=7d&sort=latency:desc&filter=latency_ms+%3E+0`);
  const refusal = page.getByRole('search').getByRole('alert').filter({ hasText: 'This takes too long.' });
  await refusal.getByRole('button', { name: 'Show last day' }).waitFor();
  const field = page.getByRole('combobox', { name: 'Filter traces' });
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => field.getAttribute('aria-describedby')).toBe(await refusal.getAttribute('id'));
  await refusal.getByRole('button', { name: 'Sort by start time' }).click();
  await refusal.getByRole('button', { name: 'Clear the filter' }).click();
  await rows(page).first().waitFor();
  await expect.poll(() => refusal.count()).toBe(0);
});

describe('what is not there', () => {
  it('is said once of a project, whether its id is mistyped or unknown, with a way on', async () => {
    await using tab = await openPage(browser, `${server.url}/projects/mistyped`);
    const { page } = tab;
    const missing = page.getByText('There is no such project');
    const alerts = page.getByRole('main').getByRole('alert');
    for (const path of [
      '/mistyped/traces',
      `/${formatGlobalId('Project', 4711)}/spans`,
      `/${formatGlobalId('Project', 4711)}/traces/${traceId(1)}`,
    ]) {
      await page.goto(`${server.url}/projects${path}`);
      await page.getByRole('heading', { name: 'Not found', level: 1 }).waitFor();
      expect(await missing.count(), path).toBe(1);
      expect(await alerts.count(), path).toBe(0);
      expect(await page.getByRole('grid').count(), path).toBe(0);
      await expect.poll(() => page.title()).toBe('Not found · Cairn');
    }
    expect(tab.faults.filter((fault) => fault.includes('MissingError'))).toEqual([]);
    await page.getByRole('main').getByRole('link', { name: 'See all projects' }).click();
    await page.getByRole('link', { name: 'shop' }).first().click();
    await rows(page).first().waitFor();
  });

  it('is said of traces, sessions and spans in their place', async () => {
    await using tab = await openPage(browser, `${project}/traces/${traceId(2)}?range=all`);
    const { page } = tab;
    await page.getByText('There is no such trace in this project').waitFor();
    await page.getByText('It may have been deleted, by a person or').waitFor();
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await page.waitForURL(/\/traces(\?|$)/);

    const alerts = page.getByRole('main').getByRole('alert');
    const { session } = await foreignSession();
    for (const id of ['mistyped', formatGlobalId('ProjectSession', 4711), session.id, 'chat 2']) {
      await page.goto(`${project}/sessions/${encodeURIComponent(id)}?range=all`);
      await page.getByText('There is no such session in this project').waitFor();
      expect(await alerts.count(), id).toBe(0);
    }
    await page.getByRole('button', { name: 'Back to the sessions' }).click();
    await page.waitForURL(/\/sessions(\?|$)/);

    await page.goto(`${project}/traces/${traceId(1)}?selectedSpanNodeId=${formatGlobalId('Span', 4711)}`);
    await page.getByText('The address names a span that is not in this trace.').waitFor();
    await page.getByRole('treeitem', { name: 'answer 1' }).waitFor();
    await page.goto(`${project}/traces/${traceId(1)}`);
    await page.getByRole('treeitem', { name: 'answer 1' }).waitFor();
    await expect.poll(() => page.getByText('The address names a span').count()).toBe(0);
  });
});

function foreignSession() {
  return queryGraphql<{ session: { id: string } }>(
    server.url,
    '{ session: getProjectSessionById(sessionId: "chat 2") { id } }',
  );
}
