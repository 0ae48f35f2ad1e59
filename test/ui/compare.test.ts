/** Two traces side by side: the ways to the page, what it says, and its keys. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedBrowser, findBarriers, openPage, type TestPage } from '../harness/browser.ts';
import { queryGraphql } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, type TestSpan, TEST_START_US, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

let browser: Browser;
let server: TestServer;
let tab: TestPage;
let page: Page;
let projectId: string;

const [A, B, GIANT_A, GIANT_B] = [1, 2, 3, 4].map(traceId) as [string, string, string, string];
const GIANT_SPANS = 3000;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  await exportAll(server.url, traceRequest([...run(1, A), ...run(2, B)], PROJECT));
  await exportAll(server.url, traceRequest([...giant(3, GIANT_A), ...giant(4, GIANT_B)], PROJECT));
  const { getProjectByName } = await queryGraphql<{ getProjectByName: { id: string } }>(
    server.url,
    '{ getProjectByName(name: "runs") { id } }',
  );
  projectId = getProjectByName.id;
  tab = await openPage(browser, `${server.url}/projects/${projectId}/traces?range=all`, { reducedMotion: 'reduce' });
  page = tab.page;
});
afterAll(async () => {
  await tab[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const PROJECT = { 'openinference.project.name': 'runs' };

/** A run of an agent: the second one asks another model, tries once more, and answers otherwise. */
function run(number: 1 | 2, trace: string): TestSpan[] {
  const startUs = TEST_START_US + number * 60_000_000;
  const span = (place: number, name: string, kind: string, changes: Partial<TestSpan> = {}): TestSpan => ({
    traceId: trace,
    spanId: spanId(number * 100 + place),
    ...(place > 1 && { parentSpanId: spanId(number * 100 + 1) }),
    name,
    startUs: startUs + place * 1000,
    endUs: startUs + place * 1000 + 500,
    ...changes,
    attributes: { 'openinference.span.kind': kind, ...changes.attributes },
  });
  const model = number === 1 ? 'gpt-4o' : 'claude-sonnet';
  const ask = (place: number, answer: string, changes: Partial<TestSpan> = {}) =>
    span(place, `chat ${model}`, 'LLM', {
      ...changes,
      attributes: {
        'llm.model_name': model,
        'llm.invocation_parameters': `{"model":"${model}","temperature":${number === 1 ? 0.2 : 0.7}}`,
        'llm.input_messages.0.message.role': 'user',
        'llm.input_messages.0.message.content': 'Where is my parcel?',
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.content': answer,
        'llm.output_messages.0.message.tool_calls.0.tool_call.id': `call_abc${number}0001`,
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'track',
      },
    });
  const lookUp = { attributes: { 'input.value': '{"order":4711}', 'output.value': 'in Bern' } };
  return [
    span(1, 'reply', 'AGENT', { endUs: startUs + (number === 1 ? 1_000_000 : 2_200_000) }),
    span(2, 'look up', 'TOOL', lookUp),
    span(3, 'read', 'CHAIN', { parentSpanId: spanId(number * 100 + 2), attributes: { 'output.value': 'same' } }),
    ...(number === 2 ? [ask(4, '', { status: 'ERROR', endUs: startUs + 4100 })] : []),
    ask(5, number === 1 ? 'The parcel arrives on Monday.' : 'The parcel arrives on Friday.'),
  ];
}

/** Thousands of steps, of which one answers otherwise in the second trace. */
function giant(number: number, trace: string): TestSpan[] {
  return Array.from({ length: GIANT_SPANS }, (_, place) => ({
    traceId: trace,
    spanId: spanId(number * 100_000 + place),
    ...(place > 0 && { parentSpanId: spanId(number * 100_000) }),
    name: place === 0 ? 'giant' : `step ${place % 7}`,
    startUs: TEST_START_US + place * 100,
    endUs: TEST_START_US + (place === 0 ? GIANT_SPANS * 100 : place * 100 + 50),
    attributes: { 'output.value': number === 4 && place === 2500 ? 'another' : `result ${place}` },
  }));
}

const tree = () => page.getByRole('tree', { name: 'Spans of both traces' });
const row = (name: string | RegExp) => tree().getByRole('treeitem', { name });
const pair = () => page.getByRole('region', { name: /^Pair / });

