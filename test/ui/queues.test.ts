/** People make a queue, fill it, and judge its items one after the other, by the keyboard alone; two people never get the same one. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson, type TestPerson, WITH_PEOPLE } from '../harness/accounts.ts';
import { AS_ADMIN } from '../harness/asking-server.ts';
import { findBarriers, openPage, sharedBrowser } from '../harness/browser.ts';
import { postGraphql, queryGraphql } from '../harness/graphql.ts';
import { orInLongRun } from '../harness/long-run.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { openList, range, rows, sendTraces } from './list-page.ts';
import { openSignedIn } from './signed-in-page.ts';

const ITEMS = orInLongRun(5, 50);

/** Each with cookies of their own. */
const APART = { isFirstVisit: true };

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

it('is made, filled from a selection, and reviewed by keys alone', async () => {
  const { url } = server;
  await sendTraces(url, 'shop', range(1, ITEMS));
  await makeConfig(url);
  await using tab = await openPage(browser, `${url}/queues`);
  const { page } = tab;
  await page.getByText('No queues yet').waitFor();
  await page.keyboard.press('c');
  await page.getByRole('textbox', { name: 'Name' }).fill('Tone check');
  await page.getByRole('textbox', { name: 'Instructions' }).fill('Is it **polite**?');
  await page.getByRole('checkbox', { name: /^correctness/ }).press(' ');
  await page.getByRole('button', { name: 'Create queue' }).press('Enter');
  await page.getByText('The queue is empty').waitFor();
  const queueUrl = page.url();

  await using list = await openList(browser, url, 'shop', 'traces?range=all');
  await rows(list.page)
    .nth(ITEMS - 1)
    .waitFor();
  await list.page.keyboard.press('j');
  await list.page.keyboard.press('ControlOrMeta+a');
  await list.page.getByRole('button', { name: 'Queue selected traces' }).waitFor();
  await list.page.keyboard.press('q');
  await list.page.getByRole('dialog').getByText(`${ITEMS} traces are selected`).waitFor();
  await list.page.getByRole('dialog').getByRole('button', { name: 'Add to queue' }).press('Enter');
  // It is also told to screen readers, in a place of its own.
  await list.page.getByText(`Queued ${ITEMS} traces`).first().waitFor();
  // A queue that is made on the way is the one that is filled; it asks nothing, so there is nothing to review.
  await list.page.keyboard.press('ControlOrMeta+a');
  await list.page.getByRole('button', { name: 'Queue selected traces' }).click();
  await list.page.getByRole('dialog').getByRole('button', { name: 'New queue' }).press('Enter');
  await list.page.getByRole('textbox', { name: 'Name' }).fill('Second look');
  await list.page.getByRole('button', { name: 'Create queue' }).press('Enter');
  await list.page
    .getByRole('dialog')
    .getByRole('button', { name: /Second look/ })
    .waitFor();
  await list.page.getByRole('dialog').getByRole('button', { name: 'Add to queue' }).press('Enter');
  await list.page.getByText(`Queued ${ITEMS} traces`).nth(2).waitFor();
  await expect.poll(() => list.page.evaluate(() => document.activeElement?.tagName)).toBe('TR');
  await page.goto(`${url}/queues`);
  await page.getByText('Second look').click();
  await page.getByText(`0 / ${ITEMS}`).waitFor();
  await page.getByRole('button', { name: 'Choose questions' }).waitFor();
  expect(await page.getByRole('button', { name: 'Review' }).count()).toBe(0);

  await page.goto(queueUrl);
  await page.getByText(`0 / ${ITEMS}`).waitFor();
  await page.keyboard.press('r');
  const correctness = page.getByRole('radiogroup', { name: 'correctness' });
  const shown: number[] = [];
  for (const step of range(1, ITEMS)) {
    // Each item is another one.
    await expect.poll(() => readShown(page).then((number) => number > 0 && !shown.includes(number))).toBe(true);
    shown.push(await readShown(page));
    await correctness.waitFor();
    if (step === 2) {
      await page.keyboard.press('s');
      continue;
    }
    await page.keyboard.press(step === 3 ? '2' : '1');
    await correctness.getByRole('radio', { checked: true }).waitFor();
    if (step === 1) expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('ControlOrMeta+Enter');
  }
  await page.getByText('No item waits for you').waitFor();
  // Back to the last one, and on again: what was said is there, and nothing counts twice.
  await page.keyboard.press('k');
  await shownTrace(page, shown.at(-1) ?? 0).waitFor();
  await correctness.getByRole('radio', { name: 'good', checked: true }).waitFor();
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.getByText('No item waits for you').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText(`${ITEMS - 1} completed, 1 skipped`).waitFor();
  await page.getByText(`${ITEMS - 1} / ${ITEMS}`).waitFor();
  expect(await readLabels(url)).toEqual({ bad: 1, good: ITEMS - 2 });
  expect([...tab.faults, ...list.faults]).toEqual([]);
});

