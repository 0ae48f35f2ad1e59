/**
 * `npm run screenshots [-- folder]`: pictures of every page in both themes, on a laptop and on a phone, over a week of the
 * demo's traffic in a server of its own. Writes `<page>-<width>-<theme>.png`.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser, openPage } from '../test/harness/browser.ts';
import { startServerProcess } from '../test/harness/server-process.ts';
import { ensureBuilt } from './bootstrap/build.mjs';
import { batchSpans } from './demo/batches.ts';
import { sendSpans, tracesUrl } from './demo/send.ts';
import { recordWeek } from './demo/week.ts';

interface Picture {
  readonly name: string;
  readonly path: string;
  /** What to do before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const WIDTHS = [1440, 390];
const THEMES = ['light', 'dark'] as const;
const HEIGHTS: Readonly<Record<number, number>> = { 1440: 900, 390: 844 };

const output = resolve(process.argv[2] ?? 'screenshots');
const folder = mkdtempSync(join(tmpdir(), 'cairn-screenshots-'));
ensureBuilt(process.execPath);
mkdirSync(output, { recursive: true });
const server = await startServerProcess(folder);
const browser = await launchBrowser();
try {
  const traffic = recordWeek({ seed: 'demo', days: 7, scale: 0.3, untilMs: Date.now() });
  for (const spans of batchSpans(traffic)) await sendSpans({ url: tracesUrl(server.url), key: null }, spans);
  const faults: string[] = [];
  for (const picture of await listPictures(server.url)) {
    for (const width of WIDTHS) {
      for (const theme of THEMES) faults.push(...(await take(picture, width, theme)));
    }
  }
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await browser.close();
  await server.end('SIGTERM');
  rmSync(folder, { recursive: true });
}

async function take({ name, path, prepare }: Picture, width: number, theme: 'light' | 'dark'): Promise<string[]> {
  const view = { theme, width, height: HEIGHTS[width] ?? 900, reducedMotion: 'reduce' } as const;
  await using tab = await openPage(browser, `${server.url}${path}`, view);
  await settle(tab.page);
  await prepare?.(tab.page);
  await settle(tab.page);
  const file = `${name}-${width}-${theme}.png`;
  await tab.page.screenshot({ path: join(output, file) });
  console.log(file);
  return tab.faults.map((fault) => `${file}: ${fault}`);
}

/** Waits until nothing on the page says that it still loads. */
async function settle(page: Page): Promise<void> {
  await page.locator('main').first().waitFor();
  await page.locator('[aria-busy="true"], [class*="skeleton"]').first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready');
}

/** The pages, with the ids that this server gave. */
async function listPictures(url: string): Promise<readonly Picture[]> {
  const { projects, empty } = await query(
    url,
    `mutation { createProject(input: { name: "new-assistant" }) { query {
    projects(first: 20) { edges { node { id name traceCount
      traces(first: 1, sort: { col: latencyMs, dir: desc }) { edges { node { traceId
        spans(first: 100, sort: { col: startTime, dir: asc }) { edges { node { id spanKind } } } } } }
      sessions(first: 1, sort: { col: numTraces, dir: desc }) { edges { node { id numTraces } } } } } } } } }`,
  );
  const busiest = projects[0];
  if (busiest === undefined || empty === undefined) throw new Error('The demo left no traces.');
  const base = `/projects/${busiest.id}`;
  return [
    { name: 'projects', path: '/projects' },
    { name: 'settings', path: '/settings' },
    { name: 'settings-models', path: '/settings/models' },
    { name: 'settings-data', path: '/settings/data' },
    { name: 'api-reference', path: '/docs?operation=listSpans' },
    { name: 'graphql-explorer', path: '/graphql' },
    { name: 'traces', path: `${base}/traces` },
    { name: 'spans', path: `${base}/spans` },
    { name: 'sessions', path: `${base}/sessions` },
    { name: 'facets', path: `${base}/spans`, prepare: showFacets },
    { name: 'filter', path: `${base}/spans`, prepare: writeFilter },
    { name: 'metrics', path: `${base}/metrics?compare=before` },
    { name: 'search', path: `${base}/search?range=all&q=order` },
    { name: 'config', path: `${base}/config` },
    { name: 'switcher', path: `${base}/traces`, prepare: openSwitcher },
    { name: 'deletion', path: `${base}/config`, prepare: openClearing },
    { name: 'trace-peek', path: `${base}/traces/${busiest.traceId}` },
    { name: 'trace', path: `${base}/traces/${busiest.traceId}?view=full` },
    { name: 'messages', path: `${base}/traces/${busiest.traceId}?view=full&selectedSpanNodeId=${busiest.llmSpanId}` },
    { name: 'timeline', path: `${base}/traces/${busiest.traceId}?view=full`, prepare: choose('Timeline') },
    { name: 'log', path: `${base}/traces/${busiest.traceId}?view=full`, prepare: choose('Log') },
    { name: 'time', path: `${base}/traces/${busiest.traceId}?view=full`, prepare: choose('Time') },
    { name: 'graph', path: `${base}/traces/${busiest.traceId}?view=full`, prepare: choose('Graph') },
    { name: 'session', path: `${base}/sessions/${busiest.sessionId}?view=full` },
    { name: 'onboarding', path: `/projects/${empty.id}/traces` },
    { name: 'palette', path: '/projects', prepare: openDialog('ControlOrMeta+KeyK') },
    { name: 'shortcuts', path: `${base}/traces`, prepare: openDialog('?') },
    { name: 'not-found', path: '/projects/none/none/none' },
  ];
}

