import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser, openPage } from '../harness/browser.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), startTestServer()]);
});
afterAll(async () => {
  await Promise.all([browser.close(), server[Symbol.asyncDispose]()]);
});

it('what the server refuses is said in its words, not in those of a library', async () => {
  await using tab = await openPage(browser, `${server.url}/projects/mistyped/traces`);
  const alerts = tab.page.getByRole('alert').filter({ hasText: 'This is not an id of anything that has one.' });
  await alerts.first().waitFor();
  expect(await tab.page.getByText('operation').count()).toBe(0);
});
