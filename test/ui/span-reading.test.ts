import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers, sharedBrowser, type TestPage, THEMES } from '../harness/browser.ts';
import { spanId, traceId } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { openTrace, row, send } from './trace-page.ts';

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  await send(server.url, [
    {
      traceId: traceId(1),
      spanId: spanId(1),
      name: 'chat',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"Hi"}]}]',
        'gen_ai.tool.definitions': '[{"name": "f", ',
        'session.id': 'conversation-1',
        'acme.step': 'seven',
      },
    },
  ]);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

async function openReading(): Promise<TestPage & { reading: Locator }> {
  const tab = await openTrace(browser, server.url, traceId(1), { height: 1400 });
  await row(tab.page, 'chat').click();
  await tab.page.getByRole('tab', { name: 'Origin' }).click();
  const reading = tab.page.getByRole('tabpanel', { name: 'Origin' });
  await reading.getByRole('button', { name: 'How this span was read' }).waitFor();
  await reading.getByRole('table').waitFor();
  return { ...tab, reading };
}

describe('how a span was read', () => {
  it('names the dialects with their evidence, and where each attribute went', async () => {
    await using tab = await openReading();
    const dialects = tab.reading.getByRole('list', { name: 'Dialects' }).getByRole('listitem');
    await expect
      .poll(() => dialects.allTextContents())
      .toEqual([expect.stringMatching(/by attribute gen_ai\./), expect.stringMatching(/applies to every span/)]);
    const messages = tab.reading.getByRole('row', { name: /^gen_ai\.input\.messages/ });
    await expect
      .poll(() => messages.getByRole('cell').locator('code').allTextContents())
      .toContain('llm.input_messages');
    expect(tab.faults).toEqual([]);
  });

  it('tells what stayed as it was sent, and what could not be read', async () => {
    await using tab = await openReading();
    await tab.reading.getByRole('button', { name: /Not recognised, shown as sent \(1\)/ }).click();
    await tab.reading.getByRole('listitem').filter({ hasText: 'acme.step' }).waitFor();
    await tab.reading.getByRole('button', { name: /Sent as OpenInference/ }).click();
    await tab.reading.getByRole('listitem').filter({ hasText: 'session.id' }).waitFor();
    await tab.reading.getByRole('button', { name: /another source says the same or more/ }).click();
    const broken = tab.reading.getByRole('listitem').filter({ hasText: 'gen_ai.tool.definitions' });
    await broken.getByText('starts like JSON but is not valid').waitFor();
  });

  it.each(THEMES)('keeps nobody out in the %s theme', async (theme) => {
    const tab = await openTrace(browser, server.url, traceId(1), { theme, height: 1400 });
    await using page = tab;
    await row(page.page, 'chat').click();
    await page.page.getByRole('tab', { name: 'Origin' }).click();
    await page.page.getByRole('table').waitFor();
    expect(await findBarriers(page.page)).toEqual([]);
  });
});
