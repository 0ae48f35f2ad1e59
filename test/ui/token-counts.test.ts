/** What the page of a trace says of tokens that do not count, and of counts that contradict each other. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers, sharedBrowser } from '../harness/browser.ts';
import { spanId, type TestSpan, traceId } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { at, openTrace, row, send } from './trace-page.ts';

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  await send(server.url, [
    step(1, null, 'generateText', 'LLM', { prompt: 153, completion: 29 }),
    step(2, 1, 'step', 'CHAIN', {}),
    step(3, 2, 'doGenerate', 'LLM', { prompt: 137, completion: 29, total: 99 }),
  ]);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

function step(
  number: number,
  parent: number | null,
  name: string,
  kind: string,
  counts: Readonly<Record<string, number>>,
): TestSpan {
  const tokens = Object.entries(counts).map(([key, count]) => [`llm.token_count.${key}`, count]);
  return {
    traceId: traceId(1),
    spanId: spanId(number),
    ...(parent !== null && { parentSpanId: spanId(parent) }),
    name,
    startUs: at(number),
    endUs: at(9 - number),
    attributes: { 'openinference.span.kind': kind, ...Object.fromEntries(tokens) },
  };
}

describe('the tokens of a trace', () => {
  it('are those of its calls, and a wrapper says where its own are counted', async () => {
    await using tab = await openTrace(browser, server.url, traceId(1));
    await tab.page.getByTitle('137 prompt, 29 completion', { exact: true }).waitFor();
    await tab.page.getByTitle('182 tokens, not counted here (the span’s details say why)').waitFor();
    await tab.page.getByTitle('166 tokens', { exact: true }).waitFor();
    await row(tab.page, 'generateText').first().click();
    await tab.page.getByRole('button', { name: '182 tokens' }).click();
    const dialog = tab.page.getByRole('dialog', { name: 'Tokens' });
    await expect
      .poll(() => dialog.getByRole('listitem').allTextContents())
      .toEqual([
        'Counted in doGenerate below, so not here.',
        'It reports 16 more tokens, which are not counted anywhere.',
      ]);
    expect(await findBarriers(tab.page)).toEqual([]);
    expect(tab.faults).toEqual([]);
  });

  it('are marked where a producer contradicts itself', async () => {
    await using tab = await openTrace(browser, server.url, traceId(1));
    await row(tab.page, 'doGenerate').first().click();
    await tab.page.getByRole('button', { name: '166 tokens' }).click();
    const dialog = tab.page.getByRole('dialog', { name: 'Tokens' });
    await expect
      .poll(() => dialog.getByRole('listitem').allTextContents())
      .toEqual(['llm.token_count.total is 99, but 137 input and 29 output make 166.']);
  });
});
