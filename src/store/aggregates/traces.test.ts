import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runsOf } from '../../../test/harness/test-engine.ts';
import type { KnownSpan } from './aggregates.fixture.ts';
import { findBucket } from './buckets.ts';
import { CONDITIONS, conditionOf, HOUR_US, KnownStore, START_US } from './known-store.fixture.ts';
import { TOKEN_DETAILS, type TraceQuestion } from './port.ts';

let known: KnownStore;

beforeAll(async () => {
  known = await KnownStore.open(false);
});

afterAll(() => known.store.close());

const PROBABILITIES = [0.5, 0.99, 1];

/** Traces with their spans, by the filter that one of their spans must match. */
function tracesOf({ condition, startTimeUs = 0, endTimeUs = Infinity }: Partial<TraceQuestion>) {
  const matching = new Set(known.matchesOf({ condition: condition ?? null }).map(({ row }) => row.traceRowId));
  return [...Map.groupBy(known.spans, ({ row }) => row.traceRowId)]
    .filter(([traceRowId]) => condition == null || matching.has(traceRowId))
    .map(([, spans]) => ({
      startUs: Math.min(...spans.map(({ row }) => row.startTimeUs)),
      endUs: Math.max(...spans.map(({ row }) => row.endTimeUs)),
      hasError: spans.some(({ row }) => row.statusCode === 'ERROR'),
      spans,
    }))
    .filter(({ startUs }) => startUs >= startTimeUs && startUs < endTimeUs);
}

type KnownTrace = ReturnType<typeof tracesOf>[number];

function sum(traces: readonly KnownTrace[], numberOf: (counted: KnownSpan['counted']) => number | null): number {
  return traces.flatMap(({ spans }) => spans).reduce((total, { counted }) => total + (numberOf(counted) ?? 0), 0);
}

function quantile(values: readonly number[], probability: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = probability * (sorted.length - 1);
  const [below = Number.NaN, above = Number.NaN] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place % 1);
}

function numbersOf(traces: readonly KnownTrace[]) {
  return {
    count: traces.length,
    errors: traces.filter(({ hasError }) => hasError).length,
    latencies: PROBABILITIES.map((probability) =>
      quantile(
        traces.map(({ startUs, endUs }) => endUs - startUs),
        probability,
      ),
    ),
    prompt: sum(traces, (row) => row['counted_prompt_tokens'] ?? 0),
    completion: sum(traces, (row) => row['counted_completion_tokens'] ?? 0),
    cost: sum(traces, (row) => row['counted_cost_nanousd'] ?? 0),
    details: TOKEN_DETAILS.map((of) =>
      sum(traces, (row) => {
        const isCounted = (row['counted_prompt_tokens'] ?? 0) + (row['counted_completion_tokens'] ?? 0) > 0;
        return isCounted ? (row[`${of}_tokens`] ?? 0) : 0;
      }),
    ),
  };
}

describe('numbers of traces', () => {
  const question = fc.record({
    condition: fc.constantFrom(...CONDITIONS).map(conditionOf),
    startTimeUs: fc.option(
      fc.integer({ min: -5, max: 10 }).map((hours) => START_US + hours * HOUR_US),
      { nil: undefined },
    ),
    endTimeUs: fc.option(
      fc.integer({ min: 10, max: 80 }).map((hours) => START_US + hours * HOUR_US),
      { nil: undefined },
    ),
    bucket: fc.option(fc.record({ unit: fc.constantFrom('HOUR', 'DAY'), zone: fc.constantFrom('Europe/Berlin', 330) })),
  });

  it('are those of their decoded spans', async () => {
    const projectRowId = known.store.projectRowId();
    await fc.assert(
      fc.asyncProperty(question, async (asked) => {
        const answer = await known.store.aggregates.aggregateTraces({
          ...asked,
          projectRowId,
          probabilities: PROBABILITIES,
          hasTokenDetails: true,
        });
        const traces = tracesOf(asked);
        const { startsUs } = answer.buckets;
        const byBucket = Map.groupBy(traces, ({ startUs }) =>
          asked.bucket === null ? 0 : findBucket(startsUs, startUs),
        );
        for (const [bucket] of startsUs.entries()) {
          expect({
            count: answer.counts[bucket],
            errors: answer.errorCounts[bucket],
            latencies: answer.latenciesUs.map((ofShare) => ofShare[bucket]),
            prompt: answer.promptTokens[bucket],
            completion: answer.completionTokens[bucket],
            cost: Math.round((answer.cost.total[bucket] ?? 0) * 1e9),
            details: answer.tokenDetails?.map(({ sums }) => sums[bucket]),
          }).toEqual(numbersOf(byBucket.get(bucket) ?? []));
        }
        expect(answer.counts.reduce((all, count) => all + count, 0)).toBe(startsUs.length === 0 ? 0 : traces.length);
        expect(answer.isPartial).toBe(false);
      }),
      { numRuns: runsOf(40) },
    );
  });

  it('read no spans where the rows of traces say everything', async () => {
    const projectRowId = known.store.projectRowId();
    const all = { projectRowId, condition: null, bucket: null, probabilities: [], hasTokenDetails: false };
    expect(await known.store.aggregates.aggregateTraces(all)).toMatchObject({ tokenDetails: null });
    await expect(known.store.aggregates.aggregateTraces({ ...all, startTimeUs: 2, endTimeUs: 1 })).rejects.toThrow(
      'ends before',
    );
  });
});
