/** The charts of a project, and the time that they show. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers, openPage, sharedBrowser, type TestPage } from '../harness/browser.ts';
import { queryGraphql } from '../harness/graphql.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, type TestSpan, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { findProjectId, range, row, rows } from './list-page.ts';
import { visit } from './visit.ts';

const HOUR = 3_600_000;
/** Two hours in buckets of five minutes, in one of which everything begins. */
const END_MS = Math.ceil(Date.now() / HOUR) * HOUR;
const TIME = { start: new Date(END_MS - 2 * HOUR).toISOString(), end: new Date(END_MS).toISOString() };

/** Which bucket that is. */
const PLACE = 6;

const LLM = {
  'openinference.span.kind': 'LLM',
  'llm.model_name': 'gpt-4o',
  'llm.token_count.prompt': 1000,
  'llm.token_count.completion': 100,
  'llm.token_count.prompt_details.cache_read': 400,
  'llm.token_count.completion_details.reasoning': 30,
};

function answer(number: number, status: 'OK' | 'ERROR' | 'UNSET', attributes: TestSpan['attributes'] = {}): TestSpan {
  const startUs = (Date.parse(TIME.start) + PLACE * 300_000 + 60_000 + number * 10) * 1000;
  const ids = { traceId: traceId(number), spanId: spanId(number) };
  return { ...ids, name: `answer ${number}`, startUs, endUs: startUs + number * 1000, status, attributes };
}

let browser: Browser;
let server: TestServer;
let projectId: string;
let tab: TestPage;

