import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers, sharedBrowser, type TestPage, THEMES } from '../harness/browser.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { findProjectId, openList, range, readHeaders, readNames, row, rows, sendTraces } from './list-page.ts';
import { visit } from './visit.ts';

let browser: Browser;
let server: TestServer;

/** A name that would be read as `pay exe.pdf`, and one that looks like another. */
const HIDDEN = { name: 'pay \u202Efdp.exe', attributes: { 'session.id': 'chat\u200B7', 'user.id': 'ad\u0001a' } };

/** Longer than a column is wide, from right to left. */
const ARABIC = 'مرحبا أين طردي '.repeat(40);

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  await sendTraces(server.url, 'many', range(1, 1200), { status: 'OK' });
  await sendTraces(server.url, 'few', range(2001, 2005));
  await sendTraces(server.url, 'one', [3001], HIDDEN);
  await sendTraces(server.url, 'arabic', [4001], { attributes: { 'input.value': ARABIC } });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

describe('a long table', () => {
  it('scrolls to its end with never more than 200 rows in the document', async () => {
    await using tab = await openList(browser, server.url, 'many', 'spans?range=all');
    const most = await tab.page.evaluate(async () => {
      const scroller = document.querySelector('[role=grid]')?.parentElement;
      if (scroller == null) throw new Error('There is no table.');
      let count = 0;
      const end = performance.now() + 40_000;
      while (performance.now() < end) {
        scroller.scrollBy(0, 900);
        await new Promise(requestAnimationFrame);
        count = Math.max(count, document.querySelectorAll('tr').length);
        if (document.querySelector('tr[aria-rowindex="1201"]') !== null) return count;
      }
      throw new Error('The end did not come.');
    });
    expect(most).toBeLessThan(200);
    await row(tab.page, 1).waitFor();
    expect(tab.faults).toEqual([]);
  });

  it('is ordered by the header that is pressed, in the address too', async () => {
    await using tab = await openList(browser, server.url, 'many', 'spans?range=all');
    expect((await readNames(tab.page)).slice(0, 2)).toEqual(['answer 1200', 'answer 1199']);
    const latency = tab.page.getByRole('columnheader', { name: 'Latency', exact: true });
    await latency.click();
    await latency.click();
    await row(tab.page, 1).waitFor();
    expect((await readNames(tab.page)).slice(0, 3)).toEqual(['answer 1', 'answer 2', 'answer 3']);
    await expect.poll(() => latency.getAttribute('aria-sort')).toBe('ascending');
    expect(decodeURIComponent(tab.page.url())).toContain('sort=latency:asc');
    await tab.page.reload();
    await row(tab.page, 1).waitFor();
  });

  it('shows the beginning of a text that runs from right to left', async () => {
    await using tab = await openList(browser, server.url, 'arabic', 'spans?range=all');
    const preview = tab.page.locator('[data-has-text]', { hasText: 'مرحبا' });
    const isInSight = await preview.evaluate((element) => {
      const first = document.createRange();
      const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
      if (text === null) throw new Error('There is no text.');
      first.setStart(text, 0);
      first.setEnd(text, 1);
      const [{ left, right }, around] = [first.getBoundingClientRect(), element.getBoundingClientRect()];
      return left >= around.left && right <= around.right + 1;
    });
    expect(isInSight).toBe(true);
  });

  it('keeps names short and shares the rest of its width between input and output', async () => {
    for (const width of [1440, 1920]) {
      await using tab = await openList(browser, server.url, 'many', 'traces?range=all', { width });
      const widths = await widthsOf(tab.page);
      expect(widths['Name']).toBe(180);
      expect(widths['Input']).toBe(widths['Output']);
      expect(Math.max(...Object.values(widths))).toBe(Math.max(widths['Input'] ?? 0, 180));
    }
  });

  it('shows its figures to the cost beside the filters on a laptop', async () => {
    await using tab = await openList(browser, server.url, 'many', 'traces?range=all', { width: 1400 });
    const { page } = tab;
    await page.keyboard.press('b');
    for (const list of ['traces', 'spans']) {
      await visit(page, page.url().replace(/(traces|spans)/, list));
      await page.getByRole('complementary', { name: 'Facets' }).getByText('Latency').waitFor();
      const cost = await page.getByRole('columnheader', { name: 'Cost', exact: true }).boundingBox();
      expect((cost?.x ?? 0) + (cost?.width ?? 0), list).toBeLessThanOrEqual(1400);
    }
  });

  it('marks what failed, and says nothing of success', async () => {
    await sendTraces(server.url, 'mixed', [6001], { status: 'OK' });
    await sendTraces(server.url, 'mixed', [6002], { status: 'ERROR' });
    await using tab = await openList(browser, server.url, 'mixed', 'traces?range=all');
    await expect.poll(() => row(tab.page, 6002).getByTitle('Error', { exact: true }).count()).toBe(1);
    await expect.poll(() => row(tab.page, 6001).getByTitle('OK', { exact: true }).count()).toBe(0);
    // Who hears the page is told of both.
    await expect.poll(() => row(tab.page, 6001).textContent()).toMatch(/^OK/);
  });

  it('has two lines in each row beside an open trace, with what it took, and an order that can be chosen', async () => {
    await using tab = await openList(browser, server.url, 'many', 'traces?range=all');
    const { page } = tab;
    await row(page, 1200).click();
    await page.getByRole('region', { name: 'Trace answer 1200' }).waitFor();
    await expect.poll(() => row(page, 1199).evaluate((element) => element.clientHeight)).toBeLessThan(61);
    await expect.poll(() => row(page, 1199).textContent()).toMatch(/answer 1199.*1 span/);
    const grid = page.getByRole('grid');
    await expect
      .poll(() => grid.evaluate(({ parentElement: box }) => (box?.scrollWidth ?? 0) - (box?.clientWidth ?? 0)))
      .toBe(0);
    await page.getByRole('button', { name: 'Sort', exact: true }).click();
    await page.getByRole('menuitemradio', { name: 'Latency' }).click();
    await expect.poll(() => decodeURIComponent(page.url())).toContain('sort=latency:desc');
    expect(tab.faults).toEqual([]);
  });

  it('offers a wider range where this one is empty, and says which times can be typed', async () => {
    const from = 'start=2020-01-01T00:00:00Z&end=2020-01-02T00:00:00Z';
    const id = await findProjectId(server.url, 'few');
    await using tab = await openList(browser, server.url, 'few', 'traces?range=all');
    await visit(tab.page, `/projects/${id}/traces?${from}`);
    await tab.page.getByText('No traces in this time range').waitFor();
    await tab.page.getByRole('button', { name: 'Show last 12 hours' }).click();
    await row(tab.page, 2001).waitFor();
    await expect.poll(() => tab.page.url()).toContain('range=12h');
    await tab.page.keyboard.press('t');
    const field = tab.page.getByRole('textbox', { name: 'Type a time range' });
    await field.fill('last tuesday');
    await field.press('Enter');
    await tab.page.getByText('not a time range').waitFor();
    expect([await field.inputValue(), await field.getAttribute('aria-invalid')]).toEqual(['last tuesday', 'true']);
    await field.fill('2026-11-20 10:00 to 12:30');
    await field.press('Enter');
    await expect.poll(() => tab.page.url()).toContain('end=2026-11-20T11');
  });

  it('says inside the table when the server fails, and tries again', async () => {
    await using tab = await openList(browser, server.url, 'few', 'traces?range=all');
    await tab.context.route('**/graphql', (route) =>
      route.request().postData()?.includes('spansTableQuery') === true
        ? route.fulfill({ status: 500, body: 'the disk is gone' })
        : route.continue(),
    );
    await tab.page.getByRole('link', { name: /Spans/ }).click();
    const grid = tab.page.getByRole('alert').filter({ hasText: 'The spans could not be loaded' });
    await grid.waitFor();
    await expect.poll(() => readHeaders(tab.page)).toContain('Model');
    await tab.context.unroute('**/graphql');
    await tab.page.getByRole('button', { name: 'Try again' }).click();
    await row(tab.page, 2001).waitFor();
  });
});

