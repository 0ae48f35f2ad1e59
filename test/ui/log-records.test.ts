import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers, sharedBrowser } from '../harness/browser.ts';
import { exportLogs } from '../harness/otlp-client.ts';
import { logsRequest, spanId, type TestLogRecord, traceId } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { openTrace, row, send } from './trace-page.ts';

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** A model call whose content is in log records alone. */
async function sendCall(trace: number, records: readonly TestLogRecord[]): Promise<void> {
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' };
  await send(server.url, [{ traceId: traceId(trace), spanId: spanId(1), name: 'chat', attributes }]);
  await exportLogs(server.url, logsRequest(records.map((record) => ({ traceId: traceId(trace), ...record }))));
}

const ANSWER: TestLogRecord = {
  spanId: spanId(1),
  eventName: 'gen_ai.choice',
  body: { index: 0, message: { role: 'assistant', content: 'Paris, said the record.' } },
};

describe('log records', () => {
  it('are read as what a span says, and stand beside its events', async () => {
    await sendCall(1, [ANSWER, { spanId: spanId(1), body: 'a line of the program' }]);
    await using tab = await openTrace(browser, server.url, traceId(1), { height: 1400 });
    await row(tab.page, 'chat').click();
    await tab.page.getByText('Paris, said the record.').first().waitFor();
    await tab.page.getByRole('tab', { name: /^Events\s*2$/ }).click();
    const events = tab.page.getByRole('tabpanel', { name: 'Events' });
    await events.getByText('Log records (2)').waitFor();
    await events.getByRole('heading', { name: 'gen_ai.choice' }).waitFor();
    await events.getByText('a line of the program').waitFor();
    expect(tab.faults).toEqual([]);
  });

  it('are told of where they are all that a span has', async () => {
    await send(server.url, [{ traceId: traceId(4), spanId: spanId(1), name: 'job', attributes: {} }]);
    await exportLogs(server.url, logsRequest([{ traceId: traceId(4), spanId: spanId(1), body: 'a line' }]));
    await using tab = await openTrace(browser, server.url, traceId(4), { height: 1400 });
    await row(tab.page, 'job').click();
    await tab.page.getByText('This span has log records, shown under Events.').waitFor();
    await tab.page.getByRole('tab', { name: /^Events\s*1$/ }).waitFor();
  });

  it('that belong to no span are told of in the trace, and can be looked at', async () => {
    await sendCall(2, [ANSWER, { spanId: spanId(9), body: { lost: 'and found' } }]);
    await using tab = await openTrace(browser, server.url, traceId(2));
    await tab.page.getByText('1 log record is not attached to a span').waitFor();
    await tab.page.getByRole('button', { name: 'Show', exact: true }).click();
    const dialog = tab.page.getByRole('dialog', { name: 'Log records without a span' });
    await dialog.getByText('and found').waitFor();
    expect(await findBarriers(tab.page)).toEqual([]);
    expect(tab.faults).toEqual([]);
  });

  it('that come while the page is open change what it shows', async () => {
    await sendCall(3, []);
    await using tab = await openTrace(browser, server.url, traceId(3), { height: 1400 });
    await row(tab.page, 'chat').click();
    await exportLogs(server.url, logsRequest([{ ...ANSWER, traceId: traceId(3) }]));
    await tab.page.getByText('Paris, said the record.').first().waitFor();
    await exportLogs(server.url, logsRequest([{ traceId: traceId(3), spanId: spanId(8), body: 'alone' }]));
    await tab.page.getByText('1 log record is not attached to a span').waitFor();
    expect(tab.faults).toEqual([]);
  });
});
