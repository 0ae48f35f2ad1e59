import Database from 'better-sqlite3';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers, sharedBrowser } from '../harness/browser.ts';
import { spanId, type TestSpan, traceId } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { at, openTrace, readTree, row, send } from './trace-page.ts';

let browser: Browser;
let server: TestServer;
beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

function span(trace: number, place: number, name: string, changes: Partial<TestSpan> = {}): TestSpan {
  return {
    traceId: traceId(trace),
    spanId: spanId(trace * 100 + place),
    name,
    startUs: at(place * 10),
    endUs: at(place * 10 + 5),
    ...changes,
  };
}

describe('a trace that is not finished', () => {
  it('stands in for a root that is missing, and heals when it comes, keeping what is selected', async () => {
    const parentSpanId = spanId(100);
    const tool = span(1, 2, 'tool', { parentSpanId });
    await send(server.url, [span(1, 1, 'chat', { parentSpanId }), tool]);
    await using tab = await openTrace(browser, server.url, traceId(1));
    await tab.page.getByText('The root of this trace has not arrived. 2 spans name a parent').waitFor();
    await expect
      .poll(() => readTree(tab.page))
      .toEqual([`Parent not received ${parentSpanId.slice(0, 8)}`, '  chat', '  tool']);
    await row(tab.page, 'tool').click();
    await send(server.url, [
      span(1, 0, 'agent', { endUs: at(100) }),
      span(1, 3, 'later', { parentSpanId: tool.spanId }),
    ]);
    await row(tab.page, 'later').waitFor();
    await expect.poll(() => readTree(tab.page)).toEqual(['agent', '  chat', '  tool', '    later']);
    await expect.poll(() => row(tab.page, 'tool').getAttribute('aria-selected')).toBe('true');
    await expect.poll(() => tab.page.getByText('has not arrived').count()).toBe(0);
    expect(tab.faults).toEqual([]);
  });

  it('shows open spans as running until their end comes', async () => {
    await send(server.url, [span(2, 0, 'agent', { endUs: 0 }), span(2, 1, 'chat', { parentSpanId: spanId(200) })]);
    await using tab = await openTrace(browser, server.url, traceId(2));
    await tab.page.getByRole('treeitem', { name: /agent.*Not finished.*running/ }).waitFor();
    await send(server.url, [span(2, 0, 'agent', { endUs: at(800) })]);
    await tab.page.getByRole('treeitem', { name: /agent.*800 ms/ }).waitFor();
    await expect.poll(() => tab.page.getByText('running').count()).toBe(0);
  });

  it('shows what is sent again of a large trace, in the details too', async () => {
    const many = Array.from({ length: 1005 }, (_, place) => ({
      ...span(4, 0, `step ${place}`, { attributes: { 'output.value': 'all is well' } }),
      spanId: spanId(40_000 + place),
      startUs: at(place),
      endUs: at(place + 1),
    }));
    await send(server.url, many);
    await using tab = await openTrace(browser, server.url, traceId(4));
    await row(tab.page, 'step 3').first().click();
    await tab.page.getByRole('tabpanel').getByText('all is well').waitFor();
    const again = many.slice(3, 4).map((one) => ({ ...one, attributes: { 'output.value': 'it went wrong' } }));
    await send(
      server.url,
      again.map((one) => ({ ...one, status: 'ERROR' as const, name: 'step 3 again' })),
    );
    await tab.page.getByRole('treeitem', { name: /step 3 again.*Error/ }).waitFor();
    await tab.page.getByRole('tabpanel').getByText('it went wrong').waitFor();
    expect(tab.faults).toEqual([]);
  });

  it('says which spans are damaged and what can be done, and no longer when they are sent again', async () => {
    const spans = [1, 2].map((number) => ({ traceId: traceId(40), spanId: spanId(number), name: `part ${number}` }));
    for (const span of spans) await send(server.url, [span]);
    const data = new Database(`${server.folder}/cairn.db`);
    data
      .prepare(`UPDATE blocks SET data = substr(data, 1, 20) WHERE id =
        (SELECT block_id FROM span_locations JOIN spans ON spans.id = span_row_id WHERE name = 'part 2')`)
      .run();
    data.close();
    await using tab = await openTrace(browser, server.url, traceId(40));
    const banner = tab.page.getByRole('status').filter({ hasText: '1 span is damaged on disk' });
    await banner.waitFor();
    const show = banner.getByRole('button', { name: 'Show damaged spans' });
    await show.focus();
    await tab.page.keyboard.press('Enter');
    const dialog = tab.page.getByRole('dialog', { name: 'Damaged spans' });
    await dialog.getByText(`The stored original of span ${spanId(2)}`).waitFor();
    await dialog.getByText('a block of 20 bytes').waitFor();
    expect(await findBarriers(tab.page)).toEqual([]);
    await dialog.getByRole('link', { name: 'part 2' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(tab.page.url()).searchParams.get('selectedSpanNodeId')).not.toBeNull();
    await tab.page.getByRole('region', { name: 'Span part 2' }).waitFor();
    for (const span of spans) await send(server.url, [span]);
    await banner.waitFor({ state: 'detached' });
  });

  it('leaves the place alone when spans arrive above it', async () => {
    const parentSpanId = spanId(300);
    const many = Array.from({ length: 90 }, (_, place) => span(3, place + 5, `step ${place}`, { parentSpanId }));
    await send(server.url, [span(3, 0, 'agent', { endUs: at(2000) }), ...many]);
    await using tab = await openTrace(browser, server.url, traceId(3));
    await tab.tree.evaluate((tree) => tree.scrollTo(0, 28 * 40));
    await row(tab.page, 'step 45').waitFor();
    const before = await row(tab.page, 'step 45').boundingBox();
    await send(server.url, [span(3, 1, 'early', { parentSpanId }), span(3, 2, 'early too', { parentSpanId })]);
    await tab.page.getByText('Spans93').waitFor();
    await expect.poll(() => row(tab.page, 'step 45').boundingBox()).toEqual(before);
  });
});
