/** Sends traces by the dozen and opens the tables that list them. */
import type { Browser, Locator, Page } from 'playwright-core';
import { openPage, type TestPage, type View } from '../harness/browser.ts';
import { queryGraphql } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, type TestSpan, traceId, traceRequest } from '../harness/otlp-json.ts';

/** Stores traces of one span each; a larger number begins later, lasts longer and is called so: `answer 7`. */
export function sendTraces(
  url: string,
  project: string,
  numbers: readonly number[],
  more: Partial<TestSpan> = {},
  headers: Record<string, string> = {},
) {
  const spans = numbers.map((number) => traceOf(number, more));
  return exportAll(url, traceRequest(spans, { 'openinference.project.name': project }), headers);
}

/** The numbers from `first` to `last`. */
export function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Opens a table of a project, over all time, and waits for its first row and the header with its shortcuts. */
export async function openList(
  browser: Browser,
  url: string,
  project: string,
  path: string,
  view?: View,
): Promise<TestPage> {
  const tab = await openPage(browser, `${url}/projects/${await findProjectId(url, project)}/${path}`, view);
  await Promise.all([rows(tab.page).first().waitFor(), tab.page.getByRole('heading', { level: 1 }).waitFor()]);
  return tab;
}

/** The global id of a project. */
export async function findProjectId(url: string, name: string): Promise<string> {
  const { getProjectByName } = await queryGraphql<{ getProjectByName: { id: string } }>(
    url,
    'query ($name: String!) { getProjectByName(name: $name) { id } }',
    { name },
  );
  return getProjectByName.id;
}

/** The rows that are in the document, without the header. */
export function rows(page: Page): Locator {
  return page.locator('tr[data-id]');
}

/** The row of a trace by its number. */
export function row(page: Page, number: number): Locator {
  return rows(page).filter({ has: page.getByRole('link', { name: `answer ${number}`, exact: true }) });
}

/** Names in the rows in the document, from top to bottom. */
export async function readNames(page: Page): Promise<readonly string[]> {
  const names = await rows(page).evaluateAll((all) =>
    all
      .toSorted((one, other) => Number(one.ariaRowIndex) - Number(other.ariaRowIndex))
      .map((one) => one.querySelector('a')?.textContent ?? ''),
  );
  return names;
}

/** Headers of the columns, from left to right. */
export async function readHeaders(page: Page): Promise<string[]> {
  const texts = await page.getByRole('grid').getByRole('columnheader').allInnerTexts();
  // The header of the checkboxes has no text.
  return texts.filter((text) => text !== '');
}

function traceOf(number: number, more: Partial<TestSpan>): TestSpan {
  const startUs = (Date.now() - 3_600_000) * 1000 + number * 10_000;
  return {
    traceId: traceId(number),
    spanId: spanId(number),
    name: `answer ${number}`,
    startUs,
    endUs: startUs + number * 1000,
    attributes: { 'input.value': `question ${number}` },
    ...more,
  };
}
