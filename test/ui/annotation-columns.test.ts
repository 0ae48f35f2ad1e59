/** What annotations say of rows: in the columns of tables and in charts. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBarriers, openPage, sharedBrowser } from '../harness/browser.ts';
import { spanId } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { findProjectId, openList, range, readHeaders, readNames, row, sendTraces } from './list-page.ts';

/** All spans start in one bucket of five minutes, in the middle of two hours. */
const BUCKET_MS = Math.floor(Date.now() / 300_000 - 24) * 300_000;
const PLACE = 12;
const TIME = new URLSearchParams({
  start: new Date(BUCKET_MS - PLACE * 300_000).toISOString(),
  end: new Date(BUCKET_MS + PLACE * 300_000).toISOString(),
});

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  for (const number of range(1, 4)) {
    const startUs = (BUCKET_MS + number * 10) * 1000;
    await sendTraces(server.url, 'judged', [number], { startUs, endUs: startUs + 1000 });
  }
  await annotate(
    said(1, 'quality', { label: 'good', score: 1 }, 'first'),
    said(1, 'quality', { label: 'good', score: 0.8 }, 'second'),
    said(2, 'quality', { label: 'bad', score: 0.1 }),
    said(3, 'tone', { label: 'warm' }),
    ...['a', 'b'].map((name) => said(4, `other ${name}`, { score: 0.5 })),
  );
  await post('span_notes', { data: { span_id: spanId(3), note: 'To be discussed.' } });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

it('are compared, at first those of the two annotators who judged most of the same things', async () => {
  await using tab = await openPage(
    browser,
    `${server.url}/projects/${await findProjectId(server.url, 'judged')}/agreement`,
  );
  const { page } = tab;
  await page.getByText('The two who judged most of the same things, under the name “quality”.').waitFor();
  await page
    .getByRole('button', { name: /First judge: annotator/ })
    .getByText('first (1)')
    .waitFor();
  await page
    .getByRole('button', { name: /Second judge: annotator/ })
    .getByText('second (1)')
    .waitFor();
  expect(tab.faults).toEqual([]);
});

it('are columns of the table, by which it can be ordered, while three of them are shown at first', async () => {
  await using tab = await openList(browser, server.url, 'judged', 'spans?range=all', { width: 1440 });
  const { page } = tab;
  await cell(page, 1, 'annotations.quality').getByText('good · 0.9').waitFor();
  expect(await cell(page, 1, 'annotations.quality').innerText()).toMatch(/×2$/);
  expect(await readHeaders(page)).toEqual(expect.arrayContaining(['other a', 'other b', 'quality']));
  expect(await readHeaders(page)).not.toEqual(expect.arrayContaining(['tone']));
  await expect
    .poll(() => readNames(page))
    .toEqual(
      range(1, 4)
        .toReversed()
        .map((number) => `answer ${number}`),
    );
  const header = page.getByRole('columnheader', { name: 'quality', exact: true });
  await header.click();
  await expect.poll(async () => (await readNames(page)).slice(0, 2)).toEqual(['answer 1', 'answer 2']);
  await header.click();
  await expect.poll(async () => (await readNames(page)).slice(0, 2)).toEqual(['answer 2', 'answer 1']);

  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('dialog', { name: 'Columns' }).getByText('tone', { exact: true }).click();
  await page.getByRole('dialog', { name: 'Columns' }).getByText('Notes', { exact: true }).click();
  await page.keyboard.press('Escape');
  expect(await cell(page, 3, 'annotations.tone').innerText()).toBe('warm');
  expect(await cell(page, 3, 'notes').innerText()).toBe('1');

  await annotate(said(4, 'quality', { label: 'fair', score: 0.5 }));
  await page.getByRole('button', { name: 'Refresh' }).click();
  await cell(page, 4, 'annotations.quality').getByText('fair · 0.5').waitFor();

  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  const facets = page.getByRole('region', { name: 'Annotations' });
  await facets.getByRole('button', { name: 'quality' }).click();
  await facets.getByRole('checkbox', { name: /^fair\s*1$/ }).waitFor({ state: 'attached' });
  await facets.getByText('good', { exact: true }).click();
  await expect.poll(() => readNames(page)).toEqual(['answer 1']);
  expect(new URL(page.url()).searchParams.get('filter')).toBe("annotations['quality'].label == 'good'");

  // The bounds of its scores stand below the labels.
  await facets.getByRole('textbox', { name: 'Minimum score of quality' }).fill('0.85');
  await page.keyboard.press('Enter');
  await page.waitForURL(
    (url) => url.searchParams.get('filter')?.endsWith("annotations['quality'].score >= 0.85") === true,
  );
  await facets.getByRole('textbox', { name: 'Minimum score of quality' }).fill('> 0.5');
  await page.keyboard.press('Enter');
  await page.waitForURL(
    (url) => url.searchParams.get('filter')?.endsWith("annotations['quality'].score > 0.5") === true,
  );
  await facets.getByRole('textbox', { name: 'Minimum score of quality' }).fill('');
  await page.keyboard.press('Enter');
  await expect.poll(() => readNames(page)).toEqual(['answer 1']);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  const stream = await (await download).createReadStream();
  const text = Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>)).toString('utf8');
  const [head = '', ...lines] = text.split('\r\n');
  expect(head.split(',')).toEqual(expect.arrayContaining(['annotations.quality', 'annotations.tone', 'notes']));
  expect(lines.find((line) => line.includes('answer 1'))).toContain(',good · 0.9,');
  expect(await findBarriers(page)).toEqual([]);
  expect(tab.faults).toEqual([]);
});