beforeAll(async () => {
  [browser, server] = await Promise.all([sharedBrowser(), startTestServer()]);
  await exportAll(
    server.url,
    traceRequest(
      [
        ...range(1, 5).map((number) => answer(number, 'OK', LLM)),
        ...[6, 7].map((number) => answer(number, 'ERROR', LLM)),
        ...range(8, 10).map((number) => answer(number, 'UNSET', { 'openinference.span.kind': 'TOOL' })),
      ],
      { 'openinference.project.name': 'shop' },
    ),
  );
  projectId = await findProjectId(server.url, 'shop');
  tab = await openPage(browser, `${server.url}/projects`);
});
afterAll(async () => {
  await tab[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const METRICS = `metrics?start=${TIME.start}&end=${TIME.end}`;

/** Goes on to a page of the project in the tab of this file. */
async function show(path = METRICS): Promise<Page> {
  await visit(tab.page, `/projects/${projectId}/${path}`);
  return tab.page;
}

const plot = (page: Page, title: string) => page.getByRole('figure', { name: title, exact: true }).getByRole('slider');

describe('the charts', () => {
  it('show what the API says of the same time', async () => {
    // Tables that are shown stay while nobody leaves the page.
    await using own = await openPage(browser, `${server.url}/projects/${projectId}/${METRICS}`);
    const { page } = own;
    const expected = await readFromApi();
    for (const [title, columns] of Object.entries(expected)) {
      await page.getByRole('button', { name: `Show ${title} as a table` }).click();
      await page.getByRole('button', { name: `Copy ${title}` }).click();
      await page.getByRole('figure', { name: title, exact: true }).getByRole('button', { name: 'Copied' }).waitFor();
      await expect
        .poll(async () => readColumns(await page.evaluate(() => navigator.clipboard.readText())))
        .toEqual(columns);
    }
    expect(Object.keys(expected)).toHaveLength(8);
    await page.getByRole('table', { name: 'Models by cost' }).getByRole('link', { name: 'gpt-4o' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(own.faults).toEqual([]);
  });

  it('are read by keys, and lead to the rows of a bucket and a status', async () => {
    const page = await show();
    const slider = plot(page, 'Traces by status');
    await slider.focus();
    await slider.press('Home');
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/Without error 0; Error 0; total 0$/);
    for (let place = 1; place <= PLACE; place++) {
      await slider.press('ArrowRight');
      await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe(String(place));
    }
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/Without error 8; Error 2; total 10$/);
    await slider.press('ArrowUp');
    await slider.press('ArrowUp');
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/: Error 2$/);
    await page.locator('[data-tooltip]').getByText('Click to list the traces: Error').waitFor();
    await slider.press('Enter');
    await row(page, 6).waitFor();
    await expect.poll(() => rows(page).count()).toBe(2);
    const address = new URL(page.url());
    expect(address.pathname).toMatch(/\/traces$/);
    expect(address.searchParams.get('filter')).toBe('error_count > 0');
    expect(
      Date.parse(address.searchParams.get('end') ?? '') - Date.parse(address.searchParams.get('start') ?? ''),
    ).toBe(300_000);
  });

  it('show every value beside the pointer, and narrow the time by a drag', async () => {
    const page = await show();
    const slider = plot(page, 'LLM spans');
    await slider.scrollIntoViewIfNeeded();
    await slider.hover({ position: { x: 200, y: 60 } });
    const tooltip = page.locator('[data-tooltip]');
    await tooltip.getByText('Total').waitFor();
    await tooltip.getByText('Without error').waitFor();
    const box = (await slider.boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.move(box.x + 150, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 260, box.y + 60, { steps: 3 });
    await page.mouse.up();
    await expect.poll(() => new URL(page.url()).searchParams.get('start')).not.toBe(TIME.start);
  });

  it('fail each by itself, hide series, and say that they are empty', async () => {
    await using failing = await openPage(browser, 'about:blank');
    const { page } = failing;
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('modelsChartQuery') === true
        ? route.fulfill({ status: 500, body: 'the disk is gone' })
        : route.continue(),
    );
    await page.goto(`${server.url}/projects/${projectId}/${METRICS}`);
    await page.getByRole('alert').getByText('Models over time could not be loaded').waitFor();
    const status = page.getByRole('figure', { name: 'Traces by status' });
    await status.getByRole('button', { name: /^Without error/, pressed: true }).click();
    await status.getByRole('button', { name: /^Without error/, pressed: false }).waitFor();
    await status.getByRole('button', { name: /^Error/ }).press('Enter');
    await status.getByText('Every series is hidden').waitFor();
    await visit(page, `/projects/${projectId}/metrics?start=2020-01-01T00:00:00Z&end=2020-01-02T00:00:00Z`);
    await page.getByText('No traces in this time range.').waitFor();
    await page.getByText('No tool spans in this time range.').waitFor();
  });
});

describe('the time range', () => {
  it('is chosen in a calendar by keys', async () => {
    const page = await show('traces?start=2026-11-18T09:00:00Z&end=2026-11-20T10:00:00Z');
    await page.getByText('No traces in this time range').waitFor();
    await page.getByRole('button', { name: 'Earlier' }).waitFor();
    await page.keyboard.press('t');
    const day = page.getByRole('button', { name: 'Friday, November 20, 2026' });
    await day.focus();
    expect(await findBarriers(page)).toEqual([]);
    await day.press('ArrowUp');
    const first = page.getByRole('button', { name: 'Friday, November 13, 2026' });
    await expect.poll(() => first.evaluate((it) => it === document.activeElement)).toBe(true);
    await first.press('Enter');
    await page.getByText('Choose the last day.').waitFor();
    await first.press('End');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('textbox', { name: 'To', exact: true }).inputValue()).toBe('2026-11-15');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    // Days are those of Berlin.
    await expect.poll(() => timesOf(page)).toEqual(['2026-11-12T23:00:00.000Z', '2026-11-15T23:00:00.000Z']);
  });

  it('steps and zooms, in the address', async () => {
    const page = await show('traces?start=2026-11-18T08:00:00Z&end=2026-11-18T12:00:00Z');
    await page.getByText('No traces in this time range').waitFor();
    await page.getByRole('button', { name: 'Earlier' }).waitFor();
    await page.keyboard.press(',');
    await expect.poll(() => timesOf(page)).toEqual(['2026-11-18T06:00:00.000Z', '2026-11-18T10:00:00.000Z']);
    await page.getByRole('button', { name: 'Shorter time range' }).click();
    await expect.poll(() => timesOf(page)).toEqual(['2026-11-18T07:00:00.000Z', '2026-11-18T09:00:00.000Z']);
    await page.keyboard.press('-');
    await expect.poll(() => timesOf(page)).toEqual(['2026-11-18T06:00:00.000Z', '2026-11-18T10:00:00.000Z']);
    await page.getByRole('button', { name: 'Later' }).click();
    await expect.poll(() => timesOf(page)).toEqual(['2026-11-18T08:00:00.000Z', '2026-11-18T12:00:00.000Z']);
    await page.getByRole('button', { name: /^Time range/ }).click();
    await page.getByRole('button', { name: 'Yesterday' }).click();
    await expect
      .poll(() => {
        const [start, end] = timesOf(page).map((time) => Date.parse(time ?? ''));
        // Twenty-three to twenty-five hours: clocks may change.
        return Math.round(((end ?? 0) - (start ?? 0)) / 86_400_000);
      })
      .toBe(1);
  });

  it('fits a phone', async () => {
    await using narrow = await openPage(browser, `${server.url}/projects/${projectId}/${METRICS}`, {
      width: 390,
      height: 844,
    });
    const { page } = narrow;
    await plot(page, 'Traces by status').waitFor();
    await page.getByRole('button', { name: /^Time range/ }).click();
    await page.getByRole('grid').getByRole('gridcell').first().waitFor();
    await page.getByRole('button', { name: 'Earlier' }).click({ trial: true });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});

describe('where nothing is', () => {
  it('offers the newest trace', async () => {
    const page = await show('traces?start=2020-01-01T00:00:00Z&end=2020-01-02T00:00:00Z');
    await page.getByRole('link', { name: 'Open the newest trace' }).click();
    await page.getByRole('region', { name: 'Trace answer 10' }).waitFor();
    await row(page, 10).waitFor();
  });

  it('explains sessions to a project that has none', async () => {
    const page = await show('sessions?range=7d');
    await page.getByRole('heading', { name: 'No sessions yet' }).waitFor();
    await page.getByRole('tabpanel').getByText('using_session').waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });

  it('shows a new project how to begin, and nothing to filter', async () => {
    const { createProject } = await queryGraphql<{ createProject: { project: { id: string } } }>(
      server.url,
      'mutation { createProject(input: { name: "unused" }) { project { id } } }',
    );
    const { page } = tab;
    await visit(page, `/projects/${createProject.project.id}/traces`);
    const heading = page.getByRole('heading', { name: 'Send a first trace' });
    await heading.waitFor();
    await expect.poll(() => page.getByRole('combobox').count()).toBe(0);
    await expect.poll(() => page.getByRole('slider').count()).toBe(0);
    await page.getByRole('link', { name: 'Metrics' }).click();
    await expect.poll(() => page.url()).toContain('/metrics');
    await heading.waitFor();
    await expect.poll(() => page.getByRole('figure').count()).toBe(0);
  });
});

function timesOf(page: Page): (string | null)[] {
  const { searchParams } = new URL(page.url());
  return [searchParams.get('start'), searchParams.get('end')];
}

/** The columns of what a chart's table copies, by their titles. */
function readColumns(text: string): Record<string, number[]> {
  const [head = [], ...lines] = text.split('\n').map((line) => line.split('\t'));
  return Object.fromEntries(head.slice(1).map((label, at) => [label, lines.map((cells) => Number(cells[at + 1]))]));
}

interface Aggregation {
  readonly groups: readonly {
    readonly series: readonly { readonly measure: string; readonly values: readonly (number | null)[] }[];
  }[];
}

/** What each chart must show, asked for in one question of our own. */
async function readFromApi(): Promise<Record<string, Record<string, number[]>>> {
  const measures =
    'COUNT ERROR_COUNT PROMPT_COST COMPLETION_COST PROMPT_TOKENS COMPLETION_TOKENS CACHE_READ_TOKENS CACHE_WRITE_TOKENS PROMPT_AUDIO_TOKENS REASONING_TOKENS COMPLETION_AUDIO_TOKENS';
  const aggregate = (
    alias: string,
    filter: string,
  ) => `${alias}: aggregate(timeRange: $time, filterCondition: "${filter}",
    buckets: { scale: FIVE_MINUTES, timeZone: "Europe/Berlin" }, measures: [${measures}]) { groups { series { measure values } } }`;
  const bins = 'timeRange: $time, timeBinConfig: { scale: FIVE_MINUTES, timeZone: "Europe/Berlin" }';
  interface Project {
    readonly statuses: { readonly data: readonly { readonly okCount: number; readonly errorCount: number }[] };
    readonly latencies: { readonly data: readonly Record<string, number | null>[] };
    readonly all: Aggregation;
    readonly llm: Aggregation;
    readonly tool: Aggregation;
  }
  const { project } = await queryGraphql<{ project: Project }>(
    server.url,
    `query ($id: ID!, $time: TimeRange!) { project: node(id: $id) { ... on Project {
      statuses: traceCountByStatusTimeSeries(${bins}) { data { okCount errorCount } }
      latencies: traceLatencyMsPercentileTimeSeries(${bins}) { data { p50 p75 p90 p95 p99 p999 max } }
      ${aggregate('all', '')} ${aggregate('llm', "span_kind == 'LLM'")} ${aggregate('tool', "span_kind == 'TOOL'")} } } }`,
    { id: projectId, time: TIME },
  );
  const { data } = project.statuses;
  const of = (aggregation: Aggregation, measure: string) =>
    (aggregation.groups[0]?.series.find((series) => series.measure === measure)?.values ?? []).map(
      (value) => value ?? 0,
    );
  const percentile = (name: string) => project.latencies.data.map((point) => point[name] ?? 0);
  const byStatus = (aggregation: Aggregation) => {
    const errors = of(aggregation, 'ERROR_COUNT');
    return { 'Without error': of(aggregation, 'COUNT').map((count, at) => count - (errors[at] ?? 0)), Error: errors };
  };
  return {
    'Traces by status': {
      'Without error': data.map(({ okCount }) => okCount),
      Error: data.map(({ errorCount }) => errorCount),
    },
    'Trace latency': {
      P50: percentile('p50'),
      P75: percentile('p75'),
      P90: percentile('p90'),
      P95: percentile('p95'),
      P99: percentile('p99'),
      'P99.9': percentile('p999'),
      Max: percentile('max'),
    },
    Cost: { Prompt: of(project.all, 'PROMPT_COST'), Completion: of(project.all, 'COMPLETION_COST') },
    Tokens: { Prompt: of(project.all, 'PROMPT_TOKENS'), Completion: of(project.all, 'COMPLETION_TOKENS') },
    'Prompt tokens by type': {
      'Read from cache': of(project.all, 'CACHE_READ_TOKENS'),
      'Written to cache': of(project.all, 'CACHE_WRITE_TOKENS'),
      Audio: of(project.all, 'PROMPT_AUDIO_TOKENS'),
    },
    'Completion tokens by type': {
      Reasoning: of(project.all, 'REASONING_TOKENS'),
      Audio: of(project.all, 'COMPLETION_AUDIO_TOKENS'),
    },
    'LLM spans': byStatus(project.llm),
    'Tool spans': byStatus(project.tool),
  };
}
