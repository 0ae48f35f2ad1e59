import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppError } from '#base/errors';
import { stateOfItem } from '#domain/annotation-queue';
import { ANONYMOUS, type Caller } from '#domain/caller';
import { keyCaller, systemKeyCaller, userCaller } from '#domain/callers.fixture';
import { queueHooks } from '#store/annotations/write/queue-hooks';
import type { CommandCalls } from '#store/commands/command';
import { remoteCommands } from '#store/commands/remote-commands';
import { runCommandsOn } from '#store/commands/run-commands.fixture';
import { RandomStore } from '#store/random-store.fixture';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { type AnnotationQueueCommands, annotationQueueCommands, type NewQueue } from './commands.ts';
import type { HeldItem } from './commands/reviewing.ts';
import { deleteQueue } from './operations.ts';
import { annotationQueuePolicy } from './policy.ts';
import {
  countReviewedOpen,
  findConfigsOfQueues,
  findItems,
  findProgress,
  findQueues,
  findReviewersOfQueues,
  findReviewsOfItems,
  findRulesOfQueues,
  listItems,
} from './queries.ts';

const ADA = userCaller('member', 1);
const GRACE = userCaller('member', 2);
const MINUTE_MS = 60_000;

let store: RandomStore;
let commands: CommandCalls<AnnotationQueueCommands>;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 5, 1) });
  store = await RandomStore.open({ hooks: [queueHooks] });
  commands = remoteCommands(annotationQueuePolicy, runCommandsOn(store.memory, [annotationQueueCommands]));
  for (const name of ['ada', 'grace']) {
    await store.memory.exec(
      `INSERT INTO users (username, email, role, auth_method, oauth2_client_id, created_at_us, updated_at_us)
       VALUES ('${name}', '${name}@example.com', 'MEMBER', 'OAUTH2', 'x', 1, 1)`,
    );
  }
});

afterEach(() => vi.useRealTimers());

const QUEUE: NewQueue = {
  name: 'Tone',
  description: null,
  instructions: null,
  target: 'trace',
  reviewsPerItem: 1,
  isBlind: false,
  holdMinutes: 15,
  configRowIds: [],
};

const create = (more: Partial<NewQueue> = {}, caller: Caller = ADA) => commands.create(caller, { ...QUEUE, ...more });

/** A queue of so many traces; gives its row id and those of its items, in their order. */
async function queueOf(count: number, more: Partial<NewQueue> = {}) {
  const queue = await create(more);
  for (let number = 1; number <= count; number++) {
    await store.send(
      [{ traceId: traceId(number), spanId: spanId(number), attributes: { 'session.id': 'chat' } }],
      'app',
    );
    await add(queue.rowId, 'trace', await store.traceRowId(traceId(number)));
  }
  const items = await listItems(store.scope, { queueRowId: queue.rowId, afterRowId: 0, limit: 1000 }, 0);
  return { queueRowId: queue.rowId, items: items.map(({ rowId }) => rowId) };
}

async function add(queueRowId: number, target: NewQueue['target'], targetRowId: number): Promise<void> {
  await store.memory.db
    .insertInto('annotation_queue_items')
    .values({ queue_id: queueRowId, target, target_row_id: targetRowId, added_at_us: 1 })
    .execute();
}

const hold = (caller: Caller, queueRowId: number, itemRowId: number | null = null, holder: string | null = null) =>
  commands.hold(caller, { queueRowId, itemRowId, holder });
const review = (caller: Caller, itemRowId: number, outcome: 'completed' | 'skipped' = 'completed') =>
  commands.review(caller, { itemRowId, outcome, holder: null });
const itemOf = async (held: Promise<HeldItem>) => (await held).itemRowId;
const pass = (minutes: number) => vi.setSystemTime(Date.now() + minutes * MINUTE_MS);
const nowUs = () => Date.now() * 1000;
const refused = (code: AppError['code'], message: RegExp = /./) => ({ code, message: expect.stringMatching(message) });

async function stateOf(rowId: number | undefined) {
  const item = (await findItems(store.scope, [rowId ?? 0])).get(rowId ?? 0);
  return item && { state: stateOfItem(item, nowUs()), completed: item.completedCount };
}

async function progressOf(queueRowId: number) {
  const { itemCount, doneCount, heldCount } = (await findProgress(store.scope, [queueRowId], nowUs())).get(
    queueRowId,
  ) ?? { itemCount: 0, doneCount: 0, heldCount: 0 };
  return { itemCount, doneCount, heldCount };
}

