/** How smoothly a list scrolls, seen from inside the page. */
import type { Page } from 'playwright-core';

/** What five seconds of scrolling showed. */
export interface Frames {
  readonly medianFps: number;
  readonly longestFrameMs: number;
  /** Rows in the document at the worst moment. */
  readonly maxRows: number;
  /** How far it came. */
  readonly scrolledPx: number;
}

/** Scrolls what holds the element with that role for five seconds, a good 2,000 pixels a second. */
export function measureScroll(page: Page, role: 'grid' | 'tree' | 'feed', rowSelector: string): Promise<Frames> {
  return page.evaluate(SCROLL, [role, rowSelector, DURATION_MS] as const);
}

const DURATION_MS = 5000;

/** Runs in the page. */
async function SCROLL([role, rowSelector, durationMs]: readonly [string, string, number]): Promise<Frames> {
  const element = document.querySelector(`[role="${role}"]`);
  if (element === null) throw new Error(`There is no ${role}.`);
  const scrolls = (one: Element) =>
    one.scrollHeight > one.clientHeight && /auto|scroll/.test(getComputedStyle(one).overflowY);
  let scroller = scrolls(element) ? element : [...element.querySelectorAll('*')].find(scrolls);
  for (let up = element.parentElement; scroller === undefined && up !== null; up = up.parentElement) {
    if (scrolls(up)) scroller = up;
  }
  if (scroller === undefined) throw new Error(`Nothing around the ${role} scrolls.`);
  const begun = performance.now();
  const from = scroller.scrollTop;
  const frames: number[] = [];
  let maxRows = 0;
  let last = begun;
  while (last - begun < durationMs) {
    const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    if (frames.length > 0 || now > last) frames.push(now - last);
    last = now;
    maxRows = Math.max(maxRows, element.querySelectorAll(rowSelector).length);
    scroller.scrollTop += 36;
  }
  const ascending = frames.toSorted((a, b) => a - b);
  return {
    medianFps: 1000 / (ascending[Math.floor(ascending.length / 2)] ?? 1000),
    longestFrameMs: ascending.at(-1) ?? 0,
    maxRows,
    scrolledPx: scroller.scrollTop - from,
  };
}
