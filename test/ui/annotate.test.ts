/** People judge what they read, by the keyboard alone. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBarriers, sharedBrowser } from '../harness/browser.ts';
import { orInLongRun } from '../harness/long-run.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { findProjectId, openList, range, sendTraces } from './list-page.ts';

const JUDGED = orInLongRun(6, 50);

let browser: Browser;
let server: TestServer;
let projectId: string;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  await sendTraces(server.url, 'shop', range(1, JUDGED));
  projectId = await findProjectId(server.url, 'shop');
  await offer({
    type: 'CATEGORICAL',
    name: 'correctness',
    optimization_direction: 'MAXIMIZE',
    values: [
      { label: 'good', score: 1 },
      { label: 'bad', score: 0 },
    ],
  });
  await offer({ type: 'CONTINUOUS', name: 'tone', optimization_direction: 'NONE', lower_bound: 0, upper_bound: 1 });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

it('judges one trace after the other, by keys alone', async () => {
  await using tab = await openList(browser, server.url, 'shop', 'traces?range=all');
  const { page } = tab;
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('tree').waitFor();
  await page.keyboard.press('e');
  const correctness = panel(page).getByRole('radiogroup', { name: 'correctness' });
  await correctness.waitFor();
  // The list lists traces.
  await panel(page).getByRole('radio', { name: 'Trace', checked: true }).waitFor();
  for (let number = JUDGED; number >= 1; number--) {
    await page.getByRole('region', { name: `Trace answer ${number}` }).waitFor();
    await correctness.and(page.locator(':visible')).waitFor();
    await page.keyboard.press(number % 3 === 0 ? '2' : '1');
    await correctness.getByRole('radio', { name: number % 3 === 0 ? 'bad' : 'good', checked: true }).waitFor();
    // The choice that has the focus is not pressed by it.
    await correctness.getByRole('radio', { name: 'good' }).focus();
    await page.keyboard.press('ControlOrMeta+Enter');
    await panel(page).getByText('Saved', { exact: true }).waitFor();
    if (number > 1) await page.keyboard.press('j');
  }
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  // The name is new to the table, which was not loaded again.
  await page.getByRole('columnheader', { name: 'correctness', exact: true }).waitFor();
  const numbers = range(1, JUDGED);
  expect(await readSaid('trace', numbers.map(traceId))).toEqual(
    Object.fromEntries(numbers.map((number) => [traceId(number), number % 3 === 0 ? ['bad 0'] : ['good 1']])),
  );
  expect(tab.faults).toEqual([]);
});

it('annotates a span with a score, an explanation and a note, keeps what is not saved, and takes it back', async () => {
  const more = `traces/${traceId(1)}?view=full&range=all`;
  await using tab = await openList(browser, server.url, 'shop', 'traces?range=all');
  const { page } = tab;
  await page.goto(`${server.url}/projects/${projectId}/${more}`);
  await page.getByRole('treeitem').first().waitFor();
  await page.keyboard.press('e');
  await panel(page).getByRole('radio', { name: 'Trace', checked: true }).waitFor();
  await page.keyboard.press('Shift+E');
  await panel(page).getByRole('radio', { name: 'Span', checked: true }).waitFor();
  expect(await asksBeforeLeaving(page)).toBe(false);
  const tone = panel(page).getByRole('textbox', { name: 'Score, 0 to 1' });
  await tone.fill('7');
  await panel(page).getByText('Enter a number from 0 to 1.').waitFor();
  await expect.poll(() => panel(page).getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await tone.fill('0,5');
  await panel(page).getByRole('button', { name: 'Explain tone' }).press('Enter');
  await page.keyboard.type('Short, but kind.');
  await panel(page).getByText('Not saved yet').waitFor();
  expect(await asksBeforeLeaving(page)).toBe(true);
  // What is not saved is still there after something else was annotated.
  await panel(page).getByRole('radio', { name: 'Trace' }).press('Enter');
  await panel(page).getByText('Not saved yet').waitFor({ state: 'detached' });
  await panel(page).getByRole('radio', { name: 'Span' }).press('Enter');
  await panel(page).getByText('Not saved yet').waitFor();
  await tone.press('ControlOrMeta+Enter');
  await panel(page).getByText('Saved', { exact: true }).waitFor();
  await details(page).getByText('0.5').waitFor();
  expect(await asksBeforeLeaving(page)).toBe(false);
  expect(await findBarriers(page)).toEqual([]);

  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'detached' });
  await page.keyboard.press('e');
  await page.keyboard.press('Shift+E');
  await panel(page).getByRole('textbox', { name: 'New note' }).fill('Ask **Ada**.');
  await page.keyboard.press('ControlOrMeta+Enter');
  await panel(page).getByRole('list').getByText('Ada').waitFor();
  await details(page).getByText('1 note').waitFor();
  expect(await readSaid('span', [spanId(1)])).toEqual({ [spanId(1)]: ['Ask **Ada**.', 'tone 0.5 Short, but kind.'] });

  await panel(page).getByRole('button', { name: 'Remove the note' }).press('Enter');
  await panel(page).getByRole('list').getByText('Ada').waitFor({ state: 'detached' });
  await details(page).getByText('1 note').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await panel(page).getByRole('list').getByText('Ada').waitFor();

  await tone.fill('');
  await panel(page).getByRole('textbox', { name: 'Explanation' }).fill('');
  await tone.press('ControlOrMeta+Enter');
  await panel(page).getByText('Saved', { exact: true }).waitFor();
  expect(await readSaid('span', [spanId(1)])).toEqual({ [spanId(1)]: ['Ask **Ada**.'] });
  expect(tab.faults).toEqual([]);
});

it('annotates the span that is selected below the root of a listed trace', async () => {
  const root = { traceId: traceId(950), spanId: spanId(950), name: 'answer' };
  const failed = { ...root, spanId: spanId(951), parentSpanId: spanId(950), name: 'ask', status: 'ERROR' } as const;
  await exportAll(server.url, traceRequest([root, failed], { 'openinference.project.name': 'nested' }));
  await using tab = await openList(browser, server.url, 'nested', 'traces?range=all');
  const { page } = tab;
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('tree').waitFor();
  await page.keyboard.press('f');
  await page.getByRole('treeitem', { name: /ask/, selected: true }).waitFor();
  await page.keyboard.press('e');
  await panel(page).getByRole('radio', { name: 'Span', checked: true }).waitFor();
});

it('annotates under any name where a project asks for nothing, and makes a config in place', async () => {
  await sendTraces(server.url, 'bare', [901]);
  await using tab = await openList(browser, server.url, 'bare', 'traces?range=all');
  const { page } = tab;
  await page.getByRole('link', { name: 'answer 901' }).click();
  await page.getByRole('tree').waitFor();
  await page.keyboard.press('e');
  const form = panel(page).getByRole('form', { name: 'Annotation under any name' });
  await form.waitFor();
  const name = form.getByLabel('Name', { exact: true });
  await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
  await name.fill('note');
  await form.getByText('Notes have a field below. Choose another name.').waitFor();
  await name.fill('helpfulness');
  await expect.poll(() => form.getByRole('button', { name: 'Save annotation' }).isDisabled()).toBe(true);
  await form.getByRole('textbox', { name: 'Label' }).fill('high');
  await form.getByRole('textbox', { name: 'Score' }).fill('0,9');
  await form.getByText('Not saved yet').waitFor();
  expect(await asksBeforeLeaving(page)).toBe(true);
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press('ControlOrMeta+Enter');
  await form.getByText('Saved', { exact: true }).waitFor();
  await panel(page).getByRole('button', { name: 'Remove helpfulness' }).waitFor();
  const said = async () => readSaid('trace', [traceId(901)], 'bare');
  expect(await said()).toEqual({ [traceId(901)]: ['helpfulness high 0.9'] });
  // The button that was pressed is disabled, and the panel keeps the keyboard: Esc closes it and not the trace.
  await name.fill('tone');
  await form.getByRole('textbox', { name: 'Label' }).fill('kind');
  await form.getByRole('button', { name: 'Save annotation' }).press('Enter');
  await panel(page).getByRole('button', { name: 'Remove tone' }).waitFor();
  await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
  // It stands where it is seen, and knows the names that are used already.
  const [panelBox, tabBox] = await Promise.all([
    panel(page).boundingBox(),
    page.getByRole('tab', { name: 'Info' }).boundingBox(),
  ]);
  expect(panelBox?.y).toBeLessThan(tabBox?.y ?? 0);
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'detached' });
  await page.keyboard.press('e');
  await expect.poll(() => form.locator('datalist option').allTextContents()).toEqual(['helpfulness', 'tone']);

  await panel(page).getByRole('button', { name: 'New config' }).click();
  const dialog = page.getByRole('dialog', { name: 'New annotation config' });
  await dialog.getByRole('radio', { name: 'Continuous' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('warmth');
  await dialog.getByRole('button', { name: 'Create config' }).click();
  // The panel asks for it at once, and other names remain possible.
  await panel(page).getByRole('group', { name: 'warmth' }).waitFor();
  await name.fill('warmth');
  await form.getByText('This name has a field above.').waitFor();
  expect(tab.faults).toEqual([]);
});

/** Whether the page has the browser ask before it is left. */
function asksBeforeLeaving(page: Page): Promise<boolean> {
  return page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
}