describe('a queue', () => {
  it('is created with what it asks, in its order', async () => {
    const created: number[] = [];
    for (const name of ['tone', 'correct', 'length']) {
      const query = store.memory.db.insertInto('annotation_configs').values({ name, kind: 'FREEFORM', content: '{}' });
      created.push((await query.returning('id').executeTakeFirstOrThrow()).id);
    }
    const asked = [created[2] ?? 0, created[0] ?? 0];
    const { rowId } = await create({ name: ' Tone ', instructions: ' Be **fair**. ', configRowIds: asked });
    expect((await findQueues(store.scope, [rowId])).get(rowId)).toMatchObject({
      name: 'Tone',
      instructions: 'Be **fair**.',
      target: 'trace',
      createdByRowId: 1,
      createdAtUs: nowUs(),
    });
    const namesOf = async () =>
      (await findConfigsOfQueues(store.scope, [rowId])).get(rowId)?.map(({ name }) => name) ?? [];
    expect(await namesOf()).toEqual(['length', 'tone']);
    await commands.patch(ADA, { rowId, content: {}, configRowIds: created });
    expect(await namesOf()).toEqual(['tone', 'correct', 'length']);
    await store.memory.exec(`DELETE FROM annotation_configs WHERE id = ${created[1]}`);
    expect(await namesOf()).toEqual(['tone', 'length']);
    await expect(create({ name: 'other', configRowIds: [9999] })).rejects.toMatchObject(refused('not_found'));
    await expect(create({ name: 'other', configRowIds: [1, 1] })).rejects.toMatchObject(refused('invalid_argument'));
    const many = Array.from({ length: 51 }, (_, place) => place + 1);
    await expect(create({ name: 'other', configRowIds: many })).rejects.toMatchObject(
      refused('invalid_argument', /50/),
    );
  });

  it.each<[string, Partial<NewQueue>]>([
    ['no name', { name: ' ' }],
    ['a long name', { name: 'x'.repeat(201) }],
    ['a name with a direction mark', { name: 'a\u202Eb' }],
    ['long instructions', { instructions: 'x'.repeat(20_001) }],
    ['a control character', { instructions: 'a\u0000b' }],
    ['no reviews', { reviewsPerItem: 0 }],
    ['six reviews', { reviewsPerItem: 6 }],
    ['half a review', { reviewsPerItem: 1.5 }],
    ['no time', { holdMinutes: 0 }],
    ['more than four hours', { holdMinutes: 241 }],
  ])('is refused with %s', async (_what, more) => {
    await expect(create(more)).rejects.toMatchObject(refused('invalid_argument'));
  });

  it('has a name of its own', async () => {
    const { rowId } = await create();
    await create({ name: 'Other' });
    await expect(create()).rejects.toMatchObject(refused('already_exists', /named Tone/));
    await expect(commands.patch(ADA, { rowId, content: { name: 'Other' } })).rejects.toMatchObject(
      refused('already_exists'),
    );
    await commands.patch(ADA, { rowId, content: { name: 'Tone', isBlind: true } });
    expect((await findQueues(store.scope, [rowId])).get(rowId)).toMatchObject({ name: 'Tone', isBlind: true });
  });

  it('is changed by those who may write alone', async () => {
    const { rowId } = await create();
    const viewer = userCaller('viewer', 2);
    const limited = keyCaller('member', { operations: null, projects: [{ rowId: 1, name: 'app' }] });
    for (const caller of [viewer, limited]) {
      await expect(create({ name: 'x' }, caller)).rejects.toMatchObject(refused('permission_denied'));
      await expect(hold(caller, rowId)).rejects.toMatchObject(refused('permission_denied'));
      await expect(commands.delete(caller, rowId)).rejects.toMatchObject(refused('permission_denied'));
    }
  });

  it('goes with its items, reviews and rules', async () => {
    const { queueRowId, items } = await queueOf(3);
    await hold(ADA, queueRowId);
    await review(ADA, items[0] ?? 0);
    await deleteQueue(ADA, commands, queueRowId);
    for (const table of ['annotation_queues', 'annotation_queue_items', 'annotation_queue_reviews']) {
      expect(await store.rows(`SELECT * FROM ${table}`)).toEqual([]);
    }
    await expect(deleteQueue(ADA, commands, queueRowId)).rejects.toMatchObject(refused('not_found'));
    await expect(commands.patch(ADA, { rowId: queueRowId, content: {} })).rejects.toMatchObject(refused('not_found'));
    await expect(hold(ADA, queueRowId)).rejects.toMatchObject(refused('not_found'));
  });

  it('decides again what is done when it wants more or fewer reviews', async () => {
    const { queueRowId, items } = await queueOf(2);
    await hold(ADA, queueRowId);
    await review(ADA, items[0] ?? 0);
    expect(await progressOf(queueRowId)).toMatchObject({ itemCount: 2, doneCount: 1 });
    const ownOpen = () => countReviewedOpen(store.scope, [queueRowId], 'user:1');
    expect(await ownOpen()).toEqual(new Map());
    await commands.patch(ADA, { rowId: queueRowId, content: { reviewsPerItem: 2 } });
    expect(await progressOf(queueRowId)).toMatchObject({ itemCount: 2, doneCount: 0 });
    expect(await ownOpen()).toEqual(new Map([[queueRowId, 1]]));
    await commands.patch(ADA, { rowId: queueRowId, content: { reviewsPerItem: 1 } });
    expect(await progressOf(queueRowId)).toMatchObject({ itemCount: 2, doneCount: 1 });
    expect(await ownOpen()).toEqual(new Map());
  });
});

