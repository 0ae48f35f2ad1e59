/** The pages of the interfaces: the API reference and the GraphQL explorer, below a root path. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBarriers, openPage, sharedBrowser } from '../harness/browser.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer({ HOST_ROOT_PATH: '/tools/cairn' })]);
});

afterAll(() => server[Symbol.asyncDispose]());

it('the API reference finds an operation, shows what it takes and answers, and leads back into the product', async () => {
  await using shown = await openPage(browser, `${server.url}/docs`);
  const { page } = shown;
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await page.getByRole('heading', { name: 'API reference', level: 1 }).waitFor();
  const operations = page.getByRole('navigation', { name: 'Operations' });
  await operations.getByRole('link', { name: /List projects/ }).waitFor();

  await page.keyboard.press('/');
  await page.keyboard.type('post spans');
  await expect.poll(() => operations.getByRole('link', { name: /List projects/ }).count()).toBe(0);
  await operations.getByRole('link', { name: /Create spans/ }).click();
  await page.getByRole('heading', { name: 'Create spans', level: 2 }).waitFor();
  await page.waitForURL(/\/tools\/cairn\/docs\?operation=createSpans$/);
  await page.getByRole('group', { name: 'request' }).getByText(`${server.url}/v1/projects/default/spans`).waitFor();
  const body = page.getByRole('list', { name: 'Fields of the body' });
  await body.getByText('Fields of data').click();
  await body.getByRole('list', { name: 'Fields of data' }).getByText('span_kind').first().waitFor();
  expect(await findBarriers(page)).toEqual([]);

  await page.getByRole('complementary').getByRole('link', { name: 'Projects', exact: true }).click();
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  expect([...hosts]).toEqual([new URL(server.url).host]);
  expect(shown.faults).toEqual([]);
});

it('the API reference on a phone shows the list, then the operation, without scrolling sideways', async () => {
  await using shown = await openPage(browser, `${server.url}/docs`, { width: 390, theme: 'dark' });
  const { page } = shown;
  await page.getByRole('link', { name: /List the spans of a project$/ }).click();
  await page.getByRole('heading', { name: 'List the spans of a project', level: 2 }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('link', { name: 'All operations' }).click();
  await page.getByRole('navigation', { name: 'Operations' }).waitFor();
  expect(shown.faults).toEqual([]);
});

it('the GraphQL explorer runs an operation, shows the schema, and breaks no rule of the content security policy', async () => {
  const query = encodeURIComponent('{ getProjectByName(name: "default") { id } }');
  await using shown = await openPage(browser, `${server.url}/graphql?query=${query}`);
  const { page } = shown;
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await execute(page);
  await page.getByText('"UHJvamVjdDox"').waitFor();
  // The schema that it asked for at first is what its documentation shows.
  await page.getByRole('button', { name: /show documentation/i }).click();
  await page
    .getByText('projectChanges')
    .or(page.getByRole('link', { name: 'Subscription' }))
    .first()
    .waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole('complementary').getByRole('link', { name: 'API reference' }).click();
  await page.getByRole('heading', { name: 'API reference', level: 1 }).waitFor();
  expect([...hosts]).toEqual([new URL(server.url).host]);
  expect(shown.faults).toEqual([]);
});

it('the GraphQL explorer shows the events of a subscription', async () => {
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