describe('two selected traces', () => {
  it('are compared, the earlier one as A', async () => {
    const boxes = page.getByRole('checkbox', { name: 'Select reply' });
    await boxes.nth(1).click();
    await boxes.nth(0).click();
    await page.getByRole('button', { name: 'Compare selected traces' }).click();
    await tree().waitFor();
    expect(new URL(page.url()).searchParams.get('a')).toBe(A);
    expect(new URL(page.url()).searchParams.get('b')).toBe(B);
    expect(await page.getByRole('table').first().getByRole('row').allTextContents()).toEqual([
      expect.stringContaining('Latency'),
      expect.stringMatching(/^Areply.*999 ms/),
      expect.stringMatching(/^Breply.*Error.*2\.20 s/),
      expect.stringMatching(/^Change from A to B\+1\+1\.20 s\+120 %/),
    ]);
  });

  it('show what changed in words, what only one of them has, and fold what is equal', async () => {
    await expect
      .poll(() => tree().getByRole('treeitem').allTextContents())
      .toEqual([
        'Agentreplytime +1.20 s, more',
        'Toollook upequal 1 equal below',
        'BLLMchat claude-sonnetErroronly in B',
        'LLMchat claude-sonnetoutput, parameters, model',
      ]);
    expect(await row(/look up/).getAttribute('aria-expanded')).toBe('false');
    expect(await row(/look up/).textContent()).toContain('1 equal below');
  });

  it('are walked by keys: rows by j and k, differences by d', async () => {
    await tree().focus();
    await page.keyboard.press('d');
    await row(/only in B/)
      .and(page.locator('[aria-selected="true"]'))
      .waitFor();
    await page.getByText('Only trace B has this span.').waitFor();
    await page.keyboard.press('d');
    await row(/parameters/)
      .and(page.locator('[aria-selected="true"]'))
      .waitFor();
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await row(/look up/)
      .and(page.locator('[aria-selected="true"]'))
      .waitFor();
    await page.keyboard.press('ArrowRight');
    await row(/read.*equal/).waitFor();
    await page.keyboard.press('Shift+D');
    await row(/reply/).and(page.locator('[aria-selected="true"]')).waitFor();
  });

  it('show a pair side by side: settings, and texts word by word', async () => {
    await row(/parameters/).click();
    await pair()
      .getByRole('row', { name: /temperature/ })
      .waitFor();
    expect(
      await pair()
        .getByRole('row', { name: /temperature/ })
        .textContent(),
    ).toBe('temperature0.20.7');
    expect(
      await pair()
        .getByRole('row', { name: /^Model/ })
        .textContent(),
    ).toBe('Modelgpt-4oclaude-sonnet');
    expect(await pair().locator('del').allTextContents()).toEqual(['Monday']);
    expect(await pair().locator('ins').allTextContents()).toEqual(['Friday']);
    expect(await pair().getByRole('heading', { name: /Input/ }).textContent()).toContain('equal');
    await expect.poll(() => new URL(page.url()).searchParams.get('pair')).toBe(`${spanId(105)}-${spanId(205)}`);
  });

  it('can be swapped, narrowed to what differs, and stand in the address', async () => {
    await page.keyboard.press('s');
    await row(/only in A/).waitFor();
    await page.getByRole('radio', { name: 'Differences' }).click();
    await row(/look up/).waitFor({ state: 'detached' });
    expect(await row(/parameters/).getAttribute('aria-selected')).toBe('true');
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({
      a: B,
      b: A,
      pair: `${spanId(205)}-${spanId(105)}`,
      rows: 'differences',
    });
  });

  it('bar nobody, on a laptop and on a phone', async () => {
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await row(/parameters/).click();
    await pair().locator('ins').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.getByRole('button', { name: 'All spans' }).click();
    await row(/parameters/).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('have room for their names and figures on a tablet, with figures below their headers', async () => {
    await page.setViewportSize({ width: 800, height: 900 });
    await page.getByRole('columnheader', { name: 'Project' }).waitFor({ state: 'detached' });
    const names = page.getByRole('table').first().getByRole('link', { name: 'reply' });
    expect(await names.count()).toBe(2);
    for (const name of await names.all()) expect((await name.boundingBox())?.width).toBeGreaterThan(30);
    const main = page.getByRole('main');
    expect(await main.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0);
    const ends = await page.evaluate(() => {
      const header = document.querySelector('[role=tree]')?.parentElement?.previousElementSibling;
      const row = document.querySelector('[role=treeitem]');
      return [header, row].map((it) => Array.from(it?.children ?? [], (cell) => cell.getBoundingClientRect().right));
    });
    expect(ends[0]?.slice(0, 3)).toEqual(ends[1]?.slice(0, 3));
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});

it('a trace is chosen among those of the same name, or by the beginning of its id', async () => {
  await page.getByRole('button', { name: 'Change trace B' }).click();
  const picker = page.getByRole('region', { name: 'Choose trace B' });
  await picker.getByRole('button', { name: /reply/ }).waitFor();
  await picker.getByRole('searchbox').fill(GIANT_A.slice(0, 31));
  await picker.getByRole('list', { name: 'By id' }).getByRole('button').first().waitFor();
  await picker.getByRole('searchbox').fill('giant');
  const found = picker.getByRole('list', { name: 'Traces of this project' }).getByRole('button', { name: /giant/ });
  await expect.poll(() => found.count()).toBe(2);
});

it('an open trace is compared from the palette, and traces of thousands of spans stay virtual', async () => {
  await page.goto(`${server.url}/projects/${projectId}/traces/${GIANT_B}?view=full`);
  await page.getByRole('tree').waitFor();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or paste an id' }).fill('compare this');
  await page.getByRole('option', { name: /Compare this trace with/ }).click();
  await page.getByRole('region', { name: 'Choose trace A' }).getByRole('button', { name: /giant/ }).click();
  await page.getByText('1 changed').waitFor();
  expect(await tree().getByRole('treeitem').count()).toBeLessThan(100);
  // The rows have scrolled to what changed, away from the first of them.
  await tree().press('Home');
  await row(/giant/).waitFor();
  await page.keyboard.press('d');
  await row(/step 1.*output/)
    .and(page.locator('[aria-selected="true"]'))
    .waitFor();
  expect(await tree().getByRole('treeitem').count()).toBeLessThan(100);
  expect(tab.faults).toEqual([]);
  expect(server.complaints).toEqual([]);
});
