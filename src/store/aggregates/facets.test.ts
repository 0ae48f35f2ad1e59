import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spanId, type TestSpan, traceId } from '../../../test/harness/otlp-json.ts';
import { runsOf } from '../../../test/harness/test-engine.ts';
import { openAggregateStore } from './aggregates.fixture.ts';
import {
  attribute,
  CONDITIONS,
  conditionOf,
  DIMENSIONS,
  field,
  KnownStore,
  START_US,
  UNLISTED,
} from './known-store.fixture.ts';
import type { Dimension, FacetRequest } from './port.ts';

let known: KnownStore;

beforeAll(async () => {
  known = await KnownStore.open(true);
});

afterAll(() => known.store.close());

function request(dimension: Dimension, more: Partial<FacetRequest> = {}): FacetRequest {
  return { dimension, maxValues: 100, prefix: null, leavesOutOwnTerms: false, ...more };
}

async function count(filter: string, facets: readonly FacetRequest[]) {
  const projectRowId = known.store.projectRowId();
  const answer = await known.store.aggregates.countFacets({ projectRowId, condition: conditionOf(filter), facets });
  return answer.facets;
}

/** The values of spans and how many each, by the filter that holds for the facet. */
function expected(filter: string, dimension: Dimension) {
  const values = known.matchesOf({ condition: conditionOf(filter) }).map((span) => known.valueOf(dimension, span));
  const listed = values.filter((value) => value !== UNLISTED && value !== null);
  return {
    values: new Map([...Map.groupBy(listed, (value) => value)].map(([value, same]) => [value, same.length])),
    missingCount: values.filter((value) => value === null).length,
    unlistedCount: values.filter((value) => value === UNLISTED).length,
  };
}

describe('facets', () => {
  it('count the values of the decoded spans', async () => {
    const asked = fc.tuple(
      fc.constantFrom(...CONDITIONS),
      fc.uniqueArray(fc.constantFrom(...DIMENSIONS), { minLength: 1 }),
    );
    await fc.assert(
      fc.asyncProperty(asked, async ([filter, dimensions]) => {
        const facets = await count(
          filter,
          dimensions.map((dimension) => request(dimension)),
        );
        for (const [place, dimension] of dimensions.entries()) {
          const facet = facets[place];
          const counted = new Map(facet?.values.map(({ value, count: times }) => [value, times]));
          expect({ ...facet, values: counted }).toMatchObject({ ...expected(filter, dimension), otherValueCount: 0 });
          const counts = [...counted.values()];
          expect(counts).toEqual(counts.toSorted((a, b) => b - a));
        }
      }),
      { numRuns: runsOf(25) },
    );
  });

  it('leave out their own term of the filter where they are asked to, and only that', async () => {
    const [kind, status, model] = [field('span_kind'), field('status_code'), attribute('llm.model_name')];
    const filter =
      "span_kind == 'LLM' and status_code in ['ERROR', 'OK'] and (llm.model_name == 'large' or llm.model_name == 'small') and latency_ms > 1";
    const facets = await count(filter, [
      request(kind, { leavesOutOwnTerms: true }),
      request(status, { leavesOutOwnTerms: true }),
      request(model),
    ]);
    const without = (terms: string) => `latency_ms > 1 and ${terms}`;
    const byModel = "llm.model_name in ['large', 'small']";
    const counted = facets.map(({ values }) => new Map(values.map(({ value, count: times }) => [value, times])));
    expect(counted).toEqual([
      expected(without(`status_code in ['ERROR', 'OK'] and ${byModel}`), kind).values,
      expected(without(`span_kind == 'LLM' and ${byModel}`), status).values,
      expected(filter, model).values,
    ]);
  });

  it('give the values of the most spans, the number of the others, and those that begin as asked', async () => {
    const all = expected('', field('name')).values;
    const [top] = [...all].sort((a, b) => b[1] - a[1]);
    const [facet, found] = await count('', [
      request(field('name'), { maxValues: 1 }),
      request(field('name'), { prefix: 'A' }),
    ]);
    expect(facet).toMatchObject({ values: [{ value: top?.[0], count: top?.[1] }], otherValueCount: all.size - 1 });
    expect(found?.values.map(({ value }) => value).toSorted()).toEqual(['again', 'answer', 'ask']);
  });

  it('say of numbers how they are spread', async () => {
    const latencies = known.spans
      .filter(({ span }) => !span.isOpen)
      .map(({ row }) => (row.endTimeUs - row.startTimeUs) / 1000);
    const [latency, tier] = await count('', [request(field('latency_ms')), request(attribute('tier'))]);
    expect(latency).toMatchObject({
      values: [],
      missingCount: known.spans.length - latencies.length,
      numbers: { count: latencies.length, min: Math.min(...latencies), max: Math.max(...latencies) },
    });
    const binned = latency?.numbers?.bins.reduce((sum, bin) => sum + bin.count, 0);
    expect(binned).toBe(latencies.length);
    expect(tier?.numbers).toMatchObject({ min: 1, max: 2.5 });
  });

  it('tell 1 from "1" and true, but not from 1.0', async () => {
    const [facet] = await count('', [request(attribute('tier'))]);
    expect(facet?.values.map(({ value }) => value)).toEqual(expect.arrayContaining([1, '1', true, 'gold', 2.5]));
    expect(facet?.values.filter(({ value }) => value === 1)).toHaveLength(1);
  });

  it('refuse what cannot be counted', async () => {
    await expect(count('', [request(field('status_message'))])).rejects.toThrow('cannot be counted by status_message');
    await expect(
      count(
        '',
        Array.from({ length: 21 }, () => request(field('name'))),
      ),
    ).rejects.toThrow('At most 20');
    await expect(count('', [request(field('name'), { maxValues: 1001 })])).rejects.toThrow('0 to 1000');
  });

  it('list the paths of attributes, those of most spans first', async () => {
    const projectRowId = known.store.projectRowId();
    const list = (prefix: string) => known.store.aggregates.listAttributePaths({ projectRowId, prefix, limit: 100 });
    expect(await list('LLM.')).toEqual(
      expect.arrayContaining(['llm.model_name', 'llm.token_count.prompt', 'llm.token_count.prompt_details.cache_read']),
    );
    expect(await list('tier')).toEqual(['tier']);
    expect((await list('')).slice(0, 3)).toEqual(expect.arrayContaining(['input.value', 'tier']));
  });
});

describe('facets of very many values', () => {
  it('are exact to integers beyond 2^53, and count what has no end', async () => {
    const store = await openAggregateStore();
    const spans = Array.from(
      { length: 300 },
      (_, index): TestSpan => ({
        traceId: traceId(1),
        spanId: spanId(index + 1),
        startUs: START_US,
        attributes: { id: `request ${index}`, wide: 9_007_199_254_740_993n + BigInt(index % 2) },
      }),
    );
    await store.send(spans);
    const facets = [request(attribute('id'), { maxValues: 10 }), request(attribute('wide'))];
    const answer = await store.aggregates.countFacets({ projectRowId: store.projectRowId(), condition: null, facets });
    expect(answer.facets[0]).toMatchObject({ otherValueCount: 290, isCut: false });
    expect(answer.facets[1]?.values.map(({ text, count: times }) => [text, times])).toEqual([
      ['9007199254740993', 150],
      ['9007199254740994', 150],
    ]);
    await store.close();
  });
});
