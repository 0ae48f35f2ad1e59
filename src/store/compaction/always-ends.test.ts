/** From whatever state, compaction comes to an end: each step changes something, and at last nothing waits. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { openTestWriter, recordsOf, spansOf, type TestWriter } from '../logs/write/open-writer.fixture.ts';
import { compactionJob } from './compaction-job.ts';
import { planCompaction, planSettling } from './plan.ts';
import { findQuietTraces, readLastBlockId } from './queue.ts';
import { runsOf } from '../../../test/harness/test-engine.ts';

/** What a block is made to be, whatever is in it. */
interface BlockState {
  readonly items: number;
  /** Spans that are gone. */
  readonly gone: number;
  readonly shape: 'as it is' | 'full of bytes' | 'full of items' | 'unreadable' | 'not waiting';
}

const block: fc.Arbitrary<BlockState> = fc.record({
  items: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom(60, 300)),
  gone: fc.constantFrom(0, 0, 0, 1, 2),
  shape: fc.constantFrom(
    'as it is',
    'as it is',
    'as it is',
    'full of bytes',
    'full of items',
    'unreadable',
    'not waiting',
  ),
});

const state = fc.record({
  traces: fc.array(fc.array(block, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 }),
  records: fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 4 }),
  /** Entries of the queue without a block: its number, and whose it is said to be. */
  strays: fc.array(fc.tuple(fc.integer({ min: 5000, max: 5010 }), fc.integer({ min: 1, max: 5 })), { maxLength: 3 }),
  /** Whether the first trace gives up its id, as one that is deleted and sent again. */
  isRenamed: fc.boolean(),
});

type State = typeof state extends fc.Arbitrary<infer Value> ? Value : never;

async function fill(store: TestWriter, { traces, records, strays, isRenamed }: State): Promise<void> {
  let number = 0;
  for (const [trace, blocks] of traces.entries()) {
    for (const { items, gone, shape } of blocks) {
      const spans = Array.from({ length: items }, () => ({ traceId: traceId(trace + 1), spanId: spanId(++number) }));
      await store.writer.write([spansOf(spans)]);
      const id = await readLastBlockId(store.db);
      const goneIds = `SELECT span_row_id FROM span_locations WHERE block_id = ${id} ORDER BY ordinal LIMIT ${Math.min(gone, items - 1)}`;
      await store.exec(
        `UPDATE blocks SET live_count = live_count - (SELECT count(*) FROM (${goneIds}) AS gone) WHERE id = ${id}`,
      );
      await store.exec(`DELETE FROM spans WHERE id IN (${goneIds})`);
      await store.exec(`DELETE FROM span_locations WHERE span_row_id IN (${goneIds})`);
      if (shape !== 'as it is') await store.exec(SHAPES[shape].replaceAll('$id', String(id)));
    }
  }
  for (const [place, count] of records.entries()) {
    const timesUs = Array.from({ length: count }, (_, at) => place * 100 + at);
    await store.writer.write([recordsOf(timesUs.map((timeUs) => ({ traceId: traceId(1), timeUs })))]);
  }
  for (const [id, traceRowId] of new Map(strays)) {
    await store.exec(`INSERT INTO compaction_queue VALUES (${id}, ${traceRowId})`);
  }
  if (isRenamed) await store.exec(`UPDATE traces SET trace_id = 'deleted:1' WHERE id = 1`);
}

const SHAPES = {
  'full of bytes': 'UPDATE blocks SET raw_bytes = raw_bytes + 2000000 WHERE id = $id',
  'full of items': 'UPDATE blocks SET span_count = 2500, live_count = 2500 WHERE id = $id',
  unreadable: `UPDATE blocks SET data = substr(data, 1, 3) WHERE id = $id`,
  'not waiting': 'DELETE FROM compaction_queue WHERE block_id = $id',
} as const;

/** Of each span and log record, where its original is; a block is swapped for others, and none is lost. */
async function findLost({ rows }: TestWriter): Promise<readonly unknown[]> {
  return [
    ...(await rows('SELECT id FROM spans WHERE id NOT IN (SELECT span_row_id FROM span_locations)')),
    ...(await rows('SELECT span_row_id FROM span_locations WHERE block_id NOT IN (SELECT id FROM blocks)')),
    ...(await rows('SELECT id FROM log_records WHERE block_id NOT IN (SELECT id FROM log_record_blocks)')),
  ];
}

it('ends with nothing that waits, and no step is without an effect', async () => {
  await fc.assert(
    fc.asyncProperty(state, async (begun) => {
      const store = await openTestWriter();
      try {
        await fill(store, begun);
        for (let steps = 0; ; steps++) {
          expect(steps).toBeLessThan(60);
          const [trace] = await findQuietTraces(store.db, store.dialect, Number.MAX_SAFE_INTEGER);
          if (trace === undefined) break;
          const plan = structuredClone(await planCompaction(store.db, store.dialect, trace));
          expect(await store.writer.compact([plan])).toEqual([true]);
        }
        expect(await store.rows('SELECT * FROM compaction_queue')).toEqual([]);
        expect(await findLost(store)).toEqual([]);
      } finally {
        await store.close();
      }
    }),
    { numRuns: runsOf(25) },
  );
}, 60_000);

it('comes to rest as a job, and stays there', async () => {
  const store = await openTestWriter();
  for (const [first, count] of [
    [1, 1000],
    [1001, 2000],
  ] as const) {
    const spans = Array.from({ length: count }, (_, place) => ({ traceId: traceId(1), spanId: spanId(first + place) }));
    await store.writer.write([spansOf(spans)]);
  }
  let plans = 0;
  const job = compactionJob({
    lastBlockId: () => readLastBlockId(store.db),
    findQuietTraces: (quiet) => findQuietTraces(store.db, store.dialect, quiet),
    plan: (trace) => {
      plans++;
      return planCompaction(store.db, store.dialect, trace);
    },
    swap: (swapped) => store.writer.compact(swapped),
    planSettling: (trace) => planSettling(store.db, trace),
    planDictionary: async () => undefined,
    addDictionary: async () => undefined,
    isBusy: () => false,
    onCompacted: () => undefined,
    onError: (error) => {
      throw error;
    },
    quietMs: 0,
    everyMs: 20,
  });
  await job.catchUp();
  expect(await store.rows('SELECT span_count FROM blocks')).toEqual([{ span_count: 3000 }]);
  for (let looks = 0; looks < 5; looks++) await job.catchUp();
  expect(plans).toBe(1);
  await job.stop();
});
