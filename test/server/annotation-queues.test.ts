/** Review queues over REST, with accounts; and the commands of docs/queues.md, word for word but for the address. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseGlobalId } from '#base/global-id';
import { addPerson, type JsonAnswer, sendJson, type TestPerson, WITH_PEOPLE } from '../harness/accounts.ts';
import { AS_ADMIN, makeSystemKey } from '../harness/asking-server.ts';
import { exportAll } from '../harness/otlp-client.ts';
import { spanId, traceId, traceRequest } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

const QUEUES = '/v1/annotation_queues';

let server: TestServer;
let ada: TestPerson;
let grace: TestPerson;
let viewer: TestPerson;

beforeAll(async () => {
  server = await startTestServer(WITH_PEOPLE);
  ada = await addPerson(server.url, 'ada', 'MEMBER');
  grace = await addPerson(server.url, 'grace', 'MEMBER');
  viewer = await addPerson(server.url, 'vera', 'VIEWER');
  const spans = [1, 2, 3].map((number) => ({ traceId: traceId(number), spanId: spanId(number) }));
  await exportAll(server.url, traceRequest(spans), { ...AS_ADMIN, 'x-project-name': 'default' });
});

afterAll(() => server[Symbol.asyncDispose]());

const send = (person: TestPerson, method: string, path: string, body?: unknown): Promise<JsonAnswer> =>
  sendJson(server.url, method, path, body, person.headers);

interface Item {
  readonly id: string;
}

/** The `data` of an answer. */
const dataOf = <Data>({ status, body }: JsonAnswer): Data => {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return (body as { readonly data: Data }).data;
};

async function newQueue(name: string, more = {}): Promise<string> {
  const queue = dataOf<{ id: string }>(await send(ada, 'POST', QUEUES, { name, rows: 'traces', ...more }));
  await fill(queue.id);
  return queue.id;
}

/** Puts all traces into it. */
async function fill(queueId: string): Promise<void> {
  await server.data.change(`INSERT INTO annotation_queue_items (queue_id, target, target_row_id, added_at_us)
    SELECT ${parseGlobalId('AnnotationQueue', queueId)}, 'trace', id, 1767225600000000 FROM traces ORDER BY id`);
}

describe('two people', () => {
  let queue: string;
  let count = 0;

  beforeEach(async () => {
    queue = `Queue ${++count}`;
    await newQueue(queue, { reviews_per_item: 2 });
  });

  const path = (rest: string) => `${QUEUES}/${encodeURIComponent(queue)}/items${rest}`;
  const hold = async (person: TestPerson) => dataOf<Item | null>(await send(person, 'POST', path('/hold'), {}));
  const review = (person: TestPerson, item: Item | null, outcome = 'completed') =>
    send(person, 'POST', path(`/${item?.id}/review`), { outcome });

  it('get different items, and each reviews all of them', async () => {
    const [first, second] = await Promise.all([hold(ada), hold(grace)]);
    expect(first?.id).not.toBe(second?.id);
    const seen: (string | undefined)[][] = [[], []];
    for (const [who, person] of [ada, grace].entries()) {
      for (let item = await hold(person); item !== null; item = dataOf<Item | null>(await review(person, item))) {
        seen[who]?.push(item.id);
      }
    }
    // Ada had to leave the one that Grace held.
    for (let item = await hold(ada); item !== null; item = dataOf<Item | null>(await review(ada, item))) {
      seen[0]?.push(item.id);
    }
    expect(new Set(seen[0]).size).toBe(3);
    expect(new Set(seen[1])).toEqual(new Set(seen[0]));
    expect(dataOf(await send(viewer, 'GET', `${QUEUES}/${encodeURIComponent(queue)}`))).toMatchObject({
      item_count: 3,
      done_count: 3,
      held_count: 0,
    });
    const [item] = dataOf<Item[]>(await send(viewer, 'GET', path('?state=done&limit=1')));
    expect(item).toMatchObject({
      state: 'done',
      target: { trace_id: traceId(1) },
      completed_count: 2,
      reviews: expect.arrayContaining([expect.objectContaining({ user_id: ada.id, outcome: 'completed' })]),
    });
  });

  it('learn who holds an item, and lose it when they take too long', async () => {
    const item = await hold(ada);
    expect(item).toMatchObject({ state: 'held', held_by_id: ada.id });
    const refused = await send(grace, 'POST', path('/hold'), { item_id: item?.id });
    expect(refused).toEqual({ status: 409, body: expect.stringMatching(/^ada holds this item until /) });
    await server.data.change('UPDATE annotation_queue_items SET held_until_us = 1 WHERE held_until_us > 0');
    expect(await hold(grace)).toMatchObject({ id: item?.id, held_by_id: grace.id });
    expect(await review(ada, item)).toEqual({ status: 409, body: expect.stringMatching(/Your hold is over/) });
    const released = await send(grace, 'POST', path(`/${item?.id}/release`), {});
    expect(dataOf(released)).toMatchObject({ id: item?.id, state: 'waiting', held_by_id: null });
  });

  it('are known by their accounts whatever holder they name, and stay counted without one', async () => {
    const held = await send(ada, 'POST', path('/hold'), { holder: 'browser-of-grace' });
    const item = dataOf<Item>(held);
    expect(item).toMatchObject({ held_by_id: ada.id });
    const third = await addPerson(server.url, `third-${count}`, 'MEMBER');
    await review(third, await hold(third));
    const gone = await sendJson(server.url, 'DELETE', `/v1/users/${third.id}`, undefined, AS_ADMIN);
    expect(gone.status).toBe(204);
    const reviewed = dataOf<{ reviews: object[] }[]>(await send(ada, 'GET', path(''))).filter(
      ({ reviews }) => reviews.length > 0,
    );
    expect(reviewed).toMatchObject([{ completed_count: 1, reviews: [{ user_id: null, outcome: 'completed' }] }]);
  });
});

