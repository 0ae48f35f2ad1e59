/** A trace as a graph of its steps. */
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers, sharedBrowser } from '../harness/browser.ts';
import { spanId, type TestSpan, traceId } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { at, openTrace, row, send } from './trace-page.ts';

/** More than the graph shows one by one. */
const MANY = 2100;

let browser: Browser;
let server: TestServer;

const ROOT: TestSpan = {
  traceId: traceId(1),
  spanId: spanId(0xfff),
  name: 'plan the trip',
  startUs: at(0),
  endUs: at(1000),
  attributes: { 'openinference.span.kind': 'AGENT' },
};

/** Asks, searches, asks, searches and asks, one after the other; the second search fails. */
const STEPS = ['ask', 'search', 'ask', 'search', 'ask'].map(
  (name, place): TestSpan => ({
    traceId: traceId(1),
    spanId: spanId(place + 1),
    parentSpanId: ROOT.spanId,
    name,
    startUs: at(place * 100),
    endUs: at(place * 100 + 90),
    ...(place === 3 && { status: 'ERROR' }),
    attributes: { 'openinference.span.kind': name === 'ask' ? 'LLM' : 'TOOL' },
  }),
);

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  const many = Array.from(
    { length: MANY },
    (_, place): TestSpan => ({
      traceId: traceId(2),
      spanId: spanId(place + 1),
      name: place === 0 ? 'root' : `worker ${place % 3}`,
      startUs: at(place),
      endUs: at(place + 1),
      ...(place > 0 && { parentSpanId: spanId(1) }),
    }),
  );
  await send(server.url, [ROOT, ...STEPS, ...many]);
});
afterAll(() => server[Symbol.asyncDispose]());

async function openGraph(place = 1, theme: 'light' | 'dark' = 'light') {
  const tab = await openTrace(browser, server.url, traceId(place), { theme, reducedMotion: 'reduce' });
  await tab.page.getByRole('radio', { name: 'Graph' }).click();
  await tab.page.waitForURL(/traceView=graph/);
  const graph = tab.page.getByRole('group', { name: /^Graph of / });
  await graph.waitFor();
  return { ...tab, graph };
}

const step = (graph: Locator, name: RegExp) => graph.getByRole('button', { name });

describe('the graph of a trace', () => {
  it('merges spans by name and kind, and selecting a step selects its spans in the tree', async () => {
    await using tab = await openGraph();
    const { page, graph } = tab;
    await expect.poll(() => graph.getByRole('button').count()).toBe(3);
    await step(graph, /ask.*, 3 calls/).waitFor();
    await step(graph, /search.*, 2 calls, 1 error/).click();
    await page.getByText('Call 1 of 2').waitFor();
    await page.getByRole('button', { name: 'Next call' }).click();
    await page.getByText('Call 2 of 2').waitFor();
    await page.getByRole('button', { name: 'Show in tree' }).click();
    await row(page, 'search').first().waitFor();
    await expect.poll(() => page.getByRole('treeitem', { name: 'search', selected: true }).count()).toBe(1);
    await expect.poll(() => row(page, 'ask').count()).toBe(0);
    expect(tab.faults).toEqual([]);
  });

  it('expands to one step for each span, and the keyboard goes from step to step', async () => {
    await using tab = await openGraph();
    const { page, graph } = tab;
    await page.getByRole('radio', { name: 'Expanded' }).click();
    await expect.poll(() => graph.getByRole('button').count()).toBe(6);
    await step(graph, /plan the trip/).click();
    await page.keyboard.press('ArrowRight');
    await graph
      .locator('[aria-pressed="true"]')
      .filter({ hasText: /ask|search/ })
      .waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-pressed'))).toBe('true');
    const drawing = page.locator('[data-step]').first().locator('..');
    const before = await drawing.getAttribute('style');
    await page.keyboard.press('+');
    await expect.poll(() => drawing.getAttribute('style')).not.toBe(before);
    await page.keyboard.press('0');
    await graph.focus();
    await page.keyboard.press('ArrowDown');
    expect(tab.faults).toEqual([]);
  });

  it('says the same as a list, loops included', async () => {
    await using tab = await openGraph();
    const { page } = tab;
    await page.getByRole('radio', { name: 'List' }).click();
    const line = page.getByRole('row').filter({ has: page.getByRole('button', { name: /search/ }) });
    await line.getByText('ask ×2 (loop)').waitFor();
    await line.getByRole('button', { name: /search/ }).click();
    await page.getByText('Call 1 of 2').waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });

  it('bars nobody, in the dark and on a phone', async () => {
    await using tab = await openGraph(1, 'dark');
    await tab.page.setViewportSize({ width: 390, height: 844 });
    await tab.graph.waitFor();
    await expect.poll(() => tab.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await findBarriers(tab.page)).toEqual([]);
  });

  it('merges the spans of a large trace and says so', async () => {
    await using tab = await openGraph(2);
    const { page, graph } = tab;
    await page.getByText('This trace has 2,100 spans. Above 2,000, the graph merges them by name and kind.').waitFor();
    await expect.poll(() => page.getByRole('radio', { name: 'Expanded' }).count()).toBe(0);
    await expect.poll(() => graph.getByRole('button').count()).toBe(4);
    expect(tab.faults).toEqual([]);
  });
});
