import { beforeEach, expect, it } from 'vitest';
import { runsOf } from '../../../test/harness/test-engine.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { quantilesOf } from '../aggregates/quantiles.ts';
import { spanRow } from '../columns/columns.fixture.ts';
import { openTestEngine } from '../engine/open-test-engine.fixture.ts';
import type { TestEngine } from '../engine/test-engine.fixture.ts';
import type { ProjectSums, SumRange } from './sums-port.ts';
import { relationalProjectSums } from './relational-project-sums.ts';

const ALWAYS = { startUs: null, endUs: null };
const QUARTER_US = 900_000_000;

let engine: TestEngine;
let sums: ProjectSums;

beforeEach(async () => {
  engine = await openTestEngine();
  sums = relationalProjectSums(engine.db, engine.dialect);
});

/** Traces of a project, at these starts, each a little longer than the one before, with two spans. */
async function addTraces(projectId: number, starts: readonly number[]): Promise<void> {
  for (const [index, startUs] of starts.entries()) {
    const id = projectId * 100 + index;
    const latencyUs = (index + 1) * 100;
    await engine.exec(sql`INSERT INTO traces (id, trace_id, project_id, start_us, end_us, span_count, error_count,
      prompt_tokens, completion_tokens, cost_nanousd)
      VALUES (${id}, ${`trace ${id}`}, ${projectId}, ${startUs}, ${startUs + latencyUs}, 2, 0, 3, 4, 0)`);
    for (const endUs of [startUs + latencyUs, null]) {
      await addSpan({ projectId, traceRowId: id, spanId: `span ${endUs}`, startUs, endUs });
    }
  }
}

interface PlainSpan {
  readonly projectId: number;
  readonly traceRowId: number;
  readonly spanId: string;
  readonly startUs: number;
  readonly endUs: number | null;
}

let spanCount = 0;

async function addSpan({ projectId, traceRowId, spanId, startUs, endUs }: PlainSpan): Promise<void> {
  spanCount += 1;
  const place = { project_id: projectId, trace_row_id: traceRowId, span_id: spanId };
  await engine.bulkInsert('spans', [spanRow({ id: spanCount, ...place, start_us: startUs, end_us: endUs })]);
}

it('counts spans and traces by project, of those that started in the range', async () => {
  await addTraces(1, [1000, 2000, 3000]);
  await addTraces(2, [2000]);
  const range = { startUs: 2000, endUs: 3000 };
  expect(await sums.countSpans([1, 2, 3], ALWAYS)).toEqual(new Map([[1, 6], [2, 2]])); // biome-ignore format: rows
  const counts = [...(await sums.sumTraces([1, 2], ALWAYS))].map(([rowId, { traceCount }]) => [rowId, traceCount]);
  expect(counts).toEqual([[1, 3], [2, 1]]); // biome-ignore format: rows
  expect(await sums.countSpans([1], range)).toEqual(new Map([[1, 2]]));
  expect((await sums.sumTraces([1], range)).get(1)?.traceCount).toBe(1);
});

it('counts spans again where a deletion ends while they are counted', async () => {
  await addTraces(1, [1000, 2000]);
  await engine.exec('INSERT INTO unlisted_traces (trace_row_id) VALUES (100)');
  let isOver = false;
  const db = engine.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (isOver) return result;
      isOver = true;
      await engine.exec('DELETE FROM spans WHERE trace_row_id = 100');
      await engine.exec('DELETE FROM unlisted_traces');
      return result;
    },
  });
  const counting = relationalProjectSums(db, engine.dialect);
  expect(await counting.countSpans([1], ALWAYS)).toEqual(new Map([[1, 2]]));
});

it('sums the tokens of traces', async () => {
  await addTraces(1, [1000, 2000, 3000]);
  const [all, later] = await Promise.all([
    sums.sumTraces([1], ALWAYS),
    sums.sumTraces([1], { startUs: 2000, endUs: null }),
  ]);
  expect(all.get(1)).toMatchObject({ promptTokenCount: 9, completionTokenCount: 12 });
  expect(later.get(1)).toMatchObject({ promptTokenCount: 6, completionTokenCount: 8 });
});