const panel = (page: Page) => page.getByRole('complementary', { name: 'Annotate' });
const details = (page: Page) => page.getByRole('region', { name: /^Span / });

async function offer(config: { readonly name: string; readonly [field: string]: unknown }): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const made = await fetch(`${server.url}/v1/annotation_configs`, {
    method: 'POST',
    headers,
    body: JSON.stringify(config),
  });
  expect(made.status).toBe(200);
  const path = `/v1/projects/${projectId}/annotation_configs/${config.name}`;
  expect((await fetch(server.url + path, { method: 'PUT' })).status).toBe(200);
}

interface Said {
  readonly span_id?: string;
  readonly trace_id?: string;
  readonly name: string;
  readonly result: { readonly label?: string; readonly score?: number | null; readonly explanation?: string };
}

/** What is stored of each target, in the order of the alphabet. */
async function readSaid(
  kind: 'span' | 'trace',
  ids: readonly string[],
  project = 'shop',
): Promise<Readonly<Record<string, string[]>>> {
  const query = ids.map((id) => `${kind}_ids=${id}`).join('&');
  const answer = await fetch(`${server.url}/v1/projects/${project}/${kind}_annotations?limit=1000&${query}`);
  const { data } = (await answer.json()) as { readonly data: readonly Said[] };
  const said = Map.groupBy(data, (one) => one.span_id ?? one.trace_id ?? '');
  return Object.fromEntries(
    [...said].map(([id, some]) => [id, some.map(describe).toSorted((one, other) => (one < other ? -1 : 1))]),
  );
}

function describe({ name, result: { label, score, explanation } }: Said): string {
  const facts = [label, score == null ? undefined : String(score), explanation];
  const shown = facts.filter((fact) => fact != null).join(' ');
  return name === 'note' || name === 'correctness' ? shown : `${name} ${shown}`;
}
