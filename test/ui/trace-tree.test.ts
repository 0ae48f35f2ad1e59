import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendBigTrace } from '../../bench/big-trace.ts';
import { findBarriers, sharedBrowser, THEMES } from '../harness/browser.ts';
import { queryGraphql } from '../harness/graphql.ts';
import { spanId, type TestSpan, traceId } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { at, chooseView, openTrace, readTree, row, send } from './trace-page.ts';
import { visit } from './visit.ts';

let browser: Browser;
let server: TestServer;

/** An agent that calls a model, a tool with parts, and two tools that fail. */
const AGENT: readonly TestSpan[] = [
  step(1, undefined, 'support_agent', 0, 900, { 'openinference.span.kind': 'AGENT' }),
  step(2, 1, 'ChatCompletion', 10, 200, {
    'openinference.span.kind': 'LLM',
    'llm.model_name': 'gpt-5.2-mini',
    'llm.token_count.prompt': 300,
    'llm.token_count.completion': 45,
    'llm.token_count.total': 345,
    'llm.cost.total': 0.0123,
  }),
  step(3, 1, 'search_documents', 220, 500, { 'openinference.span.kind': 'TOOL' }),
  step(4, 3, 'embed_query', 225, 260, {
    'openinference.span.kind': 'EMBEDDING',
    'input.value': 'where is my blue lantern',
  }),
  { ...step(5, 3, 'rerank', 300, 480, { 'openinference.span.kind': 'RERANKER' }), status: 'ERROR' },
  {
    ...step(6, 1, 'create_ticket', 510, 600, { 'openinference.span.kind': 'TOOL' }),
    status: 'ERROR',
    events: [{ name: 'exception', attributes: { 'exception.type': 'TimeoutError', 'exception.message': 'too late' } }],
  },
];

function step(
  number: number,
  parent: number | undefined,
  name: string,
  startMs: number,
  endMs: number,
  attributes: TestSpan['attributes'] = {},
): TestSpan {
  const span = {
    traceId: traceId(1),
    spanId: spanId(number),
    name,
    startUs: at(startMs),
    endUs: at(endMs),
    attributes,
  };
  return parent === undefined ? span : { ...span, parentSpanId: spanId(parent) };
}

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  await send(server.url, AGENT);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

function open(view?: Parameters<typeof openTrace>[3]) {
  return openTrace(browser, server.url, traceId(1), view);
}

