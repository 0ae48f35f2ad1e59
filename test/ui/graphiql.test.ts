import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sharedBrowser, openPage } from '../harness/browser.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer({ HOST_ROOT_PATH: '/tools/cairn' })]);
});

afterAll(() => server[Symbol.asyncDispose]());

it('GraphiQL runs an operation below a root path, and breaks no rule of its content security policy', async () => {
  const query = encodeURIComponent('{ getProjectByName(name: "default") { id } }');
  await using shown = await openPage(browser, `${server.url}/graphql?query=${query}`);
  const hosts = new Set<string>();
  shown.page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await execute(shown.page);
  await shown.page.getByText('"UHJvamVjdDox"').waitFor();
  // The schema that it asked for at first is what its documentation shows.
  await shown.page.getByRole('button', { name: /show documentation/i }).click();
  await shown.page
    .getByText('projectChanges')
    .or(shown.page.getByRole('link', { name: 'Subscription' }))
    .first()
    .waitFor();
  expect([...hosts]).toEqual([new URL(server.url).host]);
  expect(shown.faults).toEqual([]);
});

it('GraphiQL shows the events of a subscription', async () => {
  const query = encodeURIComponent('subscription { projectChanges(projectId: "UHJvamVjdDox") { project { name } } }');
  await using shown = await openPage(browser, `${server.url}/graphql?query=${query}`);
  await execute(shown.page);
  await shown.page.getByText('"default"').waitFor();
  expect(shown.faults).toEqual([]);
});

/** The button does nothing before both editors are there, which are loaded apart. */
async function execute(page: Page): Promise<void> {
  await page.locator('.graphiql-query-editor .CodeMirror-code').getByText('{').first().waitFor();
  await page.locator('.result-window .CodeMirror-code').waitFor();
  await page.getByRole('button', { name: /execute/i }).click();
}