it('sums what no integer of 64 bits holds', async () => {
  const costs = [9.2e18, 9.2e18, 9.2e18];
  for (const [index, cost] of costs.entries()) {
    await engine.exec(sql`INSERT INTO traces (id, trace_id, project_id, start_us, end_us, span_count, error_count,
      prompt_tokens, completion_tokens, cost_nanousd)
      VALUES (${index}, ${`trace ${index}`}, 1, ${index * QUARTER_US}, ${index * QUARTER_US}, 1, 0, ${cost}, 0, ${cost})`);
  }
  const costOf = async (range: SumRange) => (await sums.sumTraces([1], range)).get(1)?.costNanoUsd;
  expect(await costOf(ALWAYS)).toBe(3 * 9.2e18);
  // In one stretch, and in the rest of a range at its end.
  await engine.exec('UPDATE traces SET start_us = 10');
  expect(await costOf(ALWAYS)).toBe(3 * 9.2e18);
  expect(await costOf({ startUs: 0, endUs: 11 })).toBe(3 * 9.2e18);
  await engine.exec('DELETE FROM traces WHERE id = 0');
  expect(await costOf(ALWAYS)).toBe(2 * 9.2e18);
  await engine.exec('DELETE FROM traces');
  expect(await costOf(ALWAYS)).toBeUndefined();
});

it('finds quantiles of latency, of spans without those that are open', async () => {
  await addTraces(1, [1000, 2000, 3000]);
  await addTraces(2, [2000]);
  const found = await sums.traceLatencyQuantiles([1, 2, 3], ALWAYS, [0.5, 0, 0.75]);
  expect(found).toEqual(new Map([[1, [200, 100, 250]], [2, [100, 100, 100]]])); // biome-ignore format: rows
  expect(await sums.spanLatencyQuantile([1], 0.75)).toEqual(new Map([[1, 250]]));
  expect(await sums.traceLatencyQuantiles([1], { startUs: 3000, endUs: null }, [0])).toEqual(new Map([[1, [300]]]));
});

it('finds the quantiles of all spans that sorting them finds, also while traces are being deleted', async () => {
  const latencies = fc.array(
    fc.oneof(
      fc.constant(null),
      fc.integer({ min: -5, max: 15 }),
      fc.integer({ min: 0, max: 12 }).map((exponent) => 10 ** exponent),
      fc.integer({ min: 0, max: 1e9 }),
    ),
    { maxLength: 30 },
  );
  const share = fc.oneof(fc.constantFrom(0, 0.5, 1), fc.double({ min: 0, max: 1, noNaN: true }));
  await fc.assert(
    fc.asyncProperty(latencies, latencies, share, async (first, second, probability) => {
      await engine.exec('DELETE FROM spans');
      for (const [place, values] of [first, second].entries()) {
        for (const [index, value] of values.entries()) {
          const endUs = value === null ? null : 1000 + value;
          await addSpan({ projectId: place + 1, traceRowId: 1, spanId: `${place} ${index}`, startUs: 1000, endUs });
        }
      }
      const expected = new Map<number, number>();
      for (const [place, values] of [first, second].entries()) {
        const ended = Float64Array.from(values.filter((value) => value !== null));
        const [quantile = Number.NaN] = quantilesOf(ended, [probability]);
        if (ended.length > 0) expected.set(place + 1, quantile);
      }
      for (const isDeleting of [false, true]) {
        await engine.exec('DELETE FROM unlisted_traces');
        if (isDeleting) await engine.exec('INSERT INTO unlisted_traces (trace_row_id) VALUES (99)');
        const found = await sums.spanLatencyQuantile([1, 2, 3], probability);
        expect(found.size).toBe(expected.size);
        for (const [projectRowId, value] of expected) expect(found.get(projectRowId)).toBeCloseTo(value, 3);
      }
    }),
    { numRuns: runsOf(150) },
  );
});

it('counts sessions that lie in the range in part', async () => {
  await engine.exec(`INSERT INTO sessions (id, project_id, session_id, start_us, end_us, trace_count, error_count,
    prompt_tokens, completion_tokens, cost_nanousd)
    VALUES (1, 1, 'a', 1000, 2000, 1, 0, 0, 0, 0), (2, 1, 'b', 3000, 4000, 1, 0, 0, 0, 0)`);
  expect(await sums.countSessions([1, 2], ALWAYS)).toEqual(new Map([[1, 2]]));
  expect(await sums.countSessions([1], { startUs: 1500, endUs: 3000 })).toEqual(new Map([[1, 1]]));
  expect(await sums.countSessions([1], { startUs: 4000, endUs: null })).toEqual(new Map([[1, 1]]));
  expect(await sums.countSessions([1], { startUs: 4001, endUs: null })).toEqual(new Map());
});

it('says where the traces of a project begin and end', async () => {
  await addTraces(1, [3000, 1000, 2000]);
  expect([...(await sums.traceTimes([1, 2])).values()]).toMatchObject([{ startUs: 1000, endUs: 3100 }]);
});