describe('the next item', () => {
  it('is the first that nobody else holds, and the same until it is reviewed', async () => {
    const { queueRowId, items } = await queueOf(3);
    expect(await itemOf(hold(ADA, queueRowId))).toBe(items[0]);
    expect(await itemOf(hold(ADA, queueRowId))).toBe(items[0]);
    expect(await itemOf(hold(GRACE, queueRowId))).toBe(items[1]);
    expect(await progressOf(queueRowId)).toEqual({ itemCount: 3, doneCount: 0, heldCount: 2 });
    expect(await itemOf(review(ADA, items[0] ?? 0))).toBe(items[2]);
    expect(await itemOf(review(GRACE, items[1] ?? 0))).toBeNull();
    expect(await itemOf(review(ADA, items[2] ?? 0))).toBeNull();
    expect(await progressOf(queueRowId)).toEqual({ itemCount: 3, doneCount: 3, heldCount: 0 });
  });

  it('comes after the last one, and then from the start', async () => {
    const { queueRowId, items } = await queueOf(4);
    await hold(ADA, queueRowId, items[2]);
    expect(await itemOf(review(ADA, items[2] ?? 0))).toBe(items[3]);
    await commands.release(ADA, { itemRowId: items[3] ?? 0, holder: null });
    pass(1);
    // A reload: after the one that was reviewed last.
    expect(await itemOf(hold(ADA, queueRowId))).toBe(items[3]);
    expect(await itemOf(review(ADA, items[3] ?? 0, 'skipped'))).toBe(items[0]);
    expect(await itemOf(review(ADA, items[0] ?? 0))).toBe(items[1]);
    expect(await itemOf(review(ADA, items[1] ?? 0))).toBeNull();
    expect(await itemOf(hold(GRACE, queueRowId))).toBe(items[3]);
  });

  it('is free again when a hold is over or was ended', async () => {
    const { queueRowId, items } = await queueOf(1, { holdMinutes: 2 });
    await hold(ADA, queueRowId);
    expect(await itemOf(hold(GRACE, queueRowId))).toBeNull();
    pass(2);
    expect(await stateOf(items[0])).toMatchObject({ state: 'waiting' });
    expect(await itemOf(hold(GRACE, queueRowId))).toBe(items[0]);
    await commands.release(ADA, { itemRowId: items[0] ?? 0, holder: null });
    expect(await stateOf(items[0])).toMatchObject({ state: 'held' });
    await commands.release(GRACE, { itemRowId: items[0] ?? 0, holder: null });
    expect(await stateOf(items[0])).toMatchObject({ state: 'waiting' });
    expect(await itemOf(hold(ADA, queueRowId))).toBe(items[0]);
  });

  it('is found among many that are held or hidden', async () => {
    const { queueRowId } = await queueOf(1);
    const [first] = await store.rows('SELECT id FROM traces');
    await store.memory.exec('DELETE FROM annotation_queue_items');
    for (let row = 1; row <= 120; row++) await add(queueRowId, 'trace', 1_000_000 + row);
    await add(queueRowId, 'trace', Number(first?.['id']));
    const found = await itemOf(hold(ADA, queueRowId));
    expect(await store.rows(`SELECT target_row_id FROM annotation_queue_items WHERE id = ${found}`)).toEqual([
      { target_row_id: first?.['id'] },
    ]);
  });

  it('is not one whose row was deleted', async () => {
    const { queueRowId, items } = await queueOf(2);
    const project = await store.projectRowId('app');
    const traceRowId = await store.traceRowId(traceId(1));
    await hold(ADA, queueRowId);
    await store.deleteTraces(project ?? 0, { traceRowIds: [traceRowId] });
    expect(await itemOf(hold(ADA, queueRowId))).toBe(items[1]);
    await expect(hold(ADA, queueRowId, items[0])).rejects.toMatchObject(refused('not_found', /deleted/));
  });
});

