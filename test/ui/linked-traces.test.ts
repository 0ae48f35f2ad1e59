import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers, sharedBrowser } from '../harness/browser.ts';
import { spanId, traceId } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { at, openTrace, row, send } from './trace-page.ts';

let browser: Browser;
let server: TestServer;

function job(number: number, name: string, links: readonly number[]) {
  return {
    traceId: traceId(number),
    spanId: spanId(number),
    name,
    startUs: at(number),
    links: links.map((linked) => ({ traceId: traceId(linked), spanId: spanId(linked) })),
  };
}

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  // The end of a link may be stored before the link is, or never.
  await send(server.url, [job(1, 'enqueue', [])]);
  await send(server.url, [job(2, 'process', [1, 3])]);
  await send(server.url, [job(4, 'report', [2])]);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

describe('traces that only links join', () => {
  it('name each other, and lead to each other', async () => {
    await using tab = await openTrace(browser, server.url, traceId(2));
    const header = tab.page.getByRole('banner').or(tab.page.locator('header'));
    await header.getByText('Links to').first().waitFor();
    await header.getByText('Linked from').first().waitFor();
    await header.getByRole('link', { name: 'report' }).waitFor();
    await header.getByRole('link', { name: 'enqueue' }).click();
    await row(tab.page, 'enqueue').waitFor();
    await header.getByText('Linked from').first().waitFor();
    await expect.poll(() => header.getByText('Links to').count()).toBe(0);
    await header.getByRole('link', { name: 'process' }).waitFor();
    expect(tab.faults).toEqual([]);
  });

  it('are named at the spans on both ends of a link', async () => {
    await using tab = await openTrace(browser, server.url, traceId(2));
    await row(tab.page, 'process').click();
    await tab.page.getByRole('tab', { name: 'Origin' }).click();
    const origin = tab.page.getByRole('tabpanel', { name: 'Origin' });
    await origin.getByRole('button', { name: 'Links (2)' }).waitFor();
    await origin.getByText('A span that is not stored').waitFor();
    await origin.getByRole('button', { name: 'Linked from (1)' }).waitFor();
    expect(await findBarriers(tab.page)).toEqual([]);
    await origin.getByRole('link', { name: 'report' }).click();
    await row(tab.page, 'report').waitFor();
  });
});
