/** What the pages promise about time, and how each promise is measured. */
import type { Browser, Locator, Page, Response } from 'playwright-core';
import { openPage } from '../../test/harness/browser.ts';
import { type Frames, measureScroll } from './frames.ts';
import { type Place, query } from './place.ts';
import { LONG_OUTPUT_START, sendOne, sendProjects } from './sent.ts';

/** One number beside its target. */
export interface Measured {
  readonly what: string;
  readonly target: string;
  readonly value: string;
  readonly isMet: boolean;
}

interface Statement {
  readonly name: string;
  readonly measure: (browser: Browser, place: Place) => Promise<readonly Measured[]>;
}

/** All of them. */
export const STATEMENTS: readonly Statement[] = [
  { name: 'Palette', measure: measurePalette },
  { name: 'Spans of the large project', measure: measureSpans },
  { name: 'Selection', measure: measureSelection },
  { name: 'Trace of 10,000 spans', measure: measureBigTrace },
  { name: 'Trace of 50,000 spans', measure: measureHugeTrace },
  { name: 'Output of 5 MB', measure: measureLongOutput },
  { name: 'Session of 500 turns', measure: measureSession },
  { name: 'First span of a project', measure: measureOnboarding },
  { name: 'New spans in a list', measure: measureLive },
  { name: 'Visits', measure: measureVisits },
  { name: 'Project list', measure: measureProjectList },
];

async function measurePalette(browser: Browser, { url }: Place): Promise<readonly Measured[]> {
  await using tab = await openPage(browser, `${url}/projects`);
  const { page } = tab;
  await page.getByRole('main').getByRole('link').first().waitFor();
  const open = async () => {
    const ms = await clock(async () => {
      await page.keyboard.press('ControlOrMeta+KeyK');
      await page.getByRole('dialog').waitFor();
    });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    return ms;
  };
  await open();
  return [atMost('opens', await median(open), 100)];
}

async function measureSpans(browser: Browser, { url, manyProjectId }: Place): Promise<readonly Measured[]> {
  const address = `${url}/projects/${manyProjectId}/spans?range=all`;
  await using tab = await openPage(browser, address);
  const { page } = tab;
  const rows = page.getByRole('grid').getByRole('row');
  await rows.nth(1).waitFor();
  const shown = await median(() => navigate(page, address, rows.nth(1)));
  const sorted: Measured[] = [];
  for (const column of ['Latency', 'Tokens']) {
    const button = page.getByRole('columnheader', { name: column, exact: true });
    const before = await rows.nth(1).textContent();
    const ms = await clock(async () => {
      await button.click();
      while ((await rows.nth(1).textContent()) === before) await page.waitForTimeout(5);
    });
    sorted.push(atMost(`sorted by ${column.toLowerCase()}`, ms, 1000));
  }
  return [
    atMost('first rows', shown, 1000),
    ...sorted,
    ...smooth(await measureScroll(page, 'grid', 'tr, [role="row"]'), 200),
  ];
}

async function measureSelection(browser: Browser, { url, manyProjectId }: Place): Promise<readonly Measured[]> {
  await using tab = await openPage(browser, `${url}/projects/${manyProjectId}/spans?range=all`);
  const { page } = tab;
  const rows = page.locator('tr[data-id]');
  await rows.first().waitFor();
  const readLast = () =>
    rows.evaluateAll((all) => {
      const last = all.at(-1);
      last?.scrollIntoView();
      return Number(last?.ariaRowIndex);
    });
  while ((await readLast()) <= SELECTED_ROWS) await page.waitForTimeout(20);
  const box = page.getByRole('checkbox', { name: 'Select all loaded rows' });
  const select = () =>
    box.evaluate(async (input: HTMLInputElement) => {
      const begun = performance.now();
      input.click();
      // A task after the frame begins when the frame is painted.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return performance.now() - begun;
    });
  const values: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    values.push(await select());
    await select();
  }
  const [, middle = Number.NaN] = values.toSorted((a, b) => a - b);
  return [atMost('of 1,000 rows', middle, 50)];
}

