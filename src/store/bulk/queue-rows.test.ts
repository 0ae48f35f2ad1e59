import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { isSampled, rankInSample } from '#domain/sample';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { addItems, readItems } from '../jobs/job-items.ts';
import { beginBulkAction } from './begin.ts';
import type { BulkAction, BulkRequest, BulkSample } from './bulk-action.ts';
import { type BulkStore, openBulkStore, runJob } from './bulk-store.fixture.ts';

/** Opens a store with a queue of spans, whose row id is 1, and so many spans more. */
async function openQueue(more = 0): Promise<BulkStore> {
  const bulk = await openBulkStore();
  await bulk.store.rows(sql`INSERT INTO annotation_queues (name, target, reviews_per_item, is_blind, hold_minutes, created_at_us, updated_at_us)
    VALUES ('queue', 'span', 1, 0, 15, 1, 1)`);
  const spans = Array.from({ length: more }, (_, place) => ({ traceId: traceId(50), spanId: spanId(100 + place) }));
  if (more > 0) await bulk.store.send(spans, 'app');
  return bulk;
}

async function queue(
  { store }: BulkStore,
  request: BulkRequest,
  sample: BulkSample | null = null,
  addedByRowId: number | null = 1,
): Promise<BulkAction> {
  const deed = { kind: 'queue', queueRowId: 1, sample, addedByRowId } as const;
  return (await store.writer.change((scope) => beginBulkAction(scope, request, deed, 10))).action;
}

const spanRowIds = async ({ store }: BulkStore) =>
  (await store.rows(sql`SELECT id FROM spans ORDER BY id`)).map(({ id }) => Number(id));
const queued = async ({ store }: BulkStore) =>
  (await store.rows(sql`SELECT target_row_id AS id FROM annotation_queue_items ORDER BY target_row_id`)).map(({ id }) =>
    Number(id),
  );

it('adds each row once, by the person who asked, and takes one that is there for done', async () => {
  const bulk = await openQueue();
  const { store, projectRowId } = bulk;
  const [first = 0, second = 0] = await spanRowIds(bulk);
  const ask = (rowIds: readonly number[]) => queue(bulk, { projectRowId, rows: 'span', chosen: { rowIds } });
  expect(await ask([first])).toMatchObject({ state: 'done', doneCount: 1 });
  expect(await ask([first, second, 999])).toMatchObject({ totalCount: 3, doneCount: 2, goneCount: 1 });
  expect(
    await store.rows(
      sql`SELECT queue_id, target, target_row_id, is_done, added_by_id, added_at_us FROM annotation_queue_items ORDER BY id`,
    ),
  ).toEqual(
    [first, second].map((id) => ({
      queue_id: 1,
      target: 'span',
      target_row_id: id,
      is_done: 0,
      added_by_id: 1,
      added_at_us: 10,
    })),
  );
});

it('refuses rows of another kind, and a queue that is gone', async () => {
  const bulk = await openQueue();
  const { store, projectRowId } = bulk;
  const everything = { projectRowId, rows: 'span', chosen: { matching: bulk.everything } } as const;
  await expect(queue(bulk, { ...everything, rows: 'trace' })).rejects.toThrow(
    'This queue holds spans. You cannot add traces to it.',
  );
  const begun = await queue(bulk, everything);
  await store.rows(sql`DELETE FROM annotation_queues`);
  await expect(queue(bulk, everything)).rejects.toThrow('There is no such queue.');
  expect(await runJob(bulk, begun.rowId)).toMatchObject({ state: 'failed', error: 'There is no such queue.' });
});

it('goes on without the name of an account that was deleted', async () => {
  const bulk = await openQueue();
  const begun = await queue(bulk, {
    projectRowId: bulk.projectRowId,
    rows: 'span',
    chosen: { matching: bulk.everything },
  });
  await bulk.store.rows(sql`DELETE FROM users WHERE id = 1`);
  expect(await runJob(bulk, begun.rowId)).toMatchObject({ state: 'done', doneCount: 3 });
  expect(await bulk.store.rows(sql`SELECT DISTINCT added_by_id FROM annotation_queue_items`)).toEqual([
    { added_by_id: null },
  ]);
});