it('viewers read queues and do nothing else', async () => {
  const id = await newQueue('Only read');
  expect((await send(viewer, 'GET', QUEUES)).status).toBe(200);
  for (const [method, path, body] of [
    ['POST', QUEUES, { name: 'x', rows: 'spans' }],
    ['PATCH', `${QUEUES}/${id}`, { name: 'x' }],
    ['POST', `${QUEUES}/${id}/items/hold`, {}],
    ['DELETE', `${QUEUES}/${id}`, undefined],
  ] as const) {
    expect((await send(viewer, method, path, body)).status).toBe(403);
  }
});

it('queues are listed page by page, changed and deleted', async () => {
  const id = await newQueue('Passing');
  const first = await send(ada, 'GET', `${QUEUES}?limit=1`);
  expect(first.body).toMatchObject({ data: [{ name: 'Passing' }], next_cursor: expect.any(String) });
  const { next_cursor: cursor } = first.body as { readonly next_cursor: string };
  expect((await send(ada, 'GET', `${QUEUES}?limit=1&cursor=${cursor}`)).body).not.toMatchObject({ data: [{ id }] });
  expect((await send(ada, 'GET', `${QUEUES}?cursor=nonsense`)).status).toBe(400);
  const items = dataOf<Item[]>(await send(ada, 'GET', `${QUEUES}/${id}/items`));
  const page = await send(ada, 'GET', `${QUEUES}/${id}/items?limit=2`);
  const { next_cursor: next } = page.body as { readonly next_cursor: string };
  expect(dataOf(await send(ada, 'GET', `${QUEUES}/${id}/items?limit=2&cursor=${next}`))).toEqual(items.slice(2));
  expect((await send(ada, 'DELETE', `${QUEUES}/${id}/items/${items[0]?.id}`)).status).toBe(204);
  const changed = await send(ada, 'PATCH', `${QUEUES}/${id}`, { description: 'short', hold_minutes: 5 });
  expect(dataOf(changed)).toMatchObject({ name: 'Passing', description: 'short', hold_minutes: 5, item_count: 2 });
  expect(await send(ada, 'PATCH', `${QUEUES}/${id}`, { hold_minutes: 500 })).toMatchObject({ status: 422 });
  expect(await send(ada, 'POST', QUEUES, { name: 'Passing', rows: 'spans' })).toMatchObject({ status: 409 });
  expect((await send(ada, 'DELETE', `${QUEUES}/Passing`)).status).toBe(204);
  expect((await send(ada, 'GET', `${QUEUES}/Passing`)).status).toBe(404);
});

describe.skipIf(spawnSync('curl', ['--version']).status !== 0)('the commands of docs/queues.md', () => {
  const document = readFileSync(new URL('../../docs/queues.md', import.meta.url), 'utf8');
  const blocks = [...document.matchAll(/```sh\n([^]*?)```/g)].map(([, text = '']) => text);

  it('create a queue, add a rule, review an item and read the progress', async () => {
    const { key } = await makeSystemKey(server.url);
    const run = async (block: string | undefined, itemId = '') => {
      const script = (block ?? '')
        .replaceAll('https://cairn.example.com', server.url)
        .replaceAll('curl ', 'curl -sS --fail-with-body ');
      const env = { PATH: process.env['PATH'], CAIRN_KEY: key, ITEM_ID: itemId };
      const { stdout } = await promisify(execFile)('sh', ['-ec', script], { env });
      return stdout;
    };
    const [create, rule, hold, review, progress] = blocks;
    const created = JSON.parse(await run(create)) as { data: Item };
    await fill(created.data.id);
    expect(JSON.parse(await run(rule))).toMatchObject({ data: { rules: [{ sample_percent: 10 }] } });
    const held = JSON.parse(await run(hold)) as { data: Item };
    const next = JSON.parse(await run(review, held.data.id)) as { data: Item };
    expect(next.data).toMatchObject({ state: 'held', target: { trace_id: traceId(2) } });
    expect(await run(progress)).toContain('"item_count":3');
    expect(blocks).toHaveLength(5);
  });
});
