/** Sends traces and opens their pages. */
import type { Browser, Locator, Page } from 'playwright-core';
import { openPage, type TestPage, type View } from '../harness/browser.ts';
import { queryGraphql } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { TEST_START_US, type TestSpan, traceRequest } from '../harness/otlp-json.ts';

const PROJECT = 'traces';

/** How long after the start of the test's time, in milliseconds. */
export function at(ms: number): number {
  return TEST_START_US + Math.round(ms * 1000);
}

/** Stores spans in the project of these tests. */
export function send(url: string, spans: readonly TestSpan[]): Promise<void> {
  return exportAll(url, traceRequest(spans, { 'openinference.project.name': PROJECT }));
}

/** Opens a trace on the whole page and waits for its spans. */
export async function openTrace(
  browser: Browser,
  url: string,
  traceId: string,
  { project = PROJECT, ...view }: View & { readonly project?: string } = {},
): Promise<TestPage & { readonly tree: Locator }> {
  const { getProjectByName } = await queryGraphql<{ getProjectByName: { id: string } }>(
    url,
    'query ($name: String!) { getProjectByName(name: $name) { id } }',
    { name: project },
  );
  const path = `/projects/${getProjectByName.id}/traces/${traceId}?view=full`;
  const tab = await openPage(browser, `${url}${path}`, view);
  const tree = tab.page.getByRole('tree');
  await tree.getByRole('treeitem').first().waitFor();
  return { ...tab, tree };
}

/** The row of a span. */
export function row(page: Page, name: string): Locator {
  return page.getByRole('treeitem', { name });
}

/** Names of the rows on the screen, in their order, indented by level. */
export function readTree(page: Page): Promise<readonly string[]> {
  return page.getByRole('treeitem').evaluateAll((rows) =>
    rows
      .toSorted((one, other) => Number(one.dataset['row']) - Number(other.dataset['row']))
      .map((one) => {
        const name = one.querySelector('[data-name]')?.textContent ?? '';
        return '  '.repeat(Number(one.getAttribute('aria-level')) - 1) + name;
      }),
  );
}

/** Chooses how the trace is shown. */
export async function chooseView(page: Page, view: 'Tree' | 'Timeline' | 'Log'): Promise<void> {
  await page.getByRole('radio', { name: view }).click();
}
