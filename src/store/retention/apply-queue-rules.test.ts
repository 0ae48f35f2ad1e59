/** Rules of review queues: each row that arrives is looked at once, a minute after it could be seen. */
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { isSampled } from '#domain/sample';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { RandomStore } from '../random-store.fixture.ts';
import { queueRulesJob } from './apply-queue-rules.ts';
import { applyRuleStep } from './apply-rule-step.ts';
import { findDueRules, planRuleStep, type RuleStep } from './find-for-queues.ts';

const MINUTE_MS = 60_000;

let store: RandomStore;

beforeEach(async () => {
  // Time goes on by itself, too: a database answers when it answers.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  store = await RandomStore.open();
  await store.send([spanOf(1)], 'app');
});

afterEach(() => vi.useRealTimers());

const spanOf = (number: number, more = {}) => ({
  traceId: traceId(number),
  spanId: spanId(number),
  attributes: { 'session.id': `chat ${number}` },
  ...more,
});

const apply = (step: RuleStep) => store.memory.records.transact((transaction) => applyRuleStep(transaction, step, 1));

/** The job, idle after its first look, and what gives it minutes. */
async function startJob() {
  const errors: unknown[] = [];
  const job = queueRulesJob({
    findDue: () => findDueRules(store.scope),
    plan: (ruleRowId) => planRuleStep(store.scope, ruleRowId),
    apply,
    onError: (error) => void errors.push(error),
  });
  onTestFinished(() => job.stop());
  await job.idle();
  return {
    errors,
    pass: async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute++) {
        await vi.advanceTimersByTimeAsync(MINUTE_MS);
        await job.idle();
      }
    },
  };
}

async function newQueue(target: 'span' | 'trace' | 'session', name: string = target): Promise<number> {
  const queue = { name, target, reviews_per_item: 1, is_blind: 0, hold_minutes: 15 };
  const query = store.memory.db.insertInto('annotation_queues');
  const row = await query
    .values({ ...queue, created_at_us: 1, updated_at_us: 1 })
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? 0;
}

/** A rule that begins with what arrives next. */
async function newRule(queue_id: number, filter: string | null = null, sample_percent = 100): Promise<void> {
  const { target } = await store.memory.db
    .selectFrom('annotation_queues')
    .select('target')
    .where('id', '=', queue_id)
    .executeTakeFirstOrThrow();
  const [next] = await store.rows(`SELECT next_id FROM row_ids WHERE table_name = '${target}s'`);
  const at = Number(next?.['next_id']);
  await store.memory.db
    .insertInto('annotation_queue_rules')
    .values({
      queue_id,
      project_id: (await store.projectRowId('app')) ?? 0,
      filter,
      sample_percent,
      after_row_id: at,
      before_row_id: at,
      created_at_us: 1,
    })
    .execute();
}

const itemsOf = async (queue: number) =>
  (await store.rows(`SELECT target_row_id FROM annotation_queue_items WHERE queue_id = ${queue} ORDER BY id`)).map(
    (row) => Number(row['target_row_id']),
  );
const rules = () => store.rows('SELECT added_count, error FROM annotation_queue_rules ORDER BY id');

it.each(['span', 'trace', 'session'] as const)(
  'take each %s that arrives, once, at the second look',
  async (target) => {
    const queue = await newQueue(target);
    await newRule(queue);
    const { pass } = await startJob();
    await store.send([spanOf(2)], 'app');
    await store.send([spanOf(3)], 'other');
    await pass(1);
    expect(await itemsOf(queue)).toEqual([]);
    await store.send([spanOf(4)], 'app');
    await pass(1);
    expect(await itemsOf(queue)).toHaveLength(1);
    await pass(1);
    const rows = await store.rows(`SELECT ${target}s.id FROM ${target}s ORDER BY id`);
    const all = rows.map((row) => Number(row['id']));
    expect(await itemsOf(queue)).toEqual([all[1], all[3]]);
    await pass(2);
    expect(await rules()).toEqual([{ added_count: 2, error: null }]);
  },
);

it.each([
  ['span', "status_code == 'ERROR'"],
  ['trace', 'error_count > 0'],
  ['session', "session_id == 'chat 3'"],
] as const)('take of each %s what matches', async (target, filter) => {
  const queue = await newQueue(target);
  await newRule(queue, filter);
  const { pass } = await startJob();
  await store.send([spanOf(2), spanOf(3, { status: 'ERROR' }), spanOf(4)], 'app');
  await pass(2);
  const rows = await store.rows(`SELECT id FROM ${target}s ORDER BY id`);
  expect(await itemsOf(queue)).toEqual([Number(rows[2]?.['id'])]);
});

it('take the sampled share, in steps, and the same if a step is repeated', async () => {
  const queue = await newQueue('span');
  await newRule(queue, null, 25);
  const { pass } = await startJob();
  const spans = Array.from({ length: 4500 }, (_, place) => ({ traceId: traceId(9), spanId: spanId(place + 100) }));
  await store.send(spans, 'app');
  await pass(1);
  const [ruleRowId] = await findDueRules(store.scope);
  const step = await planRuleStep(store.scope, ruleRowId ?? 0);
  expect(step && (await apply(step))).toBe(true);
  const once = await itemsOf(queue);
  // A server that lost the job in the meantime.
  expect(step && (await apply(step))).toBe(false);
  expect(await itemsOf(queue)).toEqual(once);
  await pass(1);
  const rows = await store.rows('SELECT id FROM spans WHERE id > 1 ORDER BY id');
  const wanted = rows.map((row) => Number(row['id'])).filter((rowId) => isSampled(queue, rowId, 25));
  expect(await itemsOf(queue)).toEqual(wanted);
  expect(await rules()).toEqual([{ added_count: wanted.length, error: null }]);
});

it('say why they add nothing, and leave the others at work', async () => {
  const [broken, whole] = [await newQueue('span', 'broken'), await newQueue('span', 'whole')];
  await newRule(broken, 'of a later version ~~ 3');
  await newRule(whole);
  const { pass } = await startJob();
  await store.send([spanOf(2)], 'app');
  await pass(2);
  expect([await itemsOf(broken), await itemsOf(whole)]).toEqual([[], [expect.any(Number)]]);
  expect(await rules()).toEqual([
    { added_count: 0, error: 'This version cannot read the filter "of a later version ~~ 3".' },
    { added_count: 1, error: null },
  ]);
  await store.memory.exec(`UPDATE annotation_queue_rules SET filter = NULL`);
  await store.send([spanOf(3)], 'app');
  await pass(2);
  expect(await itemsOf(broken)).toHaveLength(1);
  expect(await rules()).toMatchObject([{ error: null }, { error: null }]);
});

it('take neither what was deleted nor what was moved meanwhile, and go with their queue', async () => {
  const queue = await newQueue('trace');
  await newRule(queue);
  const { pass, errors } = await startJob();
  await store.send([spanOf(2), spanOf(3), spanOf(4)], 'app');
  await store.send([spanOf(5)], 'other');
  await pass(1);
  const project = (await store.projectRowId('app')) ?? 0;
  await store.deleteTraces(project, { traceRowIds: [await store.traceRowId(traceId(2))] });
  await store.moveTrace(await store.traceRowId(traceId(3)), (await store.projectRowId('other')) ?? 0);
  await pass(1);
  expect(await itemsOf(queue)).toEqual([await store.traceRowId(traceId(4))]);
  await store.memory.exec('DELETE FROM annotation_queues');
  await store.send([spanOf(6)], 'app');
  await pass(2);
  expect(errors).toEqual([]);
});
