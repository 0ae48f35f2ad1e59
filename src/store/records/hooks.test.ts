/** Whatever is erased or moved, its records go along, in the same transaction. */
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { spanId, TEST_START_US, traceId } from '../../../test/harness/otlp-json.ts';
import { describePostgres } from '../../../test/harness/postgres/databases.ts';
import { openPostgresTestEngine } from '../engine/open-postgres-test-engine.fixture.ts';
import { StorageError } from '../engine/storage-error.ts';
import type { TestEngine } from '../engine/test-engine.fixture.ts';
import { RandomStore } from '../random-store.fixture.ts';
import { openSqliteTestEngine } from '../sqlite/open-test-engine.fixture.ts';
import { type RecordHooks, tellErased, tellMoved } from './hooks.ts';
import { createPins, findLostPins, listPins, pin, pinHooks } from './pins.fixture.ts';
import { PinnedWorld, sessionOf, startOf } from './pinned-world.fixture.ts';

const SEEDS = [1, 2, 3, 4, 5, 6];
const STEPS = 120;
const SETTLED_EVERY = 20;

describe('records on SQLite', () => {
  it.each(SEEDS)('are those of the model, whatever is deleted, moved and interrupted (%i)', async (seed) => {
    await expectAsInModel(seed, await openSqliteTestEngine());
  });
});

describePostgres('records on PostgreSQL', () => {
  it.each(SEEDS.slice(0, 2))(
    'are those of the model, whatever is deleted, moved and interrupted (%i)',
    async (seed) => {
      await expectAsInModel(seed, await openPostgresTestEngine());
    },
  );
});

it('are told of a bounded number of rows at once', async () => {
  const { db, dialect, close } = await openSqliteTestEngine();
  onTestFinished(close);
  const told: number[][] = [];
  const hooks: RecordHooks = {
    onErased: async (_scope, rows) => void told.push(Object.values(rows).map((rowIds) => rowIds.length)),
    onMoved: async (_scope, rows) => void told.push(Object.values(rows).map((rowIds) => rowIds.length)),
  };
  const scope = { db, dialect, hooks: [hooks] };
  const rowIds = Array.from({ length: 1001 }, (_, place) => place);
  await tellErased(scope, { traceRowIds: rowIds, spanRowIds: rowIds.slice(0, 700) });
  await tellMoved(scope, { sessions: rowIds.slice(0, 501).map((rowId) => ({ rowId, intoRowId: 0 })) });
  await tellErased(scope, { sessionRowIds: [] });
  expect(told).toEqual([
    [500, 500, 0],
    [500, 200, 0],
    [1, 0, 0],
    [0, 0, 500],
    [0, 0, 1],
  ]);
});

async function expectAsInModel(seed: number, engine: TestEngine): Promise<void> {
  onTestFinished(() => engine.close());
  await createPins(engine);
  const walk = new Walk(
    seed,
    engine,
    await RandomStore.open({ engine, hooks: [pinHooks, CRASHING[engine.dialect.name]] }),
  );
  for (let step = 0; step < STEPS; step++) {
    await walk.step();
    expect([step, await listPins(engine)]).toEqual([step, walk.world.listPins()]);
    expect(await findLostPins(engine, false)).toEqual([]);
    if (step % SETTLED_EVERY > 0) continue;
    await walk.store.settle();
    expect(await listPins(engine)).toEqual(walk.world.listPins());
    expect(await findLostPins(engine, true)).toEqual([]);
  }
  expect(walk.crashes).toBeGreaterThan(0);
}

let isCrashing = false;

/** The last hook, after which the process or its connection may end. */
const crashing = (crash: RecordHooks['onErased']): RecordHooks => {
  const end: RecordHooks['onErased'] = async (scope, erased) => {
    if (!isCrashing) return;
    isCrashing = false;
    await crash(scope, erased);
  };
  return { onErased: end, onMoved: (scope) => end(scope, { traceRowIds: [], spanRowIds: [], sessionRowIds: [] }) };
};

const CRASHING = {
  sqlite: crashing(() => Promise.reject(new StorageError('unavailable', 'the process ends', undefined))),
  postgres: crashing(async ({ db }) => void (await sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(db))),
} as const;

/** What can be pinned, by the names of the model. */
const NAMES = {
  trace: 'SELECT id, trace_id AS name FROM traces ORDER BY id',
  span: `SELECT spans.id, trace_id || ' ' || span_id AS name FROM spans JOIN traces ON traces.id = trace_row_id
    ORDER BY spans.id`,
  session: `SELECT sessions.id, projects.name || ' ' || session_id AS name FROM sessions
    LEFT JOIN projects ON projects.id = project_id ORDER BY sessions.id`,
} as const;

const PROJECTS = ['default', 'other', 'third'] as const;

/** Random steps, each done to the store and to the model. */
class Walk {
  readonly world = new PinnedWorld();
  readonly store: RandomStore;
  crashes = 0;
  readonly #engine: TestEngine;
  readonly #random: (below: number) => number;

  constructor(seed: number, engine: TestEngine, store: RandomStore) {
    this.#random = randomOf(seed);
    this.#engine = engine;
    this.store = store;
  }