function choose(label: string): (page: Page) => Promise<void> {
  return (page) => page.getByRole('radio', { name: label, exact: true }).first().click();
}

async function press(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: label }).first().click();
}

async function showFacets(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Filters' });
  if ((await button.getAttribute('aria-pressed')) !== 'true') await button.click();
  await page.getByRole('complementary', { name: 'Facets' }).getByRole('checkbox').first().waitFor();
}

async function writeFilter(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Filter spans' }).fill("span_kind == 'LLM' and llm.model");
  await page.getByRole('option').first().waitFor();
}

async function openClearing(page: Page): Promise<void> {
  await press(page, 'Delete traces…');
  await page.getByRole('dialog').waitFor();
}

async function openSwitcher(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).getByRole('button').click();
  await page.getByRole('option').first().waitFor();
}

function openDialog(keys: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.keyboard.press(keys);
    await page.getByRole('dialog').waitFor();
  };
}

interface ProjectIds {
  readonly id: string;
  readonly traceId: string | undefined;
  readonly sessionId: string | undefined;
  /** The last call of a model. */
  readonly llmSpanId: string | undefined;
}

async function query(
  url: string,
  document: string,
): Promise<{ readonly projects: readonly ProjectIds[]; readonly empty: ProjectIds | undefined }> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: document }),
  });
  const { data } = (await response.json()) as { data: CreatedProject };
  const nodes = data.createProject.query.projects.edges.map(({ node }) => node);
  const projects = nodes
    .filter(({ traceCount }) => traceCount > 0)
    .toSorted((a, b) => b.sessions.edges.length - a.sessions.edges.length || b.traceCount - a.traceCount)
    .map(({ id, traces, sessions }) => ({
      id,
      traceId: traces.edges[0]?.node.traceId,
      sessionId: sessions.edges[0]?.node.id,
      llmSpanId: traces.edges[0]?.node.spans.edges.findLast(({ node }) => node.spanKind === 'llm')?.node.id,
    }));
  const empty = nodes.find(({ name }) => name === 'new-assistant');
  return { projects, empty: empty && { id: empty.id, traceId: undefined, sessionId: undefined, llmSpanId: undefined } };
}

interface CreatedProject {
  readonly createProject: {
    readonly query: { readonly projects: { readonly edges: readonly { readonly node: ProjectNode }[] } };
  };
}

interface ProjectNode {
  readonly id: string;
  readonly name: string;
  readonly traceCount: number;
  readonly traces: { readonly edges: readonly { readonly node: TraceNode }[] };
  readonly sessions: { readonly edges: readonly { readonly node: { readonly id: string } }[] };
}

interface TraceNode {
  readonly traceId: string;
  readonly spans: { readonly edges: readonly { readonly node: { readonly id: string; readonly spanKind: string } }[] };
}
