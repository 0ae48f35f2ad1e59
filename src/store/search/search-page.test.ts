import { beforeAll, describe, expect, it } from 'vitest';
import { parseFilter } from '#filter/parse-filter';
import { spanId, TEST_START_US, traceId } from '../../../test/harness/otlp-json.ts';
import { openSearchable, type Searchable } from './open-searchable.fixture.ts';
import type { SearchHit, SearchOrder, SearchPosition } from './port.ts';

/** More than are looked at together, and more than lead to their spans one by one. */
const SPANS = 1500;
const SECOND_US = 1_000_000;

let store: Searchable;

beforeAll(async () => {
  store = await openSearchable();
  const spans = Array.from({ length: SPANS }, (_, index) => ({
    traceId: traceId(1 + Math.floor(index / 5)),
    spanId: spanId(index + 1),
    name: `s${index}`,
    startUs: TEST_START_US + index * SECOND_US,
    attributes: {
      'openinference.span.kind': index % 2 === 0 ? 'LLM' : 'TOOL',
      'input.value': `common text of span ${index}${index % 100 === 7 ? ' with a rare word' : ''}`,
      ...(index % 5 === 0 && { 'output.value': `common ${'and much more of it '.repeat(20)}` }),
    },
  }));
  for (let start = 0; start < SPANS; start += 500) await store.send(spans.slice(start, start + 500));
  await store.index();
});

async function readAllPages(text: string, order: SearchOrder, limit: number) {
  const hits: SearchHit[] = [];
  for (let after: SearchPosition | null = null; ; ) {
    const page = await store.search.searchTexts(
      { projectRowId: 1 },
      { text, scope: 'everything' },
      { order, limit, after },
    );
    hits.push(...page.hits);
    expect(page.hits.length).toBeLessThanOrEqual(limit);
    if (page.next === null || hits.length > SPANS) return hits;
    after = page.next;
  }
}

describe('pages of hits', () => {
  it('hold every hit once, the last that arrived first', async () => {
    const common = (await readAllPages('common', 'newest', 400)).map(({ spanRowId }) => spanRowId);
    expect(common).toEqual(Array.from({ length: SPANS }, (_, index) => SPANS - index));
    const rare = (await readAllPages('rare', 'newest', 4)).map(({ spanRowId }) => spanRowId);
    expect(rare).toEqual(Array.from({ length: 15 }, (_, index) => 1408 - index * 100));
  });

  it('hold the best once, best first', async () => {
    const hits = await readAllPages('common OR rare', 'best', 400);
    expect(new Set(hits.map(({ spanRowId }) => spanRowId)).size).toBe(SPANS);
    const scores = hits.map(({ score }) => score ?? NaN);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(hits.slice(0, 15).map(({ spanRowId }) => spanRowId % 100)).toEqual(Array(15).fill(8));
  });

  it('keep to a time range, a condition, and both', async () => {
    const { condition } = parseFilter('span', 'span_kind == "LLM"');
    const bounds = { startTimeUs: TEST_START_US + 10 * SECOND_US, endTimeUs: TEST_START_US + 20 * SECOND_US };
    const found = (spans: object) => store.find('common', { spans: { projectRowId: 1, ...spans }, limit: 1000 });
    expect(await found(bounds)).toEqual(['s19', 's18', 's17', 's16', 's15', 's14', 's13', 's12', 's11', 's10']);
    expect(await found({ ...bounds, condition })).toEqual(['s18', 's16', 's14', 's12', 's10']);
    expect(await found({ condition })).toHaveLength(SPANS / 2);
    const long = parseFilter('span', '"much more" in output.value and span_kind == "LLM"').condition;
    expect(await found({ ...bounds, condition: long })).toEqual(['s10']);
    expect(await found({ startTimeUs: TEST_START_US + SPANS * SECOND_US })).toEqual([]);
  });

  it('are those of one trace where one is named', async () => {
    expect(await store.find('common', { spans: { traceRowId: 2 } })).toEqual(['s9', 's8', 's7', 's6', 's5']);
    expect(await store.find('rare', { spans: { traceRowId: 2 } })).toEqual(['s7']);
    expect(await store.find('rare', { spans: { traceRowId: 99_999 } })).toEqual([]);
  });

  it('show nothing of other projects', async () => {
    expect(await store.find('common', { spans: { projectRowId: 2 } })).toEqual([]);
  });
});

describe('counts', () => {
  const count = (text: string) => store.search.countTextHits({ projectRowId: 1 }, { text, scope: 'input' });

  it('are exact up to a thousand', async () => {
    expect(await count('rare')).toEqual({ count: 15, isExact: true });
    expect(await count('common')).toEqual({ count: 1000, isExact: false });
    expect(await count('absent')).toEqual({ count: 0, isExact: true });
  });
});

describe('snippets', () => {
  it('are read from the originals of the spans that are asked for', async () => {
    const snippets = await store.search.readSnippets({ text: 'rare', scope: 'everything' }, [8, 99_999]);
    expect([...snippets]).toEqual([
      [
        8,
        [
          {
            place: 'input',
            text: 'common text of span 7 with a rare word',
            hits: [{ start: 29, end: 33 }],
            isCutBefore: false,
            isCutAfter: false,
          },
        ],
      ],
    ]);
  });
});

describe('the currency of the index', () => {
  it('says what waits', async () => {
    const lastUs = TEST_START_US + (SPANS - 1) * SECOND_US;
    expect(await store.search.readSearchCurrency()).toEqual({ pendingSpanCount: 0, indexedUpToUs: lastUs });
    await store.send([{ traceId: traceId(9999), spanId: spanId(9999), name: 'late' }]);
    expect(await store.search.readSearchCurrency()).toEqual({ pendingSpanCount: 1, indexedUpToUs: lastUs });
    expect(await store.find('late')).toEqual([]);
    await store.index();
    expect(await store.find('late')).toEqual(['late']);
    expect(await store.search.readSearchCurrency()).toMatchObject({ pendingSpanCount: 0 });
  });
});