describe('an item', () => {
  it('is refused to others while it is held', async () => {
    const { queueRowId, items } = await queueOf(1);
    await hold(ADA, queueRowId);
    await expect(hold(GRACE, queueRowId, items[0])).rejects.toMatchObject(
      refused('failed_precondition', /^ada holds this item until 2026-06-01T00:15:00.000Z\./),
    );
    await expect(review(GRACE, items[0] ?? 0)).rejects.toMatchObject(refused('failed_precondition', /ada holds/));
    const other = await create({ name: 'other' });
    await expect(hold(ADA, other.rowId, items[0])).rejects.toMatchObject(refused('not_found'));
    await expect(review(ADA, 9999)).rejects.toMatchObject(refused('not_found'));
  });

  it('is held for longer by asking again', async () => {
    const { queueRowId, items } = await queueOf(1);
    await hold(ADA, queueRowId);
    pass(10);
    await hold(ADA, queueRowId, items[0]);
    pass(10);
    expect(await itemOf(hold(GRACE, queueRowId))).toBeNull();
  });

  it('is not reviewed by somebody who has lost it', async () => {
    const { queueRowId, items } = await queueOf(1);
    await hold(ADA, queueRowId);
    pass(16);
    await hold(GRACE, queueRowId);
    await expect(review(ADA, items[0] ?? 0)).rejects.toMatchObject(
      refused('failed_precondition', /grace holds this item until .* Your hold is over/),
    );
    await commands.release(GRACE, { itemRowId: items[0] ?? 0, holder: null });
    await expect(review(ADA, items[0] ?? 0)).rejects.toMatchObject(
      refused('failed_precondition', /You do not hold this item/),
    );
  });

  it('is reviewed after the hold is over where nobody else took it', async () => {
    const { queueRowId, items } = await queueOf(1);
    await hold(ADA, queueRowId);
    pass(60);
    await review(ADA, items[0] ?? 0);
    expect(await stateOf(items[0])).toEqual({ state: 'done', completed: 1 });
  });

  it('that is done is opened again by those alone who have reviewed it', async () => {
    const { queueRowId, items } = await queueOf(1);
    await hold(ADA, queueRowId);
    pass(60);
    await hold(GRACE, queueRowId, items[0]);
    await review(GRACE, items[0] ?? 0);
    await expect(hold(ADA, queueRowId, items[0])).rejects.toMatchObject(
      refused('failed_precondition', /has all the reviews that it needs/),
    );
    expect((await hold(GRACE, queueRowId, items[0])).itemRowId).toBe(items[0]);
    expect(await stateOf(items[0])).toEqual({ state: 'done', completed: 1 });
  });

  it('counts a review once, however often it is said', async () => {
    const { queueRowId, items } = await queueOf(2, { reviewsPerItem: 2 });
    await hold(ADA, queueRowId);
    const [once, twice] = [await review(ADA, items[0] ?? 0), await review(ADA, items[0] ?? 0)];
    expect([once, twice]).toEqual([once, once]);
    expect(await stateOf(items[0])).toEqual({ state: 'waiting', completed: 1 });
    await hold(ADA, queueRowId, items[0]);
    await review(ADA, items[0] ?? 0);
    expect(await stateOf(items[0])).toEqual({ state: 'waiting', completed: 1 });
    await hold(GRACE, queueRowId, items[0]);
    await review(GRACE, items[0] ?? 0);
    expect(await stateOf(items[0])).toEqual({ state: 'done', completed: 2 });
  });

  it('is left to others when it is skipped, until it is opened again', async () => {
    const { queueRowId, items } = await queueOf(1);
    await hold(ADA, queueRowId);
    expect(await itemOf(review(ADA, items[0] ?? 0, 'skipped'))).toBeNull();
    expect(await countReviewedOpen(store.scope, [queueRowId], 'user:1')).toEqual(new Map([[queueRowId, 1]]));
    expect(await itemOf(hold(ADA, queueRowId))).toBeNull();
    await hold(ADA, queueRowId, items[0]);
    await review(ADA, items[0] ?? 0);
    expect(await stateOf(items[0])).toEqual({ state: 'done', completed: 1 });
    await hold(ADA, queueRowId, items[0]);
    await review(ADA, items[0] ?? 0, 'skipped');
    expect(await stateOf(items[0])).toEqual({ state: 'waiting', completed: 0 });
  });

  it('is held by browsers while authentication is off', async () => {
    const { queueRowId, items } = await queueOf(2);
    expect(await itemOf(hold(ANONYMOUS, queueRowId, null, 'browser-1'))).toBe(items[0]);
    expect(await itemOf(hold(ANONYMOUS, queueRowId, null, 'browser-2'))).toBe(items[1]);
    await expect(hold(ANONYMOUS, queueRowId, items[0], 'browser-2')).rejects.toMatchObject(
      refused('failed_precondition', /^Another reviewer holds/),
    );
    await expect(hold(ANONYMOUS, queueRowId, null, null)).rejects.toMatchObject(refused('failed_precondition'));
    for (const holder of ['short', 'x'.repeat(65), 'with spaces in it']) {
      await expect(hold(ANONYMOUS, queueRowId, null, holder)).rejects.toMatchObject(refused('invalid_argument'));
    }
    expect(await itemOf(hold(systemKeyCaller(), queueRowId))).toBeNull();
  });

  it('is removed with its reviews', async () => {
    const { queueRowId, items } = await queueOf(2);
    await hold(ADA, queueRowId);
    await review(ADA, items[0] ?? 0);
    const remove = (itemRowIds: readonly number[]) => commands.removeItems(ADA, { queueRowId, itemRowIds });
    await expect(remove([])).rejects.toMatchObject(refused('invalid_argument'));
    await expect(remove(Array.from({ length: 1001 }, (_, place) => place))).rejects.toMatchObject(
      refused('invalid_argument'),
    );
    await expect(remove([items[0] ?? 0, 9999])).rejects.toMatchObject(refused('not_found'));
    expect(await progressOf(queueRowId)).toMatchObject({ itemCount: 2 });
    await remove([items[0] ?? 0]);
    expect(await progressOf(queueRowId)).toMatchObject({ itemCount: 1, doneCount: 0 });
    expect(await store.rows('SELECT * FROM annotation_queue_reviews')).toEqual([]);
  });
});