  async step(): Promise<void> {
    const traces = [...this.world.traces.keys()];
    const trace = traces[this.#random(traces.length)];
    const kind = this.#random(20);
    if (trace === undefined || kind < 5) return this.#send();
    if (kind < 11) return this.#pin();
    if (kind < 14) return this.#continue();
    if (kind < 16) return this.#deleteSpan(trace);
    if (kind < 18) return this.#move(trace);
    if (kind < 19 && this.#random(3) === 0) return this.#deleteProject();
    return this.#deleteTraces(trace);
  }

  async #send(): Promise<void> {
    const trace = traceId(1 + this.#random(5));
    const project = this.world.traces.get(trace)?.project ?? this.#any(PROJECTS);
    const span = spanId(1 + this.#random(4));
    const session = this.#random(4) === 0 ? null : `session ${this.#random(3)}`;
    const startUs = TEST_START_US + this.#random(20) * 1000;
    const attributes = session === null ? {} : { 'session.id': session };
    await this.#throughCrashes(() => this.store.send([{ traceId: trace, spanId: span, startUs, attributes }], project));
    this.world.store(trace, project, span, { startUs, session });
  }

  /** Pins anything that has a row, hidden or not, or nothing at all: what is hidden, the model does not know. */
  async #pin(): Promise<void> {
    const kind = this.#any(['trace', 'span', 'session'] as const);
    const rows = await this.store.rows(NAMES[kind]);
    const { id = 999_999, name = '' } = rows[this.#random(rows.length + 1)] ?? {};
    const isPinned = await this.#engine.records.transact((transaction) => pin(transaction, kind, Number(id)));
    expect([kind, name, isPinned]).toEqual([kind, name, this.world.pin(kind, String(name))]);
  }

  /** A step of what is erased and of spans that follow, for which it matters nothing what came in between. */
  async #continue(): Promise<void> {
    const planned = await this.store.planRemoval();
    if (planned === undefined) return;
    if (this.#random(3) === 0) await this.#send();
    await this.#throughCrashes(planned);
  }

  async #deleteSpan(trace: string): Promise<void> {
    const span = this.#any([...(this.world.traces.get(trace)?.spans.keys() ?? [])]);
    const rowId = await this.store.spanRowId(trace, span);
    await this.#throughCrashes(() => this.store.deleteSpan(rowId));
    this.world.deleteSpan(trace, span);
  }

  async #move(trace: string): Promise<void> {
    const project = this.#any(PROJECTS);
    const [projectRowId, rowId] = [await this.store.projectRowId(project), await this.store.traceRowId(trace)];
    if (projectRowId === undefined) return;
    await this.#throughCrashes(() => this.store.moveTrace(rowId, projectRowId));
    this.world.moveTrace(trace, project);
  }

  async #deleteProject(): Promise<void> {
    const project = this.#any(['other', 'third']);
    const rowId = await this.store.projectRowId(project);
    if (rowId === undefined) return;
    await this.store.deleteProject(rowId);
    this.world.deleteTraces((trace) => trace.project === project);
  }

  async #deleteTraces(traceOf: string): Promise<void> {
    const one = this.world.traces.get(traceOf);
    const session = one === undefined ? null : sessionOf(one);
    const project = one?.project ?? 'default';
    const projectRowId = (await this.store.projectRowId(project)) ?? 0;
    const [row] = await this.store.rows(`SELECT session_row_id AS id FROM traces WHERE trace_id = '${traceOf}'`);
    const startTimeUs = TEST_START_US + this.#random(20) * 1000;
    switch (this.#random(4)) {
      case 0: {
        const before = { startTimeUs: startTimeUs + 4000, rowId: 0 };
        await this.#delete(projectRowId, { startTimeUs, before });
        return this.world.deleteTraces(
          (trace) => trace.project === project && startOf(trace) >= startTimeUs && startOf(trace) < before.startTimeUs,
        );
      }
      case 1:
        if (session === null) return;
        await this.#delete(projectRowId, { sessionRowIds: [Number(row?.['id'])] });
        return this.world.deleteTraces((trace) => sessionOf(trace) === session);
      case 2:
        if (this.#random(3) > 0) return;
        await this.#delete(projectRowId, { startTimeUs: null, before: null });
        return this.world.deleteTraces((trace) => trace.project === project);
      default:
        await this.#delete(projectRowId, { traceRowIds: [await this.store.traceRowId(traceOf)] });
        return this.world.deleteTraces((_trace, traceId_) => traceId_ === traceOf);
    }
  }

  /** What was begun before a crash is gone on with, and not begun once more. */
  async #delete(projectRowId: number, selection: Parameters<RandomStore['deleteTraces']>[1]): Promise<void> {
    const goOn = async () => {
      while ((await this.store.rows("SELECT id FROM deletions WHERE state = 'hiding'")).length > 0)
        await (await this.store.planRemoval())?.();
    };
    await this.#throughCrashes(() => this.store.deleteTraces(projectRowId, selection), goOn);
  }

  /** Does it; where that ends between a hook and the commit, nothing has changed, and it is done again after a start. */
  async #throughCrashes(work: () => Promise<unknown>, again = work): Promise<void> {
    isCrashing = this.#random(3) === 0;
    const wasArmed = isCrashing;
    const before = await this.#pinned();
    const working = work();
    await working.catch(() => undefined);
    const isCrashed = wasArmed && !isCrashing;
    isCrashing = false;
    if (!isCrashed) {
      await working;
      return;
    }
    await expect(working).rejects.toThrow();
    this.crashes += 1;
    expect(await this.#pinned()).toEqual(before);
    this.store.restart();
    await again();
  }

  async #pinned(): Promise<readonly unknown[]> {
    return this.store.rows(`SELECT 't' AS kind, row_id, project_id FROM pinned_traces UNION ALL
      SELECT 's', row_id, project_id FROM pinned_spans UNION ALL SELECT 'o', row_id, project_id FROM pinned_sessions
      ORDER BY 1, 2`);
  }

  #any<T>(list: readonly T[]): T {
    const one = list[this.#random(list.length)];
    if (one === undefined) throw new Error('there is none');
    return one;
  }
}

/** Whole numbers below a bound, the same for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed * 7919;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % Math.max(below, 1);
  };
}