it('are charts of scores or labels, which lead to the annotated spans', async () => {
  await annotate(said(4, 'quality', { label: 'fair', score: 0.5 }));
  await using tab = await openPage(
    browser,
    `${server.url}/projects/${await findProjectId(server.url, 'judged')}/metrics?${TIME}`,
  );
  const { page } = tab;
  const chart = (name: string) => page.getByRole('figure', { name: `Annotations: ${name}`, exact: true });
  await chart('tone').getByRole('button', { name: 'warm' }).waitFor();
  await chart('quality').getByRole('button', { name: 'Mean score' }).waitFor();
  expect(await page.getByRole('figure', { name: /^Annotations: / }).count()).toBe(4);
  const slider = chart('quality').getByRole('slider');
  await slider.focus();
  await slider.press('Home');
  for (let place = 1; place <= PLACE; place++) {
    await slider.press('ArrowRight');
    await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe(String(place));
  }
  // Of the means of the spans: 0.9, 0.1 and 0.5.
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/Mean score 0\.5/);
  await slider.press('Enter');
  await row(page, 1).waitFor();
  expect(new URL(page.url()).searchParams.get('filter')).toBe("annotations['quality']");
  await expect.poll(() => readNames(page)).toEqual([4, 2, 1].map((number) => `answer ${number}`));

  // In the tree of a trace they are chips, which are read again after something was written there.
  await row(page, 2).getByRole('link', { name: 'answer 2' }).click();
  const span = page.getByRole('treeitem', { name: 'answer 2' });
  await span.getByText('bad · 0.1').waitFor();
  expect(await span.getByText('+1').count()).toBe(0);
  await annotate(said(2, 'tone', { label: 'cold' }), said(2, 'zeal', { score: 3 }));
  await page.keyboard.press('e');
  await page.getByRole('textbox', { name: 'New note' }).fill('Cold.');
  await page.getByRole('button', { name: 'Add note' }).click();
  await span.getByText('+1').waitFor({ state: 'attached' });
  expect(tab.faults).toEqual([]);
});

function said(number: number, name: string, result: object, identifier = '') {
  return { span_id: spanId(number), name, annotator_kind: 'HUMAN', result, identifier };
}

function annotate(...data: readonly object[]): Promise<void> {
  return post('span_annotations?sync=true', { data });
}

async function post(path: string, body: object): Promise<void> {
  const response = await fetch(`${server.url}/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
}

/** The cell of a row in a column. */
function cell(page: Page, number: number, column: string) {
  return row(page, number).locator(`[data-column="${column}"]`);
}
