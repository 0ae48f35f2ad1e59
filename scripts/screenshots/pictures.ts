/** Which pages are photographed, and what is done on each before. */
import type { Page } from 'playwright-core';

/** A picture of a page. */
export interface Picture {
  readonly name: string;
  readonly path: string;
  /** What to do before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** Pages of a server with accounts, for its administrator. */
export const PICTURES_WITH_ACCOUNTS: readonly Picture[] = [
  { name: 'settings-users', path: '/settings/users' },
  { name: 'settings-api-keys', path: '/settings/api-keys' },
  { name: 'settings-secrets', path: '/settings/secrets' },
  { name: 'settings-audit', path: '/settings/audit-log' },
  { name: 'profile', path: '/profile' },
];

/** The pages, with the ids that this server gave. */
export async function listPictures(url: string): Promise<readonly Picture[]> {
  const { projects, emptyId } = await query(
    url,
    `mutation { createProject(input: { name: "new-assistant" }) { query {
    projects(first: 20) { edges { node { id name traceCount
      traces(first: 2, sort: { col: latencyMs, dir: desc }) { edges { node { traceId
        spans(first: 100, sort: { col: startTime, dir: asc }) { edges { node { id spanKind } } } } } }
      users(first: 1) { edges { node { userId } } }
      sessions(first: 1, sort: { col: numTraces, dir: desc }) { edges { node { id numTraces } } } } } } } } }`,
  );
  const busiest = projects[0];
  if (busiest === undefined || emptyId === undefined) throw new Error('The demo left no traces.');
  const base = `/projects/${busiest.id}`;
  return [
    { name: 'projects', path: '/projects' },
    { name: 'projects-table', path: '/projects', prepare: choose('Table') },
    { name: 'settings', path: '/settings' },
    { name: 'settings-annotations', path: '/settings/annotations' },
    { name: 'settings-models', path: '/settings/models' },
    { name: 'settings-data', path: '/settings/data' },
    { name: 'api-reference', path: '/docs?operation=listSpans' },
    { name: 'graphql-explorer', path: '/graphql' },
    { name: 'traces', path: `${base}/traces` },
    { name: 'spans', path: `${base}/spans` },
    { name: 'sessions', path: `${base}/sessions` },
    { name: 'grouped', path: `${base}/spans?group=model` },
    { name: 'users', path: `${base}/users` },
    { name: 'user', path: `${base}/users/${encodeURIComponent(busiest.userId ?? '')}` },
    { name: 'agreement', path: `${base}/agreement?range=all` },
    { name: 'compare', path: `/compare/traces?a=${busiest.traceId}&b=${busiest.otherTraceId}` },
    { name: 'annotate', path: `${base}/traces/${busiest.traceId}?view=full&annotate=trace` },
    { name: 'views', path: `${base}/spans`, prepare: openViews },
    { name: 'selection', path: `${base}/spans`, prepare: selectRows },
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
    { name: 'onboarding', path: `/projects/${emptyId}/traces` },
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
  const button = page.getByRole('button', { name: 'Filters', exact: true });
  if ((await button.getAttribute('aria-pressed')) !== 'true') await button.click();
  await page.getByRole('complementary', { name: 'Facets' }).getByRole('checkbox').first().waitFor();
}

async function writeFilter(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Filter spans' }).fill("span_kind == 'LLM' and llm.model");
  await page.getByRole('option').first().waitFor();
}

async function openViews(page: Page): Promise<void> {
  await press(page, 'Views');
  await page.getByRole('combobox', { name: 'Search views by name' }).waitFor();
}

async function selectRows(page: Page): Promise<void> {
  const boxes = page.locator('tr[data-id]').getByRole('checkbox');
  for (const place of [0, 1, 2]) await boxes.nth(place).click({ force: true });
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
  readonly otherTraceId: string | undefined;
  readonly userId: string | undefined;
  readonly sessionId: string | undefined;
  /** The last call of a model. */
  readonly llmSpanId: string | undefined;
}

async function query(
  url: string,
  document: string,
): Promise<{ readonly projects: readonly ProjectIds[]; readonly emptyId: string | undefined }> {
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
    .map(({ id, traces, sessions, users }) => ({
      id,
      traceId: traces.edges[0]?.node.traceId,
      otherTraceId: traces.edges[1]?.node.traceId,
      userId: users.edges[0]?.node.userId,
      sessionId: sessions.edges[0]?.node.id,
      llmSpanId: traces.edges[0]?.node.spans.edges.findLast(({ node }) => node.spanKind === 'llm')?.node.id,
    }));
  const empty = nodes.find(({ name }) => name === 'new-assistant');
  return { projects, emptyId: empty?.id };
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
  readonly users: { readonly edges: readonly { readonly node: { readonly userId: string } }[] };
}

interface TraceNode {
  readonly traceId: string;
  readonly spans: { readonly edges: readonly { readonly node: { readonly id: string; readonly spanKind: string } }[] };
}