describe('the tree of a trace', () => {
  /** For what changes nothing that a page remembers. */
  let shared: Awaited<ReturnType<typeof open>>;
  let address: string;
  beforeAll(async () => {
    shared = await open();
    address = shared.page.url();
  });
  afterAll(async () => {
    await shared[Symbol.asyncDispose]();
  });

  it('shows spans below their parents with kind, model, tokens, cost and latency, and says so to those who hear it', async () => {
    const tab = shared;
    await expect
      .poll(() => readTree(tab.page))
      .toEqual([
        'support_agent',
        '  ChatCompletion',
        '  search_documents',
        '    embed_query',
        '    rerank',
        '  create_ticket',
      ]);
    const chat = row(tab.page, 'ChatCompletion');
    await expect.poll(() => chat.textContent()).toMatch(/gpt-5\.2-mini.*345.*\$0\.01\d*.*190 ms/);
    await expect.poll(() => chat.getAttribute('aria-posinset')).toBe('1');
    await row(tab.page, 'support_agent')
      .getByTitle(/^No cost of its own, \$0\.01\d* including the spans below$/)
      .waitFor();
    await expect.poll(() => chat.getAttribute('aria-setsize')).toBe('3');
    await expect.poll(() => row(tab.page, 'search_documents').getAttribute('aria-expanded')).toBe('true');
    await tab.page.getByRole('treeitem', { name: /create_ticket.*Error/ }).waitFor();
    expect(tab.faults).toEqual([]);
  });

  it('is walked by keyboard, and the address follows', async () => {
    await using tab = await open();
    const selected = () => tab.page.locator('[role=treeitem][aria-selected=true] [data-name]').textContent();
    await tab.tree.focus();
    for (const [key, expected] of [
      ['ArrowDown', 'ChatCompletion'],
      ['End', 'create_ticket'],
      ['ArrowUp', 'rerank'],
      ['ArrowLeft', 'search_documents'],
      ['ArrowLeft', 'search_documents'],
      ['ArrowDown', 'create_ticket'],
      ['Home', 'support_agent'],
      ['s', 'search_documents'],
      ['ArrowRight', 'search_documents'],
      ['ArrowRight', 'embed_query'],
    ] as const) {
      await tab.page.keyboard.press(key);
      expect([key, await selected()]).toEqual([key, expected]);
    }
    const active = await tab.tree.getAttribute('aria-activedescendant');
    await expect.poll(() => tab.page.locator(`[id="${active}"] [data-name]`).textContent()).toBe('embed_query');
    const query = 'query ($spanId: String!) { getSpanByOtelId(spanId: $spanId) { id } }';
    const { getSpanByOtelId: span } = await queryGraphql<{ getSpanByOtelId: { id: string } }>(server.url, query, {
      spanId: spanId(4),
    });
    await tab.page.waitForURL(({ searchParams }) => searchParams.get('selectedSpanNodeId')?.includes(span.id) === true);
    await tab.page.reload();
    await tab.page.locator('[role=treeitem][aria-selected=true]', { hasText: 'embed_query' }).waitFor();
  });

  it('goes from error to error, also into what is collapsed, and announces where it is', async () => {
    await using tab = await open();
    await tab.page.getByText('2 errors').waitFor();
    await tab.page.getByRole('button', { name: 'Collapse all spans' }).click();
    await expect.poll(() => readTree(tab.page)).toEqual(['support_agent']);
    await row(tab.page, '2 errors below').waitFor();
    await tab.page.keyboard.press('f');
    await tab.page.locator('[role=treeitem][aria-selected=true]', { hasText: 'rerank' }).waitFor();
    await tab.page.getByText('Error 1 of 2', { exact: true }).waitFor();
    await tab.page.getByText('Error 1 of 2: rerank').waitFor({ state: 'attached' });
    await tab.page.keyboard.press('f');
    await tab.page.getByText('Error 2 of 2', { exact: true }).waitFor();
    await tab.page.getByRole('tabpanel').getByText('TimeoutError').first().waitFor();
    await tab.page.keyboard.press('Shift+F');
    await tab.page.getByText('Error 1 of 2', { exact: true }).waitFor();
  });

  it('is narrowed by name, kind, model and what spans say, keeping ancestors; Enter steps through what is found', async () => {
    const tab = shared;
    const field = tab.page.getByRole('searchbox', { name: /Filter spans/ });
    await field.fill('tool');
    await tab.page.getByText('0 of 2', { exact: true }).waitFor();
    await expect.poll(() => readTree(tab.page)).toEqual(['support_agent', '  search_documents', '  create_ticket']);
    await field.press('Enter');
    await tab.page.getByText('1 of 2', { exact: true }).waitFor();
    await field.press('Enter');
    await tab.page.locator('[role=treeitem][aria-selected=true]', { hasText: 'create_ticket' }).waitFor();
    await field.press('Shift+Enter');
    await tab.page.locator('[role=treeitem][aria-selected=true]', { hasText: 'search_documents' }).waitFor();
    await field.fill('5.2-MINI');
    await tab.page.getByText('0 of 1', { exact: true }).waitFor();
    await expect.poll(() => readTree(tab.page)).toEqual(['support_agent', '  ChatCompletion']);
    await field.fill('nothing like it');
    await tab.page.getByText('No span matches “nothing like it”').waitFor();
    await field.fill('blue lant');
    await tab.page.getByText('0 of 1', { exact: true }).waitFor();
    await expect.poll(() => readTree(tab.page)).toEqual(['support_agent', '  search_documents', '    embed_query']);
  });

  it('names its view in the address, so that a link shows the same view to everybody', async () => {
    await using tab = await open();
    await chooseView(tab.page, 'Timeline');
    await tab.page.waitForURL(({ searchParams }) => searchParams.get('traceView') === 'timeline');
    const address = tab.page.url();
    await tab.page.reload();
    await tab.page.getByRole('radio', { name: 'Timeline', checked: true }).waitFor();
    await chooseView(tab.page, 'Log');
    await tab.page.waitForURL(({ searchParams }) => searchParams.get('traceView') === 'log');
    await tab.page.goto(address);
    await tab.page.getByRole('radio', { name: 'Timeline', checked: true }).waitFor();
  });

  it('is named by the way to it where it covers its table, and that leads back', async () => {
    const tab = shared;
    await tab.page.getByRole('heading', { name: 'support_agent', level: 1 }).waitFor();
    await tab.page
      .getByRole('navigation', { name: 'Breadcrumbs' })
      .getByRole('link', { name: 'Traces', exact: true })
      .click();
    await tab.page.getByRole('grid').waitFor();
    await tab.page.waitForURL(({ searchParams }) => !searchParams.has('view') && !searchParams.has('traceView'));
  });

  it('has room for a phone: first the spans, then the details, and back', async () => {
    await using tab = await open({ width: 390, height: 844 });
    await row(tab.page, 'create_ticket').click();
    await tab.page.getByRole('heading', { name: 'create_ticket' }).waitFor();
    await tab.tree.waitFor({ state: 'hidden' });
    await tab.page.getByRole('button', { name: 'All spans' }).click();
    await row(tab.page, 'create_ticket').waitFor();
    await expect.poll(() => tab.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });

  it('has its place from the beginning, before the facts above it are read', async () => {
    const whose = { 'session.id': 'chat-6d908c3395bd', 'user.id': 'customer-30992' };
    const [root, call] = AGENT.map((span) => ({ ...span, traceId: traceId(7) }));
    if (root === undefined || call === undefined) throw new Error('There is no such trace.');
    await send(server.url, [{ ...root, attributes: { ...root.attributes, ...whose } }, call]);
    await using tab = await open();
    await tab.page.addInitScript(() => {
      const heights = new Set<number>();
      const measure = () => {
        const header = document.querySelector('section[aria-label^="Trace"] > header');
        if (header !== null) heights.add(header.clientHeight);
        document.documentElement.dataset['heights'] = [...heights].join(' ');
        requestAnimationFrame(measure);
      };
      // The document has no element yet.
      requestAnimationFrame(measure);
    });
    await tab.page.goto(tab.page.url().replace(/\/traces\/.*/, `/traces/${traceId(7)}`));
    await tab.page.getByRole('link', { name: 'customer-30992' }).waitFor();
    await tab.page.getByRole('heading', { name: 'support_agent' }).first().waitFor();
    expect(await tab.page.evaluate(() => document.documentElement.dataset['heights'])).toMatch(/^\d+$/);
  });

  it.each(THEMES)('has no barriers in the %s theme', async (theme) => {
    const tab = shared;
    await tab.page.emulateMedia({ colorScheme: theme });
    await visit(tab.page, address);
    await tab.page.getByRole('tab').first().waitFor();
    expect(await findBarriers(tab.page)).toEqual([]);
  });

  it('is no taller than its rows above the details, until somebody moves the line', async () => {
    await send(server.url, [{ ...step(1, undefined, 'alone', 0, 10), traceId: traceId(2) }]);
    await using tab = await openTrace(browser, server.url, traceId(2), { width: 840 });
    const heightOf = async () => (await tab.tree.boundingBox())?.height ?? 0;
    const rowHeight = (await row(tab.page, 'alone').boundingBox())?.height ?? 0;
    await expect.poll(heightOf).toBeLessThan(rowHeight + 4);
    await expect.poll(() => tab.tree.evaluate((tree) => tree.scrollHeight - tree.clientHeight)).toBe(0);
    const line = tab.page.getByRole('separator', { name: 'Resize details' });
    for (let press = 0; press < 5; press += 1) await line.press('ArrowDown');
    await expect.poll(heightOf).toBeGreaterThan(rowHeight * 2);
    await line.dblclick();
    await expect.poll(heightOf).toBeLessThan(rowHeight + 4);
  });
});

describe('the tree of a large trace', () => {
  it('holds few rows wherever one scrolls, and folds at once', async () => {
    const id = await sendBigTrace(server.url, 3000, 'large');
    await using tab = await openTrace(browser, server.url, id, { project: 'large' });
    await tab.page.getByText('Spans3,000').waitFor();
    await tab.page.getByText(/spans loaded/).waitFor({ state: 'detached' });
    const most = await tab.tree.evaluate(async (tree) => {
      let rows = 0;
      for (let top = 0; top < tree.scrollHeight; top += 4000) {
        tree.scrollTop = top;
        await new Promise(requestAnimationFrame);
        rows = Math.max(rows, tree.querySelectorAll('[role=treeitem]').length);
      }
      return rows;
    });
    expect(most).toBeGreaterThan(10);
    expect(most).toBeLessThanOrEqual(300);
    await tab.tree.focus();
    await tab.page.keyboard.press('End');
    await tab.page.locator('[role=treeitem][aria-selected=true]').waitFor();
    await tab.page.getByRole('button', { name: 'Collapse all spans' }).click();
    await expect.poll(() => tab.page.getByRole('treeitem').count()).toBe(1);
  });

  it('keeps the names of deep spans on the screen', async () => {
    const id = await sendBigTrace(server.url, 130, 'deep');
    await using tab = await openTrace(browser, server.url, id, { project: 'deep' });
    await tab.tree.evaluate((tree) => tree.scrollTo(0, 28 * 110));
    const deep = tab.page.locator('[role=treeitem][aria-level="101"] [data-name]');
    const box = await deep.boundingBox();
    const frame = await tab.tree.boundingBox();
    expect(box?.width).toBeGreaterThan(20);
    // What is cut says less than nothing: the whole name fits, and the depth stands beside it.
    await expect.poll(() => deep.evaluate((name) => name.scrollWidth - name.clientWidth)).toBe(0);
    const depth = await row(tab.page, '100').first().getByText('100', { exact: true }).boundingBox();
    const figures = await row(tab.page, '100')
      .first()
      .getByText(/ms$|s$/)
      .boundingBox();
    expect((depth?.x ?? 0) + (depth?.width ?? 0)).toBeLessThan(figures?.x ?? 0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan((frame?.x ?? 0) + (frame?.width ?? 0));
    await expect.poll(() => row(tab.page, '100').count()).toBeGreaterThan(0);
  });
});