describe('two people', () => {
  let asking: TestServer;
  let ada: TestPerson;
  let bob: TestPerson;
  let queuePath: string;

  beforeAll(async () => {
    asking = await startTestServer(WITH_PEOPLE);
    [ada, bob] = await Promise.all([addPerson(asking.url, 'ada', 'MEMBER'), addPerson(asking.url, 'bob', 'MEMBER')]);
    await sendTraces(asking.url, 'shop', [1, 2], {}, AS_ADMIN);
    await makeConfig(asking.url, AS_ADMIN);
    queuePath = await makeQueue(asking.url);
  });
  afterAll(async () => {
    await asking[Symbol.asyncDispose]();
  });

  it('get different items, and the second reviewer does not see what the first one said', async () => {
    await using first = await openSignedIn(browser, asking.url, ada, `${queuePath}/review`, APART);
    await shownTrace(first.page, 1).waitFor();
    await using second = await openSignedIn(browser, asking.url, bob, `${queuePath}/review`, APART);
    await shownTrace(second.page, 2).waitFor();

    await complete(first.page, '1');
    await first.page.getByText('No item waits for you').waitFor();
    await complete(second.page, '2');
    await shownTrace(second.page, 1).waitFor();
    const answer = second.page.getByRole('radiogroup', { name: 'correctness' });
    await answer.waitFor();
    expect(await second.page.getByText('ada', { exact: true }).count()).toBe(0);
    expect(await second.page.getByRole('list', { name: 'Annotations' }).count()).toBe(0);
    await complete(second.page, '2');
    await second.page.getByText('No item waits for you').waitFor();
    await second.page.keyboard.press('k');
    await shownTrace(second.page, 1).waitFor();
    // The own review is complete: now both are there.
    await second.page.getByRole('region', { name: 'Annotations of others' }).getByText('ada').waitFor();
    expect([...first.faults, ...second.faults]).toEqual([]);
  });
});

const shownTrace = (page: Page, number: number) => page.getByRole('region', { name: `Trace answer ${number}` });

/** The number of the trace that is shown; 0 while there is none. */
async function readShown(page: Page): Promise<number> {
  const [name = ''] = await page
    .getByRole('region', { name: /^Trace answer \d+$/ })
    .evaluateAll((regions) => regions.map((region) => region.getAttribute('aria-label') ?? ''));
  return Number(/\d+$/.exec(name)?.[0] ?? 0);
}

async function complete(page: Page, key: string): Promise<void> {
  await page.getByRole('radiogroup', { name: 'correctness' }).waitFor();
  await page.keyboard.press(key);
  await page.getByRole('radio', { checked: true }).first().waitFor();
  await page.keyboard.press('ControlOrMeta+Enter');
}

async function makeConfig(url: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const made = await fetch(`${url}/v1/annotation_configs`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      type: 'CATEGORICAL',
      name: 'correctness',
      optimization_direction: 'MAXIMIZE',
      values: [
        { label: 'good', score: 1 },
        { label: 'bad', score: 0 },
      ],
    }),
  });
  expect(made.status).toBe(200);
}

/** Makes a queue of both traces, in which two people judge each without sight of each other; its path. */
async function makeQueue(url: string): Promise<string> {
  const ask = async <Data>(query: string, variables: Record<string, unknown> = {}) => {
    const answer = await postGraphql(url, { query, variables }, AS_ADMIN);
    const { data, errors } = (await answer.json()) as { readonly data: Data; readonly errors?: unknown };
    expect(errors).toBeUndefined();
    return data;
  };
  const { annotationConfigs } = await ask<{
    annotationConfigs: { edges: readonly { readonly node: { readonly id: string; readonly name: string } }[] };
  }>(`{ annotationConfigs(first: 10) { edges { node { ... on Node { id } ... on AnnotationConfigBase { name } } } } }`);
  const configs = annotationConfigs.edges.map(({ node }) => node).filter(({ name }) => name === 'correctness');
  const { createAnnotationQueue } = await ask<{ createAnnotationQueue: { id: string } }>(
    `mutation ($ids: [ID!]!) { createAnnotationQueue(input: { name: "Twice", rows: TRACES, reviewsPerItem: 2,
      isBlind: true, annotationConfigIds: $ids }) { id } }`,
    { ids: configs.map(({ id }) => id) },
  );
  const { getProjectByName: project } = await ask<{
    getProjectByName: { id: string; traces: { edges: readonly { readonly node: { readonly id: string } }[] } };
  }>('{ getProjectByName(name: "shop") { id traces(first: 10) { edges { node { id } } } } }');
  const ids = project.traces.edges.map(({ node }) => node.id).toReversed();
  await ask(
    `mutation ($input: BulkSelectionInput!, $queueId: ID!) { bulkQueue(input: $input, queueId: $queueId) { state } }`,
    { input: { projectId: project.id, rows: 'TRACES', ids }, queueId: createAnnotationQueue.id },
  );
  return `/queues/${createAnnotationQueue.id}`;
}

/** How often each label was said of traces. */
async function readLabels(url: string): Promise<Readonly<Record<string, number>>> {
  const { getProjectByName } = await queryGraphql<{
    getProjectByName: { traces: { edges: { node: { traceAnnotations: { label: string }[] } }[] } };
  }>(
    url,
    '{ getProjectByName(name: "shop") { traces(first: 100) { edges { node { traceAnnotations { label } } } } } }',
  );
  const labels = getProjectByName.traces.edges.flatMap(({ node }) => node.traceAnnotations.map(({ label }) => label));
  return Object.fromEntries([...Map.groupBy(labels, (label) => label)].map(([label, all]) => [label, all.length]));
}