describe('columns', () => {
  it('are hidden, moved and made wider by keyboard, and stay so after a reload, for this table of this project', async () => {
    await using tab = await openList(browser, server.url, 'few', 'traces?range=all');
    const before = await readHeaders(tab.page);
    expect(before.slice(0, 4)).toEqual(['Status', 'Name', 'Input', 'Output']);
    const input = tab.page.getByRole('columnheader', { name: 'Input' });
    const widthOf = async () => (await input.boundingBox())?.width ?? 0;
    await input.focus();
    await tab.page.keyboard.press('Shift+ArrowRight');
    const width = await widthOf();
    await tab.page.keyboard.press('Alt+ArrowRight');
    const columns = tab.page.getByRole('button', { name: 'Columns' });
    for (const name of ['Refresh', 'Download']) {
      await tab.page.getByRole('button', { name }).focus();
      const [tip, button] = [await tab.page.getByRole('tooltip', { name }).boundingBox(), await columns.boundingBox()];
      expect(
        tip !== null && button !== null && (tip.y >= button.y + button.height || tip.y + tip.height <= button.y),
      ).toBe(true);
    }
    await columns.click();
    await tab.page.getByRole('checkbox', { name: 'User' }).press('Space');
    await tab.page.keyboard.press('Escape');

    const expected = ['Status', 'Name', 'Output', 'Input', ...before.slice(4).filter((name) => name !== 'User')];
    await expect.poll(() => readHeaders(tab.page)).toEqual(expected);
    await expect.poll(() => widthOf()).toBeGreaterThan(width + 10);
    await tab.page.reload();
    await rows(tab.page).first().waitFor();
    await expect.poll(() => readHeaders(tab.page)).toEqual(expected);
    await expect.poll(() => widthOf()).toBeGreaterThan(width + 10);

    await visit(tab.page, `/projects/${await findProjectId(server.url, 'many')}/traces?range=all`);
    await rows(tab.page).first().waitFor();
    await expect.poll(() => readHeaders(tab.page)).toEqual(before);
  });

  it('are moved and made wider by the pointer', async () => {
    await using tab = await openList(browser, server.url, 'few', 'spans?range=all');
    await drag(tab.page, 'Output', 'Name');
    await expect.poll(async () => (await readHeaders(tab.page)).slice(2, 4)).toEqual(['Output', 'Name']);
    const model = tab.page.getByRole('columnheader', { name: 'Model' });
    const box = await model.boundingBox();
    if (box === null) throw new Error('The column is not shown.');
    await tab.page.mouse.move(box.x + box.width, box.y + 10);
    await tab.page.mouse.down();
    await tab.page.mouse.move(box.x + box.width + 60, box.y + 10, { steps: 4 });
    await tab.page.mouse.up();
    await expect.poll(async () => Math.round(((await model.boundingBox())?.width ?? 0) - box.width)).toBe(60);
    expect(tab.page.url()).not.toContain('sort=');
  });

  it('are moved in the menu by arrow keys, which keep the focus', async () => {
    await using tab = await openList(browser, server.url, 'few', 'traces?range=all');
    await tab.page.getByRole('button', { name: 'Columns' }).click();
    const grip = tab.page.getByRole('button', { name: /^Move Latency/ });
    await grip.press('ArrowUp');
    await grip.press('ArrowUp');
    await expect.poll(() => grip.evaluate((button) => button === document.activeElement)).toBe(true);
    await tab.page.keyboard.press('Escape');
    expect((await readHeaders(tab.page)).slice(2, 6)).toEqual(['Input', 'Latency', 'Output', 'Start']);
  });
});