const SELECTED_ROWS = 1000;

async function measureBigTrace(browser: Browser, { url, bigProjectId, traceIds }: Place): Promise<readonly Measured[]> {
  const address = `${url}/projects/${bigProjectId}/traces/${traceIds.big}?view=full`;
  await using tab = await openPage(browser, address);
  const { page } = tab;
  const row = page.getByRole('treeitem').first();
  const first = await median(() => navigate(page, address, row));
  await load(page, address);
  const tree = smooth(await measureScroll(page, 'tree', '[role="treeitem"]'), 300);
  await page.getByRole('radio', { name: 'Timeline' }).click();
  await row.waitFor();
  const timeline = smooth(await measureScroll(page, 'tree', '[role="treeitem"]'), 300);
  return [
    atMost('first rows', first, 1500),
    ...tree,
    ...timeline.map((measured) => ({ ...measured, what: `timeline: ${measured.what}` })),
  ];
}

async function measureHugeTrace(
  browser: Browser,
  { url, bigProjectId, traceIds }: Place,
): Promise<readonly Measured[]> {
  const address = `${url}/projects/${bigProjectId}/traces/${traceIds.huge}?view=full`;
  await using tab = await openPage(browser, address);
  const { page } = tab;
  await load(page, address);
  const opened = await median(() => load(page, address));
  const folded: Measured[] = [];
  for (const name of ['Collapse all spans', 'Expand all spans']) {
    const ms = await page.getByRole('button', { name }).evaluate(async (button: HTMLElement) => {
      const begun = performance.now();
      button.click();
      for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
      return performance.now() - begun;
    });
    folded.push(atMost(name.toLowerCase(), ms, 300));
  }
  return [
    atMost('all spans', opened, 5000),
    ...folded,
    ...smooth(await measureScroll(page, 'tree', '[role="treeitem"]'), 300),
  ];
}

async function measureLongOutput(
  browser: Browser,
  { url, bigProjectId, traceIds }: Place,
): Promise<readonly Measured[]> {
  await using tab = await openPage(browser, `${url}/projects/${bigProjectId}/traces/${traceIds.longOutput}?view=full`);
  const { page } = tab;
  await page.getByRole('heading', { name: 'short' }).first().waitFor();
  const ms = await clock(async () => {
    await page.getByRole('treeitem', { name: 'long' }).click();
    await page.getByText(LONG_OUTPUT_START).last().waitFor();
  });
  return [atMost('opens', ms, 1000)];
}

async function measureSession(browser: Browser, { url, bigProjectId }: Place): Promise<readonly Measured[]> {
  const { node } = await query<{ node: { sessions: { edges: readonly { node: { id: string } }[] } } }>(
    url,
    'query ($id: ID!) { node(id: $id) { ... on Project { sessions(first: 1, sort: { col: numTraces, dir: desc }) { edges { node { id } } } } } }',
    { id: bigProjectId },
  );
  await using tab = await openPage(
    browser,
    `${url}/projects/${bigProjectId}/sessions/${node.sessions.edges[0]?.node.id}?view=full`,
  );
  await tab.page.getByRole('feed').getByRole('article').first().waitFor();
  return smooth(await measureScroll(tab.page, 'feed', 'article, [role="article"]'), 200);
}

async function measureOnboarding(browser: Browser, { url }: Place): Promise<readonly Measured[]> {
  const { createProject } = await query<{ createProject: { project: { id: string } } }>(
    url,
    'mutation { createProject(input: { name: "onboarding" }) { project { id } } }',
  );
  await using tab = await openPage(browser, `${url}/projects/${createProject.project.id}/traces`);
  await tab.page.getByRole('heading', { name: 'Send a first trace' }).first().waitFor();
  const ms = await clock(async () => {
    await sendOne(url, 'onboarding', 'the first', 500_000);
    await tab.page.getByRole('grid').getByText('the first').waitFor();
  });
  return [atMost('opens the list', ms, 5000)];
}

