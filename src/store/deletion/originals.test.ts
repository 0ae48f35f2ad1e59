import { expect, it } from 'vitest';
import { spanId, TEST_START_US, traceId } from '../../../test/harness/otlp-json.ts';
import { planCompaction } from '../compaction/plan.ts';
import { findQuietTraces } from '../compaction/queue.ts';
import { recordsOf } from '../logs/write/open-writer.fixture.ts';
import { type DeletionStore, findLeftovers, openDeletionStore, readEverything } from './deletion.fixture.ts';

const SECRET = 'the words of the deleted span';

function spanOf(number: number, parent: number | null) {
  return {
    spanId: spanId(number),
    ...(parent !== null && { parentSpanId: spanId(parent) }),
    startUs: TEST_START_US + number,
    attributes: { 'input.value': number === 2 ? SECRET : `words of ${number}` },
  };
}

const SPANS = [spanOf(1, null), spanOf(2, 1), spanOf(3, 2)];

async function compact({ db, dialect, writer }: DeletionStore): Promise<void> {
  for (const trace of await findQuietTraces(db, dialect, 1_000_000)) {
    await writer.compact([await planCompaction(db, dialect, trace)]);
  }
}

it('takes a span out of the block that it shared with others, whose bytes stay as they were', async () => {
  const store = await openDeletionStore();
  await store.send(SPANS);
  await compact(store);
  const [before] = await store.rows('SELECT raw_bytes FROM blocks');
  await store.remover.deleteSpan(await store.spanRowId(spanId(2)));
  expect(await store.rows('SELECT live_count, span_count FROM blocks')).toEqual([{ live_count: 2, span_count: 3 }]);
  await compact(store);
  expect(await store.rows('SELECT live_count, span_count FROM blocks')).toEqual([{ live_count: 2, span_count: 2 }]);
  expect((await store.rows('SELECT raw_bytes FROM blocks'))[0]?.['raw_bytes']).toBeLessThan(
    Number(before?.['raw_bytes']),
  );
  const fresh = await openDeletionStore();
  await fresh.send(SPANS.filter((span) => span.spanId !== spanId(2)));
  expect(await readEverything(store)).toEqual(await readEverything(fresh));
  const original = await store.store.readTraceOriginal({ otelId: traceId(1) }, 'json');
  expect(Buffer.from(original?.body ?? []).toString()).not.toContain(SECRET);
  expect(await findLeftovers(store)).toEqual([]);
});

it('leaves nothing for compaction of what is erased', async () => {
  const store = await openDeletionStore();
  await store.send(SPANS);
  await store.send([{ ...spanOf(4, null), traceId: traceId(2) }]);
  const plan = await planCompaction(store.db, store.dialect, await store.traceRowId(traceId(1)));
  await store.remover.deleteTraces(1, { traceRowIds: [await store.traceRowId(traceId(1))] });
  await store.remover.finished();
  await store.writer.compact([plan]);
  expect(await findQuietTraces(store.db, store.dialect, 1_000_000)).toEqual([await store.traceRowId(traceId(2))]);
  expect(await findLeftovers(store)).toEqual([]);
});

it('takes log records along, however many they are, and none of other spans', async () => {
  const store = await openDeletionStore();
  await store.send(SPANS, 'app');
  await store.send([{ ...spanOf(4, null), traceId: traceId(2) }], 'app');
  const records = (span: number, count: number, trace = 1) =>
    recordsOf(
      Array.from({ length: count }, (_, number) => ({
        traceId: traceId(trace),
        spanId: spanId(span),
        eventName: 'gen_ai.choice',
        timeUs: TEST_START_US + number,
        body: `${span} ${number}`,
      })),
      {},
      'app',
    );
  for (const request of [records(2, 700), records(3, 2), records(77, 450), records(4, 1, 2)]) {
    await store.writer.write([request]);
  }
  const attached = () =>
    store.rows('SELECT span_id, count(*) AS count FROM log_records GROUP BY span_id ORDER BY span_id');
  await store.remover.deleteSpan(await store.spanRowId(spanId(2)));
  expect(await attached()).toEqual([
    { span_id: spanId(3), count: 2 },
    { span_id: spanId(4), count: 1 },
    { span_id: spanId(77), count: 450 },
  ]);
  await store.remover.deleteTraces(await store.projectRowId('app'), {
    traceRowIds: [await store.traceRowId(traceId(1))],
  });
  await store.remover.finished();
  expect(await attached()).toEqual([{ span_id: spanId(4), count: 1 }]);
  expect(await findLeftovers(store)).toEqual([]);
});

it('keeps log records that came under a deleted project and belong to a trace of another', async () => {
  const store = await openDeletionStore();
  await store.send([{ ...spanOf(9, null), traceId: traceId(9) }], 'gone');
  await store.writer.write([
    recordsOf([{ traceId: traceId(1), spanId: spanId(1), eventName: 'gen_ai.choice' }], {}, 'gone'),
    recordsOf([{ traceId: traceId(1), spanId: spanId(77), eventName: 'gen_ai.choice' }], {}, 'gone'),
    recordsOf([{ eventName: 'gen_ai.choice', body: 'of no trace' }], {}, 'gone'),
  ]);
  await store.send(SPANS, 'kept');
  await store.remover.deleteProject(await store.projectRowId('gone'));
  await store.remover.finished();
  expect((await readEverything(store)).records).toMatchObject([
    { span_id: expect.any(String) },
    { span_id: expect.any(String) },
  ]);
  const [unattached] = await store.rows('SELECT project_id FROM log_records WHERE span_row_id IS NULL');
  expect(unattached).toEqual({ project_id: await store.projectRowId('kept') });
});