describe('a panel beside the table', () => {
  let tab: TestPage;
  beforeAll(async () => {
    tab = await openList(browser, server.url, 'few', 'traces?range=all');
  });
  afterAll(async () => {
    await tab[Symbol.asyncDispose]();
  });

  it('opens by a press on a row, follows j and k, closes by Escape and gives the focus back', async () => {
    await row(tab.page, 2004).getByText('question 2004').click();
    await panel(tab.page, 2004).waitFor();
    await expect.poll(() => row(tab.page, 2004).getAttribute('aria-current')).toBe('true');
    await row(tab.page, 2002).waitFor();
    await tab.page.keyboard.press('j');
    await panel(tab.page, 2003).waitFor();
    await tab.page.keyboard.press('k');
    await tab.page.keyboard.press('k');
    await panel(tab.page, 2005).waitFor();
    await row(tab.page, 2001).getByText('question 2001').click();
    await panel(tab.page, 2001).waitFor();
    await tab.page.keyboard.press('Escape');
    await panel(tab.page, 2001).waitFor({ state: 'detached' });
    await expect.poll(() => row(tab.page, 2001).evaluate((element) => element === document.activeElement)).toBe(true);
    await tab.page.keyboard.press('ArrowUp');
    await tab.page.keyboard.press('Enter');
    await panel(tab.page, 2002).waitFor();
    expect(tab.faults).toEqual([]);
  });

  it('opens in another tab by its address, as wide as it was left', async () => {
    await using tab = await openList(browser, server.url, 'few', 'traces?range=all');
    await row(tab.page, 2003).click();
    await panel(tab.page, 2003).waitFor();
    const separator = tab.page.getByRole('separator', { name: 'Resize the panel' });
    for (let press = 0; press < 4; press += 1) await separator.press('ArrowRight');
    const position = await separator.getAttribute('aria-valuenow');
    const other = await tab.context.newPage();
    await other.goto(tab.page.url());
    await panel(other, 2003).waitFor();
    await expect.poll(() => row(other, 2003).getAttribute('aria-current')).toBe('true');
    await expect
      .poll(() => other.getByRole('separator', { name: 'Resize the panel' }).getAttribute('aria-valuenow'))
      .toBe(position);
  });

  it('takes the whole page and gives it back', async () => {
    await visit(tab.page, `/projects/${await findProjectId(server.url, 'few')}/traces?range=all`);
    await row(tab.page, 2003).click();
    await panel(tab.page, 2003).waitFor();
    await tab.page.keyboard.press('z');
    await row(tab.page, 2003).waitFor({ state: 'hidden' });
    expect(tab.page.url()).toContain('view=full');
    await tab.page.keyboard.press('z');
    await row(tab.page, 2003).waitFor();
  });

  it('is the whole page on a phone, where rows are cards and nothing scrolls sideways', async () => {
    await using tab = await openList(browser, server.url, 'few', 'traces?range=all', { width: 390, height: 844 });
    const overflow = () => tab.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    await expect.poll(() => overflow()).toBeLessThanOrEqual(0);
    await row(tab.page, 2003).getByText('question 2003').click();
    await panel(tab.page, 2003).waitFor();
    await expect.poll(() => row(tab.page, 2003).isVisible()).toBe(false);
    await expect.poll(() => overflow()).toBeLessThanOrEqual(0);
    const way = tab.page.getByRole('navigation', { name: 'Breadcrumbs' });
    await way.getByRole('link', { name: 'Traces', exact: true }).click();
    await row(tab.page, 2003).waitFor();
  });
});

