/**
 * One span out of very many, as somebody looks for it. The suite does it with a few thousand spans that are sent to a server;
 * `npm run test:million` with a million, in the data file of `npm run bench:query`.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { CACHE_FOLDER } from '../../bench/cached-file.ts';
import type { TrafficSpan } from '../../bench/encode-span.ts';
import { monthFile } from '../../bench/query/month-file.ts';
import { MONTH, monthSpans, ordinarySpans, requestsOf } from '../../bench/query/traffic.ts';
import { startBenchServer } from '../../bench/server-process.ts';
import { sharedBrowser, openPage } from '../harness/browser.ts';
import { queryGraphql } from '../harness/graphql.ts';
import { postBody } from '../harness/otlp-client.ts';
import { startTestServer } from '../harness/server.ts';
import { rows } from './list-page.ts';

const SPANS = Number(process.env['CAIRN_TEST_SPANS'] ?? 2000);

/** As many are made once and kept; fewer are sent. */
const IS_LONG_RUN = SPANS > 20_000;

/** Making a month of a million spans takes some 20 minutes. */
const MAX_MS = IS_LONG_RUN ? 3_600_000 : 60_000;

/** Where the spans are, and how it ends. */
interface Place {
  readonly url: string;
  readonly end: () => Promise<void>;
}

/** What is known of the month before anybody asks a server. */
interface Known {
  readonly spanCount: number;
  /** Starts of the spans of tools, in microseconds since the Unix epoch, by tenant. */
  readonly toolsByTenant: ReadonlyMap<string, readonly number[]>;
  readonly toolCount: number;
  /** Those that say what hardly any other says. */
  readonly rare: readonly RareSpan[];
}

interface RareSpan {
  readonly startUs: number;
  readonly tenant: string;
  /** Hexadecimal. */
  readonly traceId: string;
  readonly spanId: string;
  readonly name: string;
}

let browser: Browser;
let place: Place;
let known: Known;

beforeAll(async () => {
  known = learn(IS_LONG_RUN ? monthSpans(SPANS) : ordinarySpans(SPANS));
  [browser, place] = await Promise.all([sharedBrowser(), IS_LONG_RUN ? openMonth() : sendMonth()]);
}, MAX_MS);

afterAll(async () => {
  await place.end();
});