async function measureLive(browser: Browser, { url, bigProjectId }: Place): Promise<readonly Measured[]> {
  await using tab = await openPage(browser, `${url}/projects/${bigProjectId}/traces`);
  await tab.page.getByRole('grid').getByRole('row').nth(1).waitFor();
  let number = 600_000;
  const ms = await median(() =>
    clock(async () => {
      const name = `new ${number}`;
      await sendOne(url, 'big', name, number++);
      await tab.page.getByRole('grid').getByText(name).waitFor();
    }),
  );
  return [atMost('appear', ms, 3000)];
}

async function measureVisits(browser: Browser, { url }: Place): Promise<readonly Measured[]> {
  await using tab = await openPage(browser, `${url}/projects`);
  const card = tab.page.getByRole('main').getByRole('link').first();
  await card.waitFor();
  const bytes = await tab.page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry): entry is PerformanceResourceTiming => entry instanceof PerformanceResourceTiming)
      .reduce((sum, { name, encodedBodySize }) => sum + (/\.js($|\?)/.test(name) ? encodedBodySize : 0), 0),
  );
  const kilobytes = bytes / 1024;
  return [
    { what: 'script of the first one', target: '350 KB', value: `${kilobytes.toFixed(0)} KB`, isMet: kilobytes < 350 },
    atMost('a later one', await median(() => navigate(tab.page, `${url}/projects`, card)), 1000),
  ];
}

/** Fifty projects of 2,000 spans, beside those that are there already. */
async function measureProjectList(browser: Browser, { url }: Place): Promise<readonly Measured[]> {
  await sendProjects(url, 50, 200);
  await using tab = await openPage(browser, `${url}/nowhere`);
  const { page } = tab;
  const main = page.getByRole('main');
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Projects', exact: true });
  const open = async (shown: Locator) => {
    // So that nothing is known from the last time.
    await page.goto(`${url}/nowhere`);
    await main.getByRole('link').first().waitFor();
    return clock(async () => {
      await link.click();
      await shown.waitFor();
    });
  };
  return [
    atMost('rows', await median(() => open(main.getByRole('link').nth(49))), 600),
    atMost('figures', await median(() => open(main.getByRole('img').nth(49))), 3000),
  ];
}

/** Milliseconds from the address to the last answer that the page has read, pages of spans among them. */
async function load(page: Page, address: string): Promise<number> {
  const begun = performance.now();
  let answeredAt = begun;
  const note = (response: Response) => {
    // Streams of changes never end.
    if (response.headers()['content-type']?.includes('json') === true) answeredAt = performance.now();
  };
  page.on('response', note);
  await page.goto(address);
  await page.getByRole('treeitem').first().waitFor();
  while (performance.now() - answeredAt < QUIET_MS) await page.waitForTimeout(20);
  page.off('response', note);
  return answeredAt - begun;
}

/** Longer than the server takes for a page of spans. */
const QUIET_MS = 1000;

/** Milliseconds from the address to what it shows. */
function navigate(page: Page, address: string, shown: Locator): Promise<number> {
  return clock(async () => {
    await page.goto(address);
    await shown.waitFor();
  });
}

async function clock(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** Of three. */
async function median(measure: () => Promise<number>): Promise<number> {
  const values = [await measure(), await measure(), await measure()].toSorted((a, b) => a - b);
  return values[1] ?? Number.NaN;
}

function atMost(what: string, ms: number, targetMs: number): Measured {
  return { what, target: `${targetMs} ms`, value: `${ms.toFixed(0)} ms`, isMet: ms <= targetMs };
}

function smooth({ medianFps, longestFrameMs, maxRows, scrolledPx }: Frames, rowLimit: number): readonly Measured[] {
  return [
    {
      what: `frames a second over ${scrolledPx.toFixed(0)} px`,
      target: '50',
      value: medianFps.toFixed(0),
      isMet: medianFps >= 50 && scrolledPx > 0,
    },
    atMost('longest frame', longestFrameMs, 100),
    { what: 'rows in the document', target: String(rowLimit), value: String(maxRows), isMet: maxRows <= rowLimit },
  ];
}
