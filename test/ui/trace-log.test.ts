import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers, sharedBrowser } from '../harness/browser.ts';
import { spanId, type TestSpan, traceId } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { at, chooseView, openTrace, send } from './trace-page.ts';

const CALL_COUNT = 300;

let browser: Browser;
let server: TestServer;

function call(place: number): TestSpan {
  return {
    traceId: traceId(1),
    spanId: spanId(place),
    parentSpanId: spanId(0xfff),
    name: `call ${place}`,
    startUs: at(place * 10),
    endUs: at(place * 10 + 5),
    attributes: { 'input.value': `question number ${place}.`, 'output.value': `answer number ${place}.` },
  };
}

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  const calls = Array.from({ length: CALL_COUNT }, (_, place) => call(place + 1));
  const failing: TestSpan = {
    ...call(3),
    status: 'ERROR',
    events: [
      {
        name: 'exception',
        attributes: {
          'exception.type': 'TimeoutError',
          'exception.message': 'the ticket service did not answer',
          'exception.stacktrace': 'File "tools.py", line 31',
        },
      },
    ],
  };
  const root = { traceId: traceId(1), spanId: spanId(0xfff), name: 'root', startUs: at(0), endUs: at(4000) };
  const chat: TestSpan = {
    ...call(0),
    spanId: spanId(0xffe),
    name: 'chat',
    attributes: {
      'openinference.span.kind': 'LLM',
      'input.value': JSON.stringify({
        messages: [
          { role: 'system', content: 'be kind' },
          { role: 'assistant', content: 'hello' },
          { role: 'user', content: 'where is it?' },
        ],
      }),
      'output.value': JSON.stringify({
        role: 'assistant',
        tool_calls: [{ id: 'c', function: { name: 'track', arguments: '{"carrier":"PostNL"}' } }],
      }),
    },
  };
  await send(server.url, [
    chat,
    ...calls.toReversed().filter(({ spanId: id }) => id !== failing.spanId),
    failing,
    root,
  ]);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

async function openLog() {
  const tab = await openTrace(browser, server.url, traceId(1));
  await chooseView(tab.page, 'Log');
  const log = tab.page.getByRole('region', { name: 'Trace log' });
  await log.getByText('question number 1.').waitFor();
  return { ...tab, log };
}

describe('the log of a trace', () => {
  it('has inputs, outputs and exceptions in the order of time', async () => {
    await using tab = await openLog();
    const text = (await tab.log.textContent()) ?? '';
    const expected = ['question number 1.', 'answer number 1.', 'question number 2.', 'answer number 2.', 'number 3.'];
    const places = expected.map((part) => text.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    const exception = tab.log.getByRole('region', { name: 'Exception TimeoutError' });
    await exception.getByText('the ticket service did not answer', { exact: true }).waitFor();
    await exception.getByRole('button', { name: 'Stack trace' }).click();
    await exception.getByText('File "tools.py", line 31').first().waitFor();
  });

  it('reads as the details do: the last message, calls as calls, JSON as JSON', async () => {
    await using tab = await openLog();
    const entry = tab.log.getByRole('article').filter({ has: tab.page.getByRole('button', { name: /chat/ }) });
    await entry.getByText('where is it?', { exact: true }).waitFor();
    await entry.getByRole('region', { name: 'Call of track' }).getByText('"PostNL"').waitFor();
    await expect.poll(() => entry.getByText('be kind').count()).toBe(0);
    await entry.getByRole('button', { name: '2 earlier messages' }).click();
    await entry.getByText('be kind', { exact: true }).waitFor();
  });

  it('reads what is scrolled to and holds no more entries than are near', async () => {
    await using tab = await openLog();
    await expect.poll(() => tab.page.getByText('question number 250.').count()).toBe(0);
    await tab.log.evaluate((log) => log.scrollTo(0, log.scrollHeight));
    await tab.log.getByText(`question number ${CALL_COUNT}.`).waitFor();
    await expect.poll(() => tab.log.getByRole('listitem').count()).toBeLessThan(60);
  });

  it('finds within all contents and goes to what it found', async () => {
    await using tab = await openLog();
    const field = tab.page.getByRole('searchbox', { name: 'Find in inputs and outputs' });
    await field.fill('QUESTION NUMBER 277.');
    await tab.page.getByText(/^0 of \d+ loaded$/).waitFor();
    await tab.page.getByRole('button', { name: /Load and search all/ }).click();
    await tab.page.getByText(`1 of ${CALL_COUNT + 2} loaded`).waitFor();
    await field.press('Enter');
    await tab.log.getByText('question number 277.', { exact: true }).waitFor();
    const marked = () => tab.page.evaluate(() => [...(CSS.highlights.get('found') ?? [])].map(String));
    await expect.poll(marked).toEqual(['question number 277.']);
  });

  it('has no barriers', async () => {
    await using tab = await openLog();
    expect(await findBarriers(tab.page)).toEqual([]);
    expect(tab.faults).toEqual([]);
  });
});