describe('a table of one row', () => {
  let page: Page;
  let tab: TestPage;
  beforeAll(async () => {
    tab = await openList(browser, server.url, 'one', 'traces?range=all');
    ({ page } = tab);
  });
  afterAll(async () => {
    await tab[Symbol.asyncDispose]();
  });

  it('takes the keyboard back by j and k, and Escape closes what is open although a tooltip is', async () => {
    const only = rows(page).first();
    const hasFocus = () => only.evaluate((element) => element === document.activeElement);
    for (const key of ['j', 'k', 'j']) {
      await page.getByRole('button', { name: 'Columns' }).focus();
      await page.keyboard.press(key);
      expect(await hasFocus(), key).toBe(true);
    }
    await page.keyboard.press('Enter');
    const opened = page.getByRole('region', { name: /^Trace pay/ });
    await opened.getByRole('treeitem').first().waitFor();
    await opened.getByRole('tab', { name: 'Info' }).focus();
    await page.keyboard.press('j');
    await expect.poll(() => hasFocus()).toBe(true);
    await opened.getByRole('button', { name: 'Copy link' }).focus();
    await page.keyboard.press('Tab');
    await page.getByRole('tooltip').waitFor();
    await page.keyboard.press('Escape');
    await opened.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('tooltip').count()).toBe(0);
    await expect.poll(hasFocus).toBe(true);
  });

  it('marks what cannot be seen in names, wherever they stand', async () => {
    const shown = 'pay ⟨U+202E⟩fdp.exe';
    const link = page.getByRole('link', { name: shown });
    await expect.poll(() => link.getAttribute('title')).toBe(shown);
    await page.getByRole('link', { name: 'chat⟨U+200B⟩7' }).waitFor();
    await expect.poll(() => rows(page).first().innerText()).toContain('ad⟨U+0001⟩a');
    await link.click();
    const opened = page.getByRole('region', { name: `Trace ${shown}` });
    await opened.getByRole('treeitem', { name: shown }).waitFor();
    await opened.getByRole('heading', { name: shown }).first().waitFor();
    await expect.poll(() => page.evaluate(() => document.body.innerText.match(/[\u0001\u200B\u202E]/))).toBeNull();
  });
});

describe.each(THEMES)('tables in the %s theme', (theme) => {
  let tab: TestPage;
  beforeAll(async () => {
    tab = await openList(browser, server.url, 'few', 'traces?range=all', { theme });
  });
  afterAll(async () => {
    await tab[Symbol.asyncDispose]();
  });

  it.each(['traces', 'spans'])('have no barriers: %s', async (path) => {
    await visit(tab.page, `/projects/${await findProjectId(server.url, 'few')}/${path}?range=all`);
    await rows(tab.page).first().waitFor();
    expect(await findBarriers(tab.page)).toEqual([]);
  });
});

function panel(page: Page, number: number) {
  return page.getByRole('region', { name: `Trace answer ${number}`, exact: true });
}

async function drag(page: Page, column: string, onto: string): Promise<void> {
  const [from, to] = await Promise.all(
    [column, onto].map((name) => page.getByRole('columnheader', { name }).boundingBox()),
  );
  if (from == null || to == null) throw new Error('A column is not shown.');
  await page.mouse.move(from.x + 20, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + 10, to.y + 10, { steps: 6 });
  await page.mouse.up();
}

/** Of the columns, by their headers, in pixels. */
async function widthsOf(page: Page): Promise<Readonly<Record<string, number>>> {
  const widths = await page
    .getByRole('columnheader')
    .evaluateAll((all) => all.map((one) => [one.textContent ?? '', Math.round(one.getBoundingClientRect().width)]));
  return Object.fromEntries(widths) as Record<string, number>;
}