describe('reviews', () => {
  it('stay counted when an account is deleted', async () => {
    const { queueRowId, items } = await queueOf(3, { reviewsPerItem: 2 });
    await hold(ADA, queueRowId);
    await review(ADA, items[0] ?? 0);
    await review(ADA, items[1] ?? 0, 'skipped');
    pass(1);
    await hold(GRACE, queueRowId);
    await review(GRACE, items[0] ?? 0);
    await store.memory.exec('DELETE FROM users WHERE id = 1');
    expect(await stateOf(items[0])).toEqual({ state: 'done', completed: 2 });
    expect((await findReviewersOfQueues(store.scope, [queueRowId])).get(queueRowId)).toEqual([
      { queueRowId, userRowId: 1, completedCount: 1, skippedCount: 1, lastAtUs: nowUs() - MINUTE_MS * 1000 },
      { queueRowId, userRowId: 2, completedCount: 1, skippedCount: 0, lastAtUs: nowUs() },
    ]);
    const reviews = (await findReviewsOfItems(store.scope, [items[0] ?? 0])).get(items[0] ?? 0);
    expect(reviews?.map(({ userRowId }) => userRowId)).toEqual([null, 2]);
    await expect(hold(ADA, queueRowId)).rejects.toMatchObject(refused('unauthenticated'));
  });
});

