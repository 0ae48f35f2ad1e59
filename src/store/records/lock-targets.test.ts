/** A command and whatever takes its target away or moves it, on two connections: no record is left without its target. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { describePostgres } from '../../../test/harness/postgres/databases.ts';
import { spanId, TEST_START_US, traceId } from '../../../test/harness/otlp-json.ts';
import { openPostgresServers } from '../engine/open-postgres-test-engine.fixture.ts';
import { RandomStore } from '../random-store.fixture.ts';
import type { RecordHooks, RecordHandle } from './hooks.ts';
import { createPins, findLostPins, listPins, pin, type PinnedKind, pinHooks } from './pins.fixture.ts';

interface Case {
  readonly what: string;
  readonly kind: PinnedKind;
  /** Takes the target away or moves it, from its first to its last step. */
  readonly change: (store: RandomStore) => Promise<void>;
  /** What is pinned then, where the command came first, and where it came second. */
  readonly first: readonly string[];
  readonly second: readonly string[];
}

const TRACE = traceId(1);
const ALL = { startTimeUs: null, before: null };

const deleteTraces = async (store: RandomStore) => {
  await store.deleteTraces((await store.projectRowId('app')) ?? 0, ALL);
  await store.settle();
};

const deleteProject = async (store: RandomStore) => {
  await store.deleteProject((await store.projectRowId('app')) ?? 0);
  await store.settle();
};

const moveTrace = async (store: RandomStore) => {
  await store.moveTrace(await store.traceRowId(TRACE), (await store.projectRowId('default')) ?? 0);
  await store.settle();
};

const NOTHING = { first: [], second: [] };
const SPAN = [`span ${TRACE} ${spanId(1)}`];
const SESSION = ['session default s'];

const CASES: readonly Case[] = [
  { what: 'a trace that is deleted', kind: 'trace', change: deleteTraces, ...NOTHING },
  { what: 'a span of a trace that is deleted', kind: 'span', change: deleteTraces, ...NOTHING },
  { what: 'a session whose traces are deleted', kind: 'session', change: deleteTraces, ...NOTHING },
  { what: 'a trace of a project that is deleted', kind: 'trace', change: deleteProject, ...NOTHING },
  { what: 'a session of a project that is deleted', kind: 'session', change: deleteProject, ...NOTHING },
  {
    what: 'a span that is deleted',
    kind: 'span',
    change: async (store) => store.deleteSpan(await store.spanRowId(TRACE, spanId(1))),
    ...NOTHING,
  },
  {
    what: 'a trace that is moved',
    kind: 'trace',
    change: moveTrace,
    first: [`trace ${TRACE}`],
    second: [`trace ${TRACE}`],
  },
  { what: 'a span of a trace that is moved', kind: 'span', change: moveTrace, first: SPAN, second: SPAN },
  { what: 'a session whose trace is moved', kind: 'session', change: moveTrace, first: SESSION, second: [] },
];

