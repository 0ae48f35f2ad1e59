import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers, sharedBrowser } from '../harness/browser.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { openList, range, readHeaders, rows, sendTraces } from './list-page.ts';

const LLM = { 'openinference.span.kind': 'LLM', 'llm.provider': 'openai' };

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  const call = 'llm.output_messages.0.message.tool_calls.0.tool_call.function';
  const small = { ...LLM, 'llm.model_name': 'small', 'user.id': 'ann' };
  await sendTraces(server.url, 'shop', range(1, 6), { attributes: small });
  const large = {
    ...LLM,
    'llm.model_name': 'large',
    'output.value': '{"role":"assistant","content":null}',
    'output.mime_type': 'application/json',
    [`${call}.name`]: 'track_parcel',
    [`${call}.arguments`]: '{"id":"4711"}',
  };
  await sendTraces(server.url, 'shop', range(11, 13), {
    attributes: large,
    status: 'ERROR',
    statusMessage: 'The carrier is down',
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** The texts of the first cells of the rows, in their order. */
async function readGroups(page: Parameters<typeof rows>[0]): Promise<readonly string[]> {
  return rows(page).evaluateAll((all) =>
    all
      .toSorted((one, other) => Number(one.ariaRowIndex) - Number(other.ariaRowIndex))
      .map((one) => one.querySelector('td')?.textContent ?? ''),
  );
}

describe('a grouped table', () => {
  it('has a row for each value with its figures, in an order of its own, and opens the rows of a group', async () => {
    await using tab = await openList(browser, server.url, 'shop', 'spans?range=all');
    const { page } = tab;
    await page.getByRole('button', { name: 'Group', exact: true }).click();
    await page.getByRole('menuitemradio', { name: 'Model' }).click();
    await expect.poll(() => readGroups(page)).toEqual(['small', 'large']);
    await expect
      .poll(() => readHeaders(page))
      .toEqual(['Model', 'Spans', 'Error rate', 'P50', 'P95', 'Tokens', 'Cost', 'Last seen']);
    await rows(page).filter({ hasText: 'large' }).getByText('100 %').waitFor();
    await page.getByRole('columnheader', { name: 'Error rate' }).click();
    await expect.poll(() => readGroups(page)).toEqual(['large', 'small']);
    expect(decodeURIComponent(page.url())).toMatch(/group=model.*sort=errors:desc|sort=errors:desc.*group=model/);
    expect(await findBarriers(page)).toEqual([]);
    await page.reload();
    await expect.poll(() => readGroups(page)).toEqual(['large', 'small']);
    await rows(page).filter({ hasText: 'large' }).click();
    await expect.poll(() => rows(page).count()).toBe(3);
    expect(new URL(page.url()).searchParams.get('filter')).toBe("model_name == 'large'");
    expect(new URL(page.url()).searchParams.get('group')).toBeNull();
    expect(tab.faults).toEqual([]);
  });

  it('downloads the groups with their figures, and follows what arrives', async () => {
    const [small, large] = [
      { ...LLM, 'llm.model_name': 'small' },
      { ...LLM, 'llm.model_name': 'large' },
    ] as const;
    await sendTraces(server.url, 'market', range(31, 33), { attributes: small });
    await sendTraces(server.url, 'market', [34], { attributes: large, status: 'ERROR' });
    await using tab = await openList(browser, server.url, 'market', 'spans?range=all&group=model');
    const { page } = tab;
    await page.getByRole('button', { name: 'Download' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('spans-by-model.csv');
    const [head, ...lines] = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(head).toBe('value,count,errors,p50,p95,tokens,cost,last');
    expect(lines.map((line) => line.split(',').slice(0, 3))).toEqual([
      ['small', '3', '0'],
      ['large', '1', '1'],
    ]);
    await sendTraces(server.url, 'market', range(35, 37), { attributes: large });
    await expect.poll(() => readGroups(page)).toEqual(['large', 'small']);
    await rows(page).filter({ hasText: 'large' }).getByText('25 %').waitFor();
    await sendTraces(server.url, 'market', range(38, 39), { attributes: { ...LLM, 'llm.model_name': 'tiny' } });
    await expect.poll(() => readGroups(page)).toEqual(['large', 'small', 'tiny']);
    expect(tab.faults).toEqual([]);
  });

  it('groups traces by what their root spans say, by keyboard and on a phone too', async () => {
    await using tab = await openList(browser, server.url, 'shop', 'traces?range=all&group=user', { width: 390 });
    const { page } = tab;
    await rows(page).filter({ hasText: 'No user' }).getByText('100 % failed').waitFor();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await rows(page).filter({ hasText: 'ann' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => rows(page).count()).toBe(6);
    await expect.poll(() => new URL(page.url()).searchParams.get('filter')).toBe("user.id == 'ann'");
  });
});

describe('cells', () => {
  it('show calls of tools as calls, and the whole text at the pointer and at a press of Space', async () => {
    await using tab = await openList(browser, server.url, 'shop', "spans?range=all&filter=model_name%3D%3D'large'");
    const { page } = tab;
    const panel = page.getByRole('dialog', { name: 'Whole text' });
    const cell = rows(page).first().getByText('→ track_parcel(id: "4711")');
    await cell.hover();
    await panel.getByText('"role": "assistant"').waitFor();
    await panel.hover();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await rows(page).first().focus();
    await page.keyboard.press('Space');
    await panel.getByRole('heading', { name: 'Output' }).waitFor();
    await panel.getByText('The carrier is down').waitFor();
    await expect.poll(() => panel.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await expect
      .poll(() =>
        rows(page)
          .first()
          .evaluate((row) => row === document.activeElement),
      )
      .toBe(true);
    await rows(page).first().locator('td[data-column="status"] [data-has-text]').hover();
    await panel.getByRole('heading', { name: 'Error' }).waitFor();
    expect(await panel.getByRole('heading').count()).toBe(1);
    await page.getByRole('link', { name: /^Traces/ }).click();
    await page.waitForURL(/\/traces\?/);
    await rows(page).filter({ hasText: 'answer 13' }).locator('td[data-column="status"] [data-has-text]').hover();
    await panel.getByText('answer 13: The carrier is down').waitFor();
    expect(tab.faults).toEqual([]);
  });
});

/** Rows of cells. @see https://www.rfc-editor.org/rfc/rfc4180 */
function parseCsv(text: string): string[][] {
  const cells = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)];
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of cells) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

describe('columns for attributes', () => {
  it('are offered, added, kept for the table, and taken away', async () => {
    await using tab = await openList(browser, server.url, 'shop', 'spans?range=all');
    const { page } = tab;
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByLabel('Attribute to add').fill('prov');
    await page.getByRole('button', { name: 'Add llm.provider' }).click();
    await page.keyboard.press('Escape');
    await expect.poll(() => readHeaders(page)).toContain('llm.provider');
    await rows(page).first().getByText('openai').waitFor();
    await page.reload();
    await rows(page).first().getByText('openai').waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Remove llm.provider' }).click();
    await expect.poll(() => readHeaders(page)).not.toContain('llm.provider');
    expect(tab.faults).toEqual([]);
  });

  it('are downloaded as they were sent', async () => {
    const sent = {
      'app.quoted': 'say "hi", then\r\nleave; é 🙂',
      'app.formula': '=HYPERLINK("x")',
      'app.large': 9007199254740993n,
      'app.negative': -0.125,
      'app.flag': false,
      'app.list': ['a,b', 'c'],
      'app.json': '{"a": [1, 2.50]}',
    };
    await sendTraces(server.url, 'odd', [21], { attributes: sent });
    await using tab = await openList(browser, server.url, 'odd', 'spans?range=all');
    const { page } = tab;
    await page.getByRole('button', { name: 'Columns' }).click();
    for (const path of Object.keys(sent)) {
      await page.getByLabel('Attribute to add').fill(path);
      await page.getByRole('button', { name: `Add ${path}`, exact: true }).click();
    }
    await page.keyboard.press('Escape');
    const texts = Object.values(sent).map((value) => (Array.isArray(value) ? JSON.stringify(value) : String(value)));
    const readFile = async (form: string) => {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download', exact: true }).click();
      await page.getByRole('menuitem', { name: form }).click();
      return readFileSync(await (await download).path(), 'utf8');
    };
    const [names = [], cells = [], ...others] = parseCsv(await readFile('CSV'));
    expect(others).toEqual([]);
    const columns = Object.keys(sent).map((path) => names.indexOf(`attributes.${path}`));
    expect(columns.map((column) => cells[column])).toEqual(
      texts.map((text) => (text.startsWith('=') ? `'${text}` : text)),
    );
    const row = JSON.parse(await readFile('JSON Lines')) as Readonly<Record<string, unknown>>;
    expect(Object.keys(sent).map((path) => row[`attributes.${path}`])).toEqual(texts);
    expect(tab.faults).toEqual([]);
  });
});

it('opens the filters beside a table at the first visit of a wide screen, and remembers that they were closed', async () => {
  await using tab = await openList(browser, server.url, 'shop', 'traces?range=all', { isFirstVisit: true });
  const { page } = tab;
  const filters = page.getByRole('complementary', { name: 'Facets' });
  await filters.waitFor();
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await filters.waitFor({ state: 'detached' });
  await page.reload();
  await rows(page).first().waitFor();
  await expect.poll(() => filters.count()).toBe(0);
  expect(tab.faults).toEqual([]);
});