describe('items', () => {
  it('go with their rows', async () => {
    const { queueRowId } = await queueOf(2);
    const spans = await create({ name: 'spans', target: 'span' });
    const sessions = await create({ name: 'sessions', target: 'session' });
    await add(spans.rowId, 'span', await store.spanRowId(traceId(1), spanId(1)));
    const [session] = await store.rows('SELECT id FROM sessions');
    await add(sessions.rowId, 'session', Number(session?.['id']));
    await store.deleteTraces((await store.projectRowId('app')) ?? 0, {
      traceRowIds: [await store.traceRowId(traceId(1))],
    });
    await store.settle();
    const counts = async () =>
      Promise.all([queueRowId, spans.rowId, sessions.rowId].map(async (rowId) => (await progressOf(rowId)).itemCount));
    expect(await counts()).toEqual([1, 0, 1]);
    await store.deleteTraces((await store.projectRowId('app')) ?? 0, {
      traceRowIds: [await store.traceRowId(traceId(2))],
    });
    await store.settle();
    expect(await counts()).toEqual([0, 0, 0]);
  });

  it('follow a session that joins another, once in each queue', async () => {
    const queues = [
      await create({ name: 'first', target: 'session' }),
      await create({ name: 'both', target: 'session' }),
    ];
    await store.send([{ traceId: traceId(1), spanId: spanId(1), attributes: { 'session.id': 'chat' } }], 'app');
    await store.send([{ traceId: traceId(2), spanId: spanId(2), attributes: { 'session.id': 'chat' } }], 'shop');
    const sessions = (await store.rows('SELECT id FROM sessions ORDER BY id')).map((row) => Number(row['id']));
    for (const { rowId } of queues) await add(rowId, 'session', sessions[0] ?? 0);
    await add(queues[1]?.rowId ?? 0, 'session', sessions[1] ?? 0);
    await store.moveTrace(await store.traceRowId(traceId(1)), (await store.projectRowId('shop')) ?? 0);
    await store.settle();
    expect(await store.rows('SELECT queue_id, target_row_id FROM annotation_queue_items ORDER BY queue_id')).toEqual(
      queues.map(({ rowId }) => ({ queue_id: rowId, target_row_id: sessions[1] })),
    );
  });

  it('are listed by their state', async () => {
    const { queueRowId, items } = await queueOf(5);
    await hold(ADA, queueRowId);
    await review(ADA, items[0] ?? 0);
    const list = async (state: 'waiting' | 'held' | 'done' | undefined, afterRowId = 0, limit = 10) =>
      (await listItems(store.scope, { queueRowId, state, afterRowId, limit }, nowUs())).map(({ rowId }) => rowId);
    expect(await list('done')).toEqual([items[0]]);
    expect(await list('held')).toEqual([items[1]]);
    expect(await list('waiting')).toEqual(items.slice(2));
    expect(await list('waiting', items[2], 1)).toEqual([items[3]]);
    expect(await list(undefined)).toEqual(items);
    expect(await list(undefined, items[0], 2)).toEqual(items.slice(1, 3));
    pass(15);
    expect(await list('held')).toEqual([]);
    expect(await list('waiting')).toEqual(items.slice(1));
  });
});

describe('rules', () => {
  it('are added with bounds, and begin with what arrives next', async () => {
    const { queueRowId } = await queueOf(2);
    const projectRowId = (await store.projectRowId('app')) ?? 0;
    const rule = { queueRowId, projectRowId, filter: ' ', samplePercent: 10 };
    await commands.addRule(ADA, rule);
    const [next] = await store.rows("SELECT next_id FROM row_ids WHERE table_name = 'traces'");
    expect(await store.rows('SELECT filter, after_row_id, before_row_id FROM annotation_queue_rules')).toEqual([
      { filter: null, after_row_id: next?.['next_id'], before_row_id: next?.['next_id'] },
    ]);
    for (const samplePercent of [0, -1, 100.1, Number.NaN]) {
      await expect(commands.addRule(ADA, { ...rule, samplePercent })).rejects.toMatchObject(
        refused('invalid_argument'),
      );
    }
    await expect(commands.addRule(ADA, { ...rule, projectRowId: 9999 })).rejects.toMatchObject(refused('not_found'));
    await expect(commands.addRule(ADA, { ...rule, queueRowId: 9999 })).rejects.toMatchObject(refused('not_found'));
    for (let number = 2; number <= 20; number++) await commands.addRule(ADA, rule);
    await expect(commands.addRule(ADA, rule)).rejects.toMatchObject(refused('failed_precondition', /20 rules/));
    const [first] = (await findRulesOfQueues(store.scope, [queueRowId])).get(queueRowId) ?? [];
    await commands.deleteRule(ADA, { rowId: first?.rowId ?? 0 });
    await expect(commands.deleteRule(ADA, { rowId: first?.rowId ?? 0 })).rejects.toMatchObject(refused('not_found'));
    await commands.addRule(ADA, rule);
  });
});
