import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers, sharedBrowser } from '../harness/browser.ts';
import { spanId, type TestSpan, traceId } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { at, chooseView, openTrace, row, send } from './trace-page.ts';

const HOURS = 1;
const MILLISECONDS = 2;

let browser: Browser;
let server: TestServer;

/** A root of some length with two spans side by side in its middle, one at its very end, and one that takes no time. */
function trace(number: number, lengthMs: number): readonly TestSpan[] {
  const child = (place: number, name: string, from: number, to: number): TestSpan => ({
    traceId: traceId(number),
    spanId: spanId(number * 10 + place),
    parentSpanId: spanId(number * 10),
    name,
    startUs: at(from * lengthMs),
    endUs: at(to * lengthMs),
  });
  const root = {
    traceId: traceId(number),
    spanId: spanId(number * 10),
    name: 'root',
    startUs: at(0),
    endUs: at(lengthMs),
  };
  return [
    root,
    child(1, 'left', 0.25, 0.625),
    child(2, 'right', 0.375, 0.75),
    child(3, 'moment', 0.5, 0.5),
    child(4, 'last', 0.9999, 1),
  ];
}

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  await send(server.url, [...trace(HOURS, 2 * 3_600_000), ...trace(MILLISECONDS, 3)]);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

async function openTimeline(number: number) {
  const tab = await openTrace(browser, server.url, traceId(number));
  await chooseView(tab.page, 'Timeline');
  await bar(tab.page, 'root').waitFor();
  return tab;
}

function bar(page: Page, name: string): Locator {
  return row(page, name).locator('[data-bar]');
}

async function sidesOf(page: Page, name: string): Promise<{ readonly left: number; readonly right: number }> {
  const box = await bar(page, name).boundingBox();
  if (box === null) throw new Error(`The bar of ${name} is not drawn.`);
  return { left: box.x, right: box.x + box.width };
}

describe('the timeline', () => {
  it.each([
    ['two hours', HOURS, '30 min'],
    ['three milliseconds', MILLISECONDS, '1 ms'],
  ])('shows every span of a trace of %s, none cut off, under an axis with times', async (_, number, tick) => {
    await using tab = await openTimeline(number);
    await tab.page.getByText(tick, { exact: true }).waitFor();
    const root = await sidesOf(tab.page, 'root');
    for (const name of ['left', 'right', 'moment', 'last']) {
      const { left, right } = await sidesOf(tab.page, name);
      expect(right - left).toBeGreaterThanOrEqual(2.9);
      expect(left).toBeGreaterThanOrEqual(root.left - 0.5);
      expect(right).toBeLessThanOrEqual(root.right + 0.5);
    }
    const [left, right] = [await sidesOf(tab.page, 'left'), await sidesOf(tab.page, 'right')];
    expect(left.left).toBeLessThan(right.left);
    expect(right.left).toBeLessThan(left.right);
  });

  it('zooms at the pointer, pans by dragging, and shows all again', async () => {
    await using tab = await openTimeline(HOURS);
    const before = await sidesOf(tab.page, 'left');
    await bar(tab.page, 'left').hover();
    const middle = (before.left + before.right) / 2;
    await tab.page.keyboard.down('Control');
    await tab.page.mouse.wheel(0, -240);
    await tab.page.keyboard.up('Control');
    await expect.poll(async () => width(await sidesOf(tab.page, 'left'))).toBeGreaterThan(1.9 * width(before));
    const zoomed = await sidesOf(tab.page, 'left');
    expect(Math.abs((zoomed.left + zoomed.right) / 2 - middle)).toBeLessThan(3);

    await tab.page.mouse.down();
    await tab.page.mouse.move(middle + 60, 300, { steps: 4 });
    await tab.page.mouse.up();
    await expect.poll(async () => (await sidesOf(tab.page, 'left')).left).toBeGreaterThan(zoomed.left + 30);

    await tab.page.keyboard.press('0');
    await expect.poll(async () => Math.round((await sidesOf(tab.page, 'left')).left)).toBe(Math.round(before.left));
    await tab.page.keyboard.press('+');
    await expect.poll(async () => width(await sidesOf(tab.page, 'left'))).toBeGreaterThan(1.3 * width(before));
    await tab.page.keyboard.press('-');
    expect(width(await sidesOf(tab.page, 'left'))).toBeCloseTo(width(before), 0);
  });

  it('shares the selection with the tree and brings what is selected into sight', async () => {
    await using tab = await openTimeline(MILLISECONDS);
    await tab.page.getByRole('slider', { name: /Visible part of the trace/ }).focus();
    for (let press = 0; press < 4; press++) await tab.page.getByRole('button', { name: 'Zoom in' }).click();
    await tab.tree.focus();
    await tab.page.keyboard.press('End');
    await expect.poll(async () => width(await sidesOf(tab.page, 'last'))).toBeGreaterThan(1);
    await chooseView(tab.page, 'Tree');
    await tab.page.locator('[role=treeitem][aria-selected=true]', { hasText: 'last' }).waitFor();
  });

  it('marks the critical path below the bars, says how much of it is whose, and has no barriers', async () => {
    await using tab = await openTimeline(HOURS);
    await tab.page.keyboard.press('c');
    await tab.page.getByRole('button', { name: /^Critical path/, pressed: true }).waitFor();
    const path = (name: string) => row(tab.page, name).locator('[data-path] path');
    await expect.poll(() => path('root').getAttribute('d')).toMatch(/^M0 0H250M750 0H999/);
    await expect.poll(() => path('left').getAttribute('d')).toBe('M250 0H375');
    await expect.poll(() => path('right').getAttribute('d')).toBe('M375 0H750');
    await expect.poll(() => path('moment').count()).toBe(0);
    await tab.page.getByRole('treeitem', { name: /right.*45m 00s of it on the critical path/ }).waitFor();
    await tab.tree.focus();
    await tab.page.keyboard.press('Home');
    await tab.page.keyboard.press('ArrowLeft');
    await expect.poll(() => path('root').getAttribute('d')).toBe('M0 0H1000');
    expect(await findBarriers(tab.page)).toEqual([]);
    expect(tab.faults).toEqual([]);
  });
});

function width({ left, right }: { readonly left: number; readonly right: number }): number {
  return right - left;
}