it(`narrows ${SPANS.toLocaleString('en')} spans to one by filter, facet, brush and search`, {
  timeout: MAX_MS,
}, async () => {
  const wanted = known.rare[Math.floor(known.rare.length / 2)];
  if (wanted === undefined) throw new Error('no span says what is looked for');
  const ofTenant = known.toolsByTenant.get(wanted.tenant) ?? [];
  const steps = new Steps();
  await using tab = await openPage(browser, `${place.url}/projects`);
  const { page } = tab;
  const strip = page.getByRole('region', { name: 'Spans over time' });
  const field = page.getByRole('combobox', { name: 'Filter spans' });
  const expectCount = async (count: number) => {
    const text = `${count.toLocaleString('en')} ${count === 1 ? 'span' : 'spans'}`;
    await expect.poll(() => strip.getByRole('caption').innerText()).toBe(`${text} over time`);
    if (count === known.spanCount) return;
    // At first as many as are counted at once.
    const about = `${MOST_COUNTED.toLocaleString('en')}\\+ spans`;
    const shown = page.getByText(count > MOST_COUNTED ? new RegExp(`^(${about}|${text})$`) : text);
    await shown.first().waitFor();
  };

  await steps.take('open the project', async () => {
    await page.getByRole('link', { name: MONTH.project, exact: true }).click();
    await page.getByRole('link', { name: /^Spans/ }).click();
    await page.getByRole('button', { name: /^Time range/ }).click();
    await page.getByRole('button', { name: 'All time', exact: true }).click();
    await rows(page).first().waitFor();
    await expectCount(known.spanCount);
  });

  await steps.take('type a filter', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('span_k');
    await page.getByRole('option', { name: /^span_kind/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type("== 'TO");
    await page.getByRole('option', { name: /^TOOL/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => field.inputValue()).toBe("span_kind == 'TOOL'");
    await page.keyboard.press('Enter');
    await expectCount(known.toolCount);
  });

  const filter = `span_kind == 'TOOL' and tenant.id == '${wanted.tenant}'`;
  const buckets = await steps.take('tick a facet', async () => {
    await page.getByRole('button', { name: 'Filters' }).click();
    const facets = page.getByRole('complementary', { name: 'Facets' });
    await facets.getByRole('button', { name: 'tenant.id', exact: true }).click();
    await facets.getByLabel('Find in tenant.id').fill(wanted.tenant);
    const value = facets.getByRole('checkbox', { name: new RegExp(`^${wanted.tenant} `) });
    const answer = page.waitForResponse((response) => {
      const asked = response.request().postData() ?? '';
      return asked.includes('histogram(') && asked.includes(`'${wanted.tenant}'`);
    });
    await value.press('Space');
    await expectCount(ofTenant.length);
    await expect.poll(() => field.inputValue()).toBe(filter);
    return ((await (await answer).json()) as StripAnswer).data.project.histogram.buckets;
  });

  const [startUs, endUs] = await steps.take('brush the chart', async () => {
    const at = buckets.findIndex(
      ({ startTime, endTime }) => toUs(startTime) <= wanted.startUs && wanted.startUs < toUs(endTime),
    );
    const box = await strip.getByRole('slider').boundingBox();
    if (at < 0 || box === null) throw new Error('the span stands nowhere in the chart');
    const xOf = (bucket: number) => box.x + ((bucket + 0.5) / buckets.length) * box.width;
    await page.mouse.move(xOf(Math.max(0, at - 1)), box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(xOf(at), box.y + box.height / 2, { steps: 3 });
    await page.mouse.up();
    await expect.poll(() => new URL(page.url()).searchParams.has('start')).toBe(true);
    const { searchParams } = new URL(page.url());
    const range = [toUs(searchParams.get('start')), toUs(searchParams.get('end'))] as const;
    await expectCount(ofTenant.filter((start) => isWithin(start, range)).length);
    return range;
  });
  expect(known.rare.filter((one) => isWithin(one.startUs, [startUs, endUs]))).toEqual([wanted]);

  await steps.take('ask for a text among those', async () => {
    await field.fill(`${filter} and '${MONTH.rarePhrase}' in output.value`);
    await page.keyboard.press('Enter');
    await expectCount(1);
    await expect.poll(() => rows(page).count()).toBe(1);
  });

  const hits = page.getByRole('list', { name: 'Hits' }).getByRole('link');
  await steps.take('search in all texts of that time', async () => {
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await page.getByRole('searchbox', { name: 'Search the text of spans' }).fill(`"${MONTH.rarePhrase}"`);
    await page.getByText('1 span', { exact: true }).waitFor();
    await expect.poll(() => hits.count()).toBe(1);
    await expect.poll(() => page.locator('mark').allInnerTexts()).toEqual([MONTH.rarePhrase]);
  });

  await steps.take('open the span', async () => {
    await hits.click();
    const span = page.getByRole('region', { name: `Span ${wanted.name}` });
    await span.getByText(MONTH.rarePhrase).first().waitFor();
    const { traceId, spanId } = wanted;
    await expect.poll(() => readIdentity(page)).toEqual({ context: { traceId, spanId } });
  });
  expect(tab.faults).toEqual([]);
  if (IS_LONG_RUN) steps.print();
});

/** The filter bar counts no further. */
const MOST_COUNTED = 10_000;

interface StripAnswer {
  readonly data: {
    readonly project: {
      readonly histogram: { readonly buckets: readonly { readonly startTime: string; readonly endTime: string }[] };
    };
  };
}

/** Times what is done. */
class Steps {
  readonly #taken: (readonly [what: string, ms: number])[] = [];

  async take<T>(what: string, work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    const result = await work();
    this.#taken.push([what, performance.now() - begun]);
    return result;
  }

  print(): void {
    const lines = this.#taken.map(([what, ms]) => `| ${what} | ${ms.toFixed(0)} ms |`);
    console.log(`${known.spanCount.toLocaleString('en')} spans\n${lines.join('\n')}`);
  }
}

function learn(spans: Iterable<TrafficSpan>): Known {
  const toolsByTenant = new Map<string, number[]>();
  const rare: RareSpan[] = [];
  let [spanCount, toolCount] = [0, 0];
  for (const span of spans) {
    const { traceId, spanId, name, startUnixNano, attributes } = span;
    spanCount++;
    if (attributes['openinference.span.kind'] !== 'TOOL') continue;
    toolCount++;
    const startUs = Number(startUnixNano / 1000n);
    const tenant = attributes['tenant.id'];
    if (typeof tenant !== 'string') continue;
    const known = toolsByTenant.get(tenant);
    if (known === undefined) toolsByTenant.set(tenant, [startUs]);
    else known.push(startUs);
    if (attributes['order.flag'] !== MONTH.flag) continue;
    rare.push({ startUs, tenant, traceId: toHex(traceId), spanId: toHex(spanId), name });
  }
  return { spanCount, toolsByTenant, toolCount, rare };
}

/** Sends them, and waits until they can be searched. */
async function sendMonth(): Promise<Place> {
  const server = await startTestServer();
  const headers = { 'content-type': 'application/x-protobuf' };
  for (const body of requestsOf(ordinarySpans(SPANS))) {
    expect((await postBody(server.url, body, headers)).status).toBe(200);
  }
  const pending = async () => {
    const asked = `{ getProjectByName(name: "${MONTH.project}") { search(text: "x", first: 1) { currency { pendingSpanCount } } } }`;
    const { getProjectByName } = await queryGraphql<Pending>(server.url, asked);
    return getProjectByName.search.currency.pendingSpanCount;
  };
  await vi.waitUntil(async () => (await pending()) === 0, { timeout: 50_000, interval: 100 });
  return { url: server.url, end: async () => server[Symbol.asyncDispose]() };
}

interface Pending {
  readonly getProjectByName: { readonly search: { readonly currency: { readonly pendingSpanCount: number } } };
}

/** A copy of a month that is kept. */
async function openMonth(): Promise<Place> {
  const server = await startBenchServer(await monthFile(CACHE_FOLDER, SPANS), []);
  return {
    url: server.httpUrl,
    end: async () => {
      await server.stop();
      server.remove();
    },
  };
}

/** Of the span that the address of the page names. */
async function readIdentity(page: Page): Promise<object> {
  await expect.poll(() => new URL(page.url()).searchParams.get('selectedSpanNodeId')).not.toBeNull();
  const id = new URL(page.url()).searchParams.get('selectedSpanNodeId');
  const asked = 'query ($id: ID!) { node(id: $id) { ... on Span { context { traceId spanId } } } }';
  return (await queryGraphql<{ node: object }>(place.url, asked, { id })).node;
}

function isWithin(us: number, [startUs, endUs]: readonly [number, number]): boolean {
  return startUs <= us && us < endUs;
}

function toUs(time: string | null): number {
  return Date.parse(time ?? '') * 1000;
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
