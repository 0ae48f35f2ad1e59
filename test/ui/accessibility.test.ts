/** Every page with real content, light on a laptop and dark on a phone: nothing bars anybody and nothing goes wrong. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchSpans } from '../../scripts/demo/batches.ts';
import { sendSpans, tracesUrl } from '../../scripts/demo/send.ts';
import { recordWeek } from '../../scripts/demo/week.ts';
import { addPerson, type TestPerson, WITH_PEOPLE } from '../harness/accounts.ts';
import { findBarriers, sharedBrowser, openPage, type TestPage } from '../harness/browser.ts';
import { queryGraphql } from '../harness/graphql.ts';
import { IS_LONG } from '../harness/long-run.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { openSignedIn } from './signed-in-page.ts';
import { visit } from './visit.ts';

/** Each width in one theme: contrast of either theme is computed from the tokens. */
const LOOKS = [
  { width: 1440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const;

/** Pages whose barriers are looked for in each run, each of another kind; `npm run test:long` looks at all. */
const LOOKED_AT: ReadonlySet<string> = new Set([
  'traces',
  'metrics',
  'a model call',
  'a session',
  'a search',
  'Timeline',
  'the menu of views',
  'users',
  'a user of the application',
  'general settings',
]);

/** Always the same two days. */
const TRAFFIC = { seed: 'demo', days: 2, scale: 0.1, untilMs: Date.UTC(2026, 9, 2) };

let browser: Browser;
let server: TestServer;
let paths: Paths;

interface Paths {
  readonly project: string;
  readonly empty: string;
  readonly trace: string;
  readonly comparison: string;
  readonly session: string;
  readonly user: string;
  readonly queue: string;
  readonly spanOf: (kind: string) => string;
}

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  for (const spans of batchSpans(recordWeek(TRAFFIC)))
    await sendSpans({ url: tracesUrl(server.url), key: null }, spans);
  paths = await findPaths();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** What the browser and the library say where nothing is at an address, as it should be. */
const EXPECTED = /^console: (Failed to load resource: .* 404 .*\/nowhere|[^]*This is not the id of any type)/;

const PAGES: Readonly<Record<string, () => string>> = {
  projects: () => '/projects',
  traces: () => `${paths.project}/traces?range=all`,
  spans: () => `${paths.project}/spans?range=all`,
  sessions: () => `${paths.project}/sessions?range=all`,
  'users of the application': () => `${paths.project}/users?range=all`,
  'a user of the application': () => `${paths.project}/users/${paths.user}?range=all`,
  metrics: () => `${paths.project}/metrics?start=2026-10-01T00:00:00Z&end=2026-10-02T00:00:00Z&compare=before`,
  'a trace beside its table': () => `${paths.trace}?range=all`,
  'a model call': () => paths.spanOf('llm'),
  'a retrieval': () => paths.spanOf('retriever'),
  'a reranking': () => paths.spanOf('reranker'),
  'an embedding': () => paths.spanOf('embedding'),
  'a tool': () => paths.spanOf('tool'),
  'a session beside its table': () => `${paths.session}?range=all`,
  'a session': () => `${paths.session}?view=full`,
  'what is said of a trace': () => `${paths.trace}?view=full&annotate=trace`,
  'the agreement of judges': () => `${paths.project}/agreement?range=all`,
  queues: () => '/queues',
  'a queue': () => paths.queue,
  'a review': () => `${paths.queue}/review`,
  'a search': () => `${paths.project}/search?range=all&q=order`,
  'an empty project': () => `${paths.empty}/traces`,
  'a time without traces': () => `${paths.project}/traces?start=2020-01-01T00:00:00Z&end=2020-01-02T00:00:00Z`,
  'two traces': () => paths.comparison,
  'choosing a trace to compare': () => `/compare/traces?b=${paths.trace.split('/').at(-1)}`,
  'an unknown trace': () => `${paths.project}/traces/${'ab'.repeat(16)}`,
  'an unknown project': () => '/projects/none/traces',
  'an unknown address': () => '/nowhere',
  'the profile without accounts': () => '/profile',
  'settings without accounts': () => '/settings/general',
  'annotation configs': () => '/settings/annotations',
  'an empty list of secrets': () => '/settings/secrets',
};

describe('a page that somebody opens', () => {
  let tab: TestPage;
  beforeAll(async () => {
    tab = await openPage(browser, `${server.url}/projects`, { reducedMotion: 'reduce' });
  });
  afterAll(async () => {
    await tab[Symbol.asyncDispose]();
  });

  it.each(Object.entries(PAGES))('%s', async (name, path) => {
    await show(tab, path());
    await look(tab, name);
  });

  it.each(['Timeline', 'Log', 'Time'])('a trace as %s', async (view) => {
    await show(tab, `${paths.trace}?view=full`);
    await look(tab, view, (page) => page.getByRole('radio', { name: view, exact: true }).click());
  });

  it('the menu of views', async () => {
    await queryGraphql(
      server.url,
      `mutation ($projectId: ID!) { createSavedView(input: {
        projectId: $projectId, table: SPANS, name: "Roots", content: "{\\"spans\\":\\"roots\\"}", isShared: true
      }) { savedView { id } } }`,
      { projectId: paths.project.split('/').at(-1) },
    );
    await show(tab, `${paths.project}/spans?range=all`);
    await look(tab, 'the menu of views', async (page) => {
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByRole('option', { name: 'Roots' }).click();
      await page.getByRole('button', { name: 'View: Roots' }).click();
      await page.getByRole('combobox', { name: 'Search views by name' }).waitFor();
    });
  });

  it('makes the server complain of nothing', () => {
    expect(server.complaints).toEqual([]);
  });
});

describe('a page of a server with accounts', () => {
  let asking: TestServer;
  let admin: TestPerson;
  let tab: TestPage;
  beforeAll(async () => {
    asking = await startTestServer(WITH_PEOPLE);
    admin = await addPerson(asking.url, 'grace', 'ADMIN');
  });
  beforeAll(async () => {
    tab = await openSignedIn(browser, asking.url, admin, '/profile', { reducedMotion: 'reduce' });
  });
  afterAll(async () => {
    await tab[Symbol.asyncDispose]();
    await asking[Symbol.asyncDispose]();
  });

  it.each([
    ['the profile', () => '/profile'],
    ['general settings', () => '/settings/general'],
    ['users', () => '/settings/users'],
    ['a user beside the table', () => `/settings/users/${admin.id}`],
    ['API keys', () => '/settings/api-keys'],
    ['secrets', () => '/settings/secrets'],
    ['the audit log', () => '/settings/audit-log'],
  ])('%s', async (name, path) => {
    await show(tab, path());
    await look(tab, name);
  });
});

/** Opening each page would be most of what looking at it costs. */
async function show({ page }: TestPage, path: string): Promise<void> {
  await page.setViewportSize({ width: LOOKS[0].width, height: 900 });
  await page.emulateMedia({ colorScheme: LOOKS[0].colorScheme });
  await settle(page);
  await visit(page, path);
}

async function look(tab: TestPage, name: string, prepare?: (page: Page) => Promise<void>): Promise<void> {
  await settle(tab.page);
  await prepare?.(tab.page);
  for (const { width, colorScheme } of LOOKS) {
    await tab.page.setViewportSize({ width, height: 900 });
    await tab.page.emulateMedia({ colorScheme });
    await settle(tab.page);
    if (IS_LONG || LOOKED_AT.has(name)) expect(await findBarriers(tab.page), `${colorScheme}, ${width} px`).toEqual([]);
    expect(await tab.page.evaluate(() => document.documentElement.scrollWidth), 'sideways scrolling').toBe(width);
  }
  expect(tab.faults.filter((fault) => !EXPECTED.test(fault))).toEqual([]);
}

/** Waits until nothing on the page says that it still loads. */
async function settle(page: Page): Promise<void> {
  // A phone shows the heading of the page in its bar.
  await page.getByRole('heading').or(page.getByRole('alert')).filter({ visible: true }).first().waitFor();
  await page.waitForLoadState('load');
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"], [class*="skeleton"]') === null);
}

/** Paths below which the pages stand: of a project that has sessions, and of spans in whichever project has their kind. */
async function findPaths(): Promise<Paths> {
  const { createProject } = await queryGraphql<{ createProject: CreatedProject }>(
    server.url,
    `mutation { createProject(input: { name: "empty" }) { project { id } query { projects(first: 20) { edges { node {
      id
      sessions(first: 1, sort: { col: numTraces, dir: desc }) { edges { node { id } } }
      traces(first: 2, sort: { col: latencyMs, dir: desc }) { edges { node { id traceId } } }
      users(first: 1) { edges { node { userId } } }
      spans(first: 1000) { edges { node { id spanKind trace { traceId } } } }
    } } } } } }`,
  );
  const projects = createProject.query.projects.edges.map(({ node }) => node);
  const talked = projects.find(({ sessions }) => sessions.edges.length > 0) as Project;
  const spanOf = (wanted: string) => {
    for (const { id, spans } of projects) {
      const found = spans.edges.find(({ node: { spanKind } }) => spanKind === wanted)?.node;
      if (found !== undefined)
        return `/projects/${id}/spans/${found.trace.traceId}?view=full&selectedSpanNodeId=${found.id}`;
    }
    throw new Error(`The demo has no ${wanted}.`);
  };
  const project = `/projects/${talked.id}`;
  return {
    project,
    empty: `/projects/${createProject.project.id}`,
    trace: `${project}/traces/${talked.traces.edges[0]?.node.traceId}`,
    comparison: `/compare/traces?a=${talked.traces.edges[0]?.node.traceId}&b=${talked.traces.edges[1]?.node.traceId}`,
    session: `${project}/sessions/${talked.sessions.edges[0]?.node.id}`,
    queue: `/queues/${await makeQueue(talked.id, talked.traces.edges[0]?.node.id ?? '')}`,
    user: encodeURIComponent(talked.users.edges[0]?.node.userId ?? ''),
    spanOf,
  };
}

/** A queue that holds a trace; its id. */
async function makeQueue(projectId: string, traceId: string): Promise<string> {
  const { createAnnotationQueue } = await queryGraphql<{ createAnnotationQueue: { id: string } }>(
    server.url,
    'mutation { createAnnotationQueue(input: { name: "Tone", rows: TRACES, instructions: "Is it *kind*?", annotationConfigIds: [] }) { id } }',
  );
  await queryGraphql(
    server.url,
    'mutation ($input: BulkSelectionInput!, $queueId: ID!) { bulkQueue(input: $input, queueId: $queueId) { state } }',
    { input: { projectId, rows: 'TRACES', ids: [traceId] }, queueId: createAnnotationQueue.id },
  );
  return createAnnotationQueue.id;
}

type Edges<Node> = { readonly edges: readonly { readonly node: Node }[] };

interface Project {
  readonly id: string;
  readonly sessions: Edges<{ readonly id: string }>;
  readonly users: Edges<{ readonly userId: string }>;
  readonly traces: Edges<{ readonly id: string; readonly traceId: string }>;
  readonly spans: Edges<{
    readonly id: string;
    readonly spanKind: string;
    readonly trace: { readonly traceId: string };
  }>;
}

interface CreatedProject {
  readonly project: { readonly id: string };
  readonly query: { readonly projects: Edges<Project> };
}
