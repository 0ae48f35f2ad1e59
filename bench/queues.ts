/**
 * `npm run bench:queues`: how long a reviewer waits for the next item of a queue of 200,000, of which half has had a review of theirs,
 * and for what a page shows of the queue. Prints a table.
 */
import { parseArgs } from 'node:util';
import { parseGlobalId } from '#base/global-id';
import { ensureBuilt } from '../scripts/bootstrap/build.mjs';
import { queryGraphql } from '../test/harness/graphql.ts';
import { exportAll } from '../test/harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../test/harness/otlp-json.ts';
import { startOnPostgres } from './on-postgres.ts';
import { startOnSqlite } from './on-sqlite.ts';
import { quantile } from './query/measure.ts';

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    items: { type: 'string', default: '200000' },
    times: { type: 'string', default: '200' },
  },
});

const [itemCount, times] = [Number(values.items), Number(values.times)];
const SPANS_OF_REQUEST = 5000;
const TARGET_MS = 50;
const ME = 'bench-browser';

/** Which items have a review of the caller, and when that was made. The search begins after the latest. */
const REVIEWED: Readonly<Record<string, { readonly which: string; readonly at: string }>> = {
  'the first half reviewed by me, in order': { which: `item.place * 2 <= ${itemCount}`, at: 'item.place' },
  'every second reviewed by me': { which: 'item.place % 2 = 1', at: 'item.place' },
  'the first half reviewed by me, the first again': {
    which: `item.place * 2 <= ${itemCount}`,
    at: '1000000 - item.place',
  },
};

/** What is held, to be given back between two times. */
let held: string | undefined;

ensureBuilt(process.execPath);
const start = values.engine === 'postgres' ? startOnPostgres : startOnSqlite;
const measured = await start({ base: undefined, nodeOptions: [] });
const url = measured.server.httpUrl;
try {
  for (let first = 0; first < itemCount; first += SPANS_OF_REQUEST) {
    const count = Math.min(SPANS_OF_REQUEST, itemCount - first);
    const spans = Array.from({ length: count }, (_, place) => ({
      traceId: traceId(first + place + 1),
      spanId: spanId(first + place + 1),
    }));
    await exportAll(url, traceRequest(spans));
  }
  const rows: (readonly [what: string, sample: readonly number[]])[] = [];
  for (const [what, reviewed] of Object.entries(REVIEWED)) {
    const queueId = await newQueue(what, reviewed);
    rows.push([`next item, ${what}`, await measure(() => takeNext(queueId))]);
    rows.push([`progress, ${what}`, await measure(() => readProgress(queueId))]);
  }
  console.log(`| ${values.engine}, ${itemCount} items | Target | p95 | Median | |\n| --- | ---: | ---: | ---: | --- |`);
  for (const [what, sample] of rows) {
    const [p95, median] = [quantile(sample, 0.95), quantile(sample, 0.5)];
    const verdict = p95 <= TARGET_MS ? 'met' : 'missed';
    console.log(`| ${what} | ${TARGET_MS} ms | ${p95.toFixed(1)} ms | ${median.toFixed(1)} ms | ${verdict} |`);
  }
} finally {
  await measured.server.stop();
  await measured.remove();
}

/** A queue that wants two reviews, so that one of the caller's leaves an item open; gives its id. */
async function newQueue(name: string, { which, at }: { readonly which: string; readonly at: string }): Promise<string> {
  const { createAnnotationQueue } = await queryGraphql<{ createAnnotationQueue: { id: string } }>(
    url,
    'mutation ($name: String!) { createAnnotationQueue(input: { name: $name, rows: TRACES, reviewsPerItem: 2, annotationConfigIds: [] }) { id } }',
    { name },
  );
  const { id } = createAnnotationQueue;
  const rowId = parseGlobalId('AnnotationQueue', id);
  await measured.change(`INSERT INTO annotation_queue_items (queue_id, target, target_row_id, completed_count, added_at_us)
    SELECT ${rowId}, 'trace', id, 0, 1 FROM traces ORDER BY id`);
  await measured.change(`INSERT INTO annotation_queue_reviews (item_id, reviewer, queue_id, outcome, at_us)
    SELECT item.id, 'browser:${ME}', ${rowId}, 'completed', ${at}
    FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM annotation_queue_items WHERE queue_id = ${rowId}) AS item
    WHERE ${which}`);
  return id;
}

/** Looks for it as a page does that was just opened. */
async function takeNext(queueId: string): Promise<void> {
  const { holdAnnotationQueueItem } = await queryGraphql<{ holdAnnotationQueueItem: { item: { id: string } } }>(
    url,
    `mutation ($queueId: ID!) { holdAnnotationQueueItem(queueId: $queueId, holder: "${ME}") { item { id } } }`,
    { queueId },
  );
  held = holdAnnotationQueueItem.item.id;
}

async function readProgress(queueId: string): Promise<void> {
  await queryGraphql(
    url,
    `query ($queueId: ID!) { node(id: $queueId) { ... on AnnotationQueue {
      progress { itemCount doneCount heldCount waitingForMeCount(holder: "${ME}") } } } }`,
    { queueId },
  );
}

/** Milliseconds of each time. */
async function measure(work: () => Promise<void>): Promise<readonly number[]> {
  const sample: number[] = [];
  for (let time = 0; time < times; time++) {
    const startedAt = performance.now();
    await work();
    sample.push(performance.now() - startedAt);
    await release();
  }
  return sample;
}

async function release(): Promise<void> {
  if (held === undefined) return;
  await queryGraphql(
    url,
    `mutation ($itemId: ID!) { releaseAnnotationQueueItem(itemId: $itemId, holder: "${ME}") { id } }`,
    { itemId: held },
  );
  held = undefined;
}
