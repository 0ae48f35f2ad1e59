import { ANONYMOUS } from '#domain/caller';
import { expect, it } from 'vitest';
import { orInLongRun } from '../../../test/harness/long-run.ts';
import { spanId, TEST_START_US, traceId } from '../../../test/harness/otlp-json.ts';
import { TEST_ENGINE } from '../../../test/harness/test-engine.ts';
import {
  type DeletionStore,
  findLeftovers,
  openDeletionStore,
  readEverything,
  type TestRemover,
} from './deletion.fixture.ts';
import { removalJob } from './removal-job.ts';
import { planRemoval } from './removal-plan.ts';
import { Remover } from './remover.ts';
import { deletionCalls } from './writer-calls.ts';

/** Six traces of three spans, in three sessions, of two projects. */
async function openFilled(): Promise<DeletionStore> {
  const store = await openDeletionStore(4);
  for (let trace = 1; trace <= 6; trace++) await store.send(spansOf(trace), projectOf(trace));
  return store;
}

function spansOf(trace: number) {
  return [0, 1, 2].map((place) => ({
    traceId: traceId(trace),
    spanId: spanId(trace * 10 + place),
    ...(place > 0 && { parentSpanId: spanId(trace * 10) }),
    startUs: TEST_START_US + trace * 1000 + place,
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.token_count.prompt': trace,
      'session.id': `session ${trace % 3}`,
    },
  }));
}

const projectOf = (trace: number) => (trace < 5 ? 'one' : 'two');

interface Case {
  readonly what: string;
  /** What is asked for. */
  readonly run: (remover: Remover, store: DeletionStore) => Promise<unknown>;
  /** Traces that are there in the end, with their projects. */
  readonly left: readonly (readonly [trace: number, project: string])[];
}

const KEPT = [
  [5, 'two'],
  [6, 'two'],
] as const;

const CASES: readonly Case[] = [
  {
    what: 'the deletion of a project',
    run: async (remover, store) => remover.deleteProject(await store.projectRowId('one')),
    left: KEPT,
  },
  {
    what: 'a deletion of traces',
    run: async (remover, store) =>
      remover.deleteTraces(await store.projectRowId('one'), { startTimeUs: TEST_START_US + 2000, before: null }),
    left: [[1, 'one'], ...KEPT],
  },
  {
    what: 'the move of traces',
    run: async (remover, store) =>
      remover.moveTraces(
        [await store.traceRowId(traceId(2)), await store.traceRowId(traceId(3))],
        await store.projectRowId('two'),
      ),
    left: [[1, 'one'], [2, 'two'], [3, 'two'], [4, 'one'], ...KEPT],
  },
];

/** Each place on SQLite; on PostgreSQL, where filling takes long, each only in the long run. */
const STEP = TEST_ENGINE === 'postgres' ? orInLongRun(3, 1) : 1;

it.each(CASES)('$what is finished after a start, wherever it was interrupted', async ({ run, left }) => {
  const fresh = await openDeletionStore();
  for (const [trace, project] of left) await fresh.send(spansOf(trace), project);
  const expected = await readEverything(fresh);
  const untouched = await readEverything(await openFilled());
  let outcomes = 0;
  for (let stopAt = 1; ; stopAt += STEP) {
    const store = await openFilled();
    let calls = 0;
    const dying: TestRemover = store.restart((call) => {
      // What is committed is the same after a call and before the next one.
      if (call.startsWith('after') || ++calls < stopAt) return;
      void dying.stop();
      throw new Error('killed');
    });
    await run(dying, store).catch(() => undefined);
    await dying.finished();
    const next = store.restart();
    next.resume();
    await next.finished();
    expect(await findLeftovers(store)).toEqual([]);
    const everything = await readEverything(store);
    // Nothing was promised before the first of it was written down.
    if (stopAt === 1) expect(everything).toEqual(untouched);
    else expect(everything).toEqual(expected);
    outcomes++;
    if (calls < stopAt) break;
  }
  expect(outcomes * STEP).toBeGreaterThan(3);
});

it.each(CASES)('$what is done once, where two servers do it for a moment, too', async ({ run, left }) => {
  const fresh = await openDeletionStore();
  for (const [trace, project] of left) await fresh.send(spansOf(trace), project);
  const store = await openFilled();
  const calls = deletionCalls(store.writer, store);
  // Each step comes once more, from a server that planned it before it was done.
  const twice = new Proxy(calls, {
    get: (target, name) => {
      const call = Reflect.get(target, name) as (...given: never[]) => Promise<unknown>;
      return async (...given: never[]) => {
        await call(...given);
        return call(...given);
      };
    },
  });
  const onTouched = () => undefined;
  const remover = new Remover({ writer: calls, onTouched, wakeEraser: () => job.wake() });
  const job = removalJob({
    writer: twice,
    plan: async () => {
      await store.exec('DELETE FROM search_queue');
      return planRemoval(store.db, store.dialect, 4);
    },
    isBusy: () => false,
    restRatio: 0,
    onTouched,
    onErased: () => undefined,
    onAllErased: (deletionRowId) => remover.noteErased(deletionRowId),
    onFinished: () => undefined,
    onError: (message, cause) => {
      throw new Error(message, { cause });
    },
  });
  await run(remover, store);
  await job.idle();
  await job.stop();
  expect(await findLeftovers(store)).toEqual([]);
  expect(await readEverything(store)).toEqual(await readEverything(fresh));
  expect(await store.rows('SELECT 1 FROM deletions WHERE erased_span_count <> span_count')).toEqual([]);
});

it('has whoever sends meanwhile stored, and erases nothing of it', async () => {
  const store = await openFilled();
  const sent: Promise<unknown>[] = [];
  let trace = 100;
  const remover = store.restart((call) => {
    if (call.startsWith('after') && trace < 130) sent.push(store.send(spansOf(trace++), 'one'));
  });
  await remover.deleteProject(await store.projectRowId('one'));
  await remover.finished();
  await Promise.all(sent);
  expect(sent.length).toBeGreaterThan(3);
  const fresh = await openDeletionStore();
  for (const [kept, project] of KEPT) await fresh.send(spansOf(kept), project);
  for (let again = 100; again < trace; again++) await fresh.send(spansOf(again), 'one');
  expect(await readEverything(store)).toEqual(await readEverything(fresh));
  expect(await findLeftovers(store)).toEqual([]);
});

it('waits for no moved trace that is gone', async () => {
  const store = await openFilled();
  await store.exec('INSERT INTO unlisted_traces VALUES (999, NULL)');
  const remover = store.restart();
  await remover.deleteProject(await store.projectRowId('one'));
  await remover.finished();
  expect(await findLeftovers(store)).toEqual([]);
});

it('has all spans follow a trace that another server moves to and fro meanwhile', async () => {
  const store = await openFilled();
  const calls = deletionCalls(store.writer, store);
  const traceRowId = await store.traceRowId(traceId(1));
  const moveTo = async (project: string) =>
    calls.moveTraces(ANONYMOUS, [traceRowId], await store.projectRowId(project));
  await moveTo('two');
  let { after } = await calls.moveNextSpans(traceRowId, null, 2);
  await moveTo('one');
  const [first] = spansOf(1);
  await store.send([{ traceId: traceId(1), spanId: spanId(19), startUs: (first?.startUs ?? 0) - 1 }], 'one');
  await moveTo('two');
  while ((await findLeftovers(store)).includes('an unlisted trace')) {
    ({ after } = await calls.moveNextSpans(traceRowId, after, 2));
  }
  expect(await findLeftovers(store)).toEqual([]);
});