it('adds a share of the rows, the same one by ids and by a job', async () => {
  const bulk = await openQueue(200);
  const { projectRowId } = bulk;
  const all = await spanRowIds(bulk);
  const wanted = all.filter((rowId) => isSampled(1, rowId, 25));
  expect(wanted.length).toBeGreaterThan(20);
  const everything = { projectRowId, rows: 'span', chosen: { matching: bulk.everything } } as const;
  const begun = await queue(bulk, everything, { percent: 25 });
  expect(await runJob(bulk, begun.rowId)).toMatchObject({
    state: 'done',
    totalCount: wanted.length,
    doneCount: wanted.length,
  });
  expect(await queued(bulk)).toEqual(wanted);
  await bulk.store.rows(sql`DELETE FROM annotation_queue_items`);
  expect(await queue(bulk, { projectRowId, rows: 'span', chosen: { rowIds: all } }, { percent: 25 })).toMatchObject({
    state: 'done',
    totalCount: wanted.length,
  });
  expect(await queued(bulk)).toEqual(wanted);
});

it('adds the rows of the lowest ranks where a number is asked for, by ids and by a job', async () => {
  const bulk = await openQueue(200);
  const { projectRowId } = bulk;
  const all = await spanRowIds(bulk);
  const rank = (rowId: number) => rankInSample(1, rowId);
  const wanted = all
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, 7)
    .toSorted((a, b) => a - b);
  const everything = { projectRowId, rows: 'span', chosen: { matching: bulk.everything } } as const;
  const begun = await queue(bulk, everything, { count: 7 });
  const noted = await bulk.act(begun.rowId, 9);
  expect(noted).toMatchObject({ notedCount: 203, totalCount: null });
  expect(await runJob(bulk, begun.rowId)).toMatchObject({ state: 'done', totalCount: 7, notedCount: 7, doneCount: 7 });
  expect(await queued(bulk)).toEqual(wanted);
  await bulk.store.rows(sql`DELETE FROM annotation_queue_items`);
  await queue(bulk, { projectRowId, rows: 'span', chosen: { rowIds: all } }, { count: 7 });
  expect(await queued(bulk)).toEqual(wanted);
  const more = await queue(bulk, everything, { count: 1000 });
  expect(await runJob(bulk, more.rowId)).toMatchObject({ totalCount: 203, doneCount: 203 });
});

it('takes a sample of many rows in steps, each of which holds once', async () => {
  const bulk = await openQueue();
  const { store, projectRowId } = bulk;
  const begun = await queue(bulk, { projectRowId, rows: 'span', chosen: { matching: bulk.everything } }, { count: 2 });
  const rowIds = Array.from({ length: 12_000 }, (_, place) => 1000 + place);
  // As if the reader had found them.
  await store.writer.change((scope) => addItems(scope, begun.rowId, rowIds));
  await store.rows(
    sql`UPDATE jobs SET progress = ${JSON.stringify({
      phase: 'sampling',
      after: null,
      notedCount: rowIds.length,
      doneCount: 0,
      goneCount: 0,
      refusedCount: 0,
    })} WHERE id = ${begun.rowId}`,
  );
  const lowest = rowIds.toSorted((a, b) => rankInSample(1, a) - rankInSample(1, b)).slice(0, 2);
  for (let looked = 2000; looked <= rowIds.length; looked += 2000) {
    const kept = lowest.filter((rowId) => rowId < 1000 + looked).length;
    expect((await bulk.act(begun.rowId, 9)).notedCount).toBe(rowIds.length - looked + kept);
  }
  expect(await bulk.act(begun.rowId, 9)).toMatchObject({ totalCount: 2, doneCount: 0 });
  expect(await readItems(store, begun.rowId, 9)).toEqual(lowest.toSorted((a, b) => a - b));
  expect(await bulk.act(begun.rowId, 9)).toMatchObject({ goneCount: 2, totalCount: 2 });
});
