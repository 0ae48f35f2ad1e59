/** Searches and filters over rows of spans that SQLite cannot read. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseFilter } from '#filter/parse-filter';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { prepareFilter } from '../query/prepare-filter.ts';
import { verifyRows } from '../query/verify-rows.ts';
import { damageLeaves } from '../sqlite/damaged-leaves.fixture.ts';
import { openSqliteFileEngine } from '../sqlite/open-test-engine.fixture.ts';
import { suspectPart } from '../texts/progress.ts';
import { openSearchable, type Searchable, STEP } from './open-searchable.fixture.ts';
import { planIndex } from './plan-index.ts';
import type { SearchedSpans } from './port.ts';
import { storeIndex } from './store-index.ts';

const ROW_IDS = Array.from({ length: 300 }, (_, place) => place + 1);
const PROJECT = { projectRowId: 1 };

let folder: string;
let store: Searchable;
/** Row ids of the spans that can be read, the last first. */
const readable: number[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-damaged-search-'));
  const path = join(folder, 'cairn.db');
  const filling = await openSearchable(await openSqliteFileEngine(path));
  const spans = ROW_IDS.map((number) => ({
    traceId: traceId(1 + (number % 40)),
    spanId: spanId(number),
    name: `span${number}`,
    attributes: { 'input.value': `Where is my refund ${number}?` },
  }));
  await filling.send(spans);
  await filling.index();
  await filling.close();
  damageLeaves(path, 'spans', [0.5]);
  store = await openSearchable(await openSqliteFileEngine(path));
  for (const rowId of ROW_IDS) {
    const row = store.db.selectFrom('spans').select('name').where('id', '=', rowId).executeTakeFirst();
    if ((await row.catch(() => undefined)) !== undefined) readable.unshift(rowId);
  }
});

afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Those that are found and can be read; lists leave the others out, which an index alone may find. */
async function find(text: string, spans: SearchedSpans): Promise<readonly number[]> {
  const page = { order: 'newest', limit: 500, after: null } as const;
  const { hits } = await store.search.searchTexts(spans, { text, scope: 'everything' }, page);
  return hits.map(({ spanRowId }) => spanRowId).filter((rowId) => readable.includes(rowId));
}

it('words and phrases are found in the others, with their snippets', async () => {
  expect(readable.length).toBeGreaterThan(100);
  expect(readable.length).toBeLessThan(ROW_IDS.length);
  const ofTrace = new Set((await store.rows('SELECT id FROM spans WHERE trace_row_id = 1')).map(({ id }) => id));
  for (const text of ['refund', '"my refund"']) {
    expect(await find(text, PROJECT)).toEqual(readable);
    expect(await find(text, { ...PROJECT, startTimeUs: 0 })).toEqual(readable);
    expect(await find(text, { traceRowId: 1 })).toEqual(readable.filter((rowId) => ofTrace.has(rowId)));
  }
  const snippets = await store.search.readSnippets({ text: 'refund', scope: 'everything' }, ROW_IDS);
  expect(snippets.size).toBe(readable.length);
});

it('filters that originals decide match the others', async () => {
  const { condition } = parseFilter('span', "name != 'nothing' and latency_ms >= 0");
  if (condition === null) throw new Error('the filter has no condition');
  const filter = await prepareFilter(store.scope, condition);
  const { matches } = await verifyRows(store.scope, filter, ROW_IDS);
  expect([...matches].toSorted((a, b) => b - a)).toEqual(readable);
});

it('a damaged part of the index is mended, and the mending ends', async () => {
  await store.exec('UPDATE search_leaves SET lists = zeroblob(10)');
  await suspectPart(store.db, 0);
  for (let steps = 0; ; steps++) {
    const plan = await planIndex(store.scope, STEP);
    if (plan === undefined) break;
    await store.writer.change((change) => storeIndex(change, plan));
    expect(steps).toBeLessThan(20);
  }
  expect(await store.rows('SELECT part FROM search_suspect_parts')).toEqual([]);
  expect(await find('refund', PROJECT)).toEqual(readable);
});