describePostgres('a command that writes a record', () => {
  it.each(CASES)('of $what keeps it as it is until the command has ended', async ({ kind, change, first }) => {
    const { store, command, reader, rowIdOf } = await open();
    const rowId = await rowIdOf(kind);
    let changing = Promise.resolve();
    await command(async (scope) => {
      expect(await pin(scope, kind, rowId)).toBe(true);
      changing = change(store);
      await expect.poll(() => countWaiting(reader)).toBe(1);
    });
    await changing;
    expect(await findLostPins(reader, true)).toEqual([]);
    expect(await listPins(reader)).toEqual(first);
  });

  it.each(CASES)('of $what waits for it, and finds what is left', async ({ kind, change, second }) => {
    const { store, command, reader, rowIdOf, stopAtHook } = await open();
    const rowId = await rowIdOf(kind);
    const { reached, goOn } = stopAtHook(kind);
    const changing = change(store);
    await reached;
    const pinning = command((scope) => pin(scope, kind, rowId));
    await expect.poll(() => countWaiting(reader)).toBe(1);
    goOn();
    expect(await pinning).toBe(second.length > 0);
    await changing;
    expect(await findLostPins(reader, true)).toEqual([]);
    expect(await listPins(reader)).toEqual(second);
  });

  it('finds its target, or leaves nothing behind, while others come, go and move', async () => {
    const { store, command, reader } = await open();
    let isOver = false;
    let pinned = 0;
    const commanding = (async () => {
      for (let number = 0; !isOver; number++) {
        const kind = (['trace', 'span', 'session'] as const)[number % 3] ?? 'trace';
        const { rows } = await sql<{
          id: number;
        }>`SELECT id FROM ${sql.table(`${kind}s`)} ORDER BY random() LIMIT 1`.execute(reader.db);
        for (const { id } of rows) if (await command((scope) => pin(scope, kind, id))) pinned += 1;
      }
    })();
    const moved = (await store.projectRowId('default')) ?? 0;
    for (let round = 2; round < 42; round++) {
      const spans = [1, 2, 3].map((span) => ({
        traceId: traceId(round),
        spanId: spanId(span),
        startUs: TEST_START_US + round,
        attributes: { 'session.id': `session ${round % 2}` },
      }));
      await store.send(spans, 'app');
      if (round % 3 === 0) await store.deleteSpan(await store.spanRowId(traceId(round), spanId(2)));
      if (round % 4 === 0) await store.moveTrace(await store.traceRowId(traceId(round)), moved);
      if (round % 5 === 0)
        await store.deleteTraces(round % 2 === 0 ? moved : ((await store.projectRowId('app')) ?? 0), ALL);
      await (await store.planRemoval())?.();
      expect(await findLostPins(reader, false)).toEqual([]);
    }
    isOver = true;
    await commanding;
    await store.settle();
    expect(pinned).toBeGreaterThan(0);
    expect(await findLostPins(reader, true)).toEqual([]);
  });
});

/** One trace of two spans with a session, in the project `app`, which one server stores; commands run on the other. */
async function open() {
  const [engine, other] = await openPostgresServers(2);
  if (engine === undefined || other === undefined) throw new Error('there are two');
  await createPins(engine);
  let atHook: ((kinds: Readonly<Record<PinnedKind, number>>) => Promise<void>) | undefined;
  const stopping: RecordHooks = {
    onErased: async (_scope, { traceRowIds, spanRowIds, sessionRowIds }) =>
      atHook?.({ trace: traceRowIds.length, span: spanRowIds.length, session: sessionRowIds.length }),
    // Spans move with their trace.
    onMoved: async (_scope, { traceRowIds, sessions }) =>
      atHook?.({ trace: traceRowIds.length, span: traceRowIds.length, session: sessions.length }),
  };
  const store = await RandomStore.open({ engine, hooks: [stopping, pinHooks] });
  const attributes = { 'session.id': 's' };
  const spans = [1, 2].map((span) => ({ traceId: TRACE, spanId: spanId(span), attributes }));
  await store.send(spans, 'app');
  return {
    store,
    reader: other,
    command: other.records.transact,
    /** Of the first of the kind. */
    async rowIdOf(kind: PinnedKind): Promise<number> {
      const [row] = await engine.rows(`SELECT id FROM ${kind}s ORDER BY id LIMIT 1`);
      return Number(row?.['id']);
    },
    /** The next hook that is told of the kind waits in the middle of its transaction. */
    stopAtHook(kind: PinnedKind) {
      const [reached, going] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      atHook = async (kinds) => {
        if (kinds[kind] === 0) return undefined;
        atHook = undefined;
        reached.resolve();
        return going.promise;
      };
      return { reached: reached.promise, goOn: going.resolve };
    },
  };
}

async function countWaiting({ db }: RecordHandle): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.count ?? 0;
}
