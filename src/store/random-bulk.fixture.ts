/** Bulk actions in a random world: begun, and carried out step by step while telemetry arrives and the background works. */
import { spanId, TEST_START_US, traceId } from '../../test/harness/otlp-json.ts';
import type { BulkAction, BulkMatch, BulkRequest, BulkRows } from './bulk/bulk-action.ts';
import { pick, PROJECTS, type Told, type Trace, type World } from './random-world.fixture.ts';

/** What the model expects of an action. */
interface Expected {
  readonly rowIds: readonly number[];
  /** By number of the trace, the spans that it is about. */
  readonly chosen: ReadonlyMap<number, ReadonlySet<number>>;
  readonly request: BulkRequest;
  /** Rows that were never there. */
  readonly goneCount: number;
}

/** Deletes or moves rows of a project; `undefined` where there is nothing to choose from. What becomes of the action is returned. */
export async function runBulkAction(world: World): Promise<BulkAction | undefined> {
  const { random, store } = world;
  const project = pick(PROJECTS, random);
  const projectRowId = await store.projectRowId(project);
  const to = random(2) === 0 ? null : pick(PROJECTS, random);
  const toProjectRowId = to === null ? null : await store.projectRowId(to);
  if (projectRowId === undefined || toProjectRowId === undefined || to === project) return undefined;
  const rows = pick(['span', 'trace', 'session'] as const, random);
  const expected = await choose(world, project, projectRowId, rows);
  if (expected.rowIds.length === 0) return undefined;
  const deed = toProjectRowId === null ? ({ kind: 'delete' } as const) : ({ kind: 'move', toProjectRowId } as const);
  const begun = await store.beginBulkAction(expected.request, deed);
  if (begun.state === 'running') await carryOut(world, project, begun.totalCount === null);
  for (const [number, spans] of expected.chosen) {
    const trace = world.traces.get(number);
    if (trace === undefined) continue;
    if (to !== null) trace.project = to;
    else for (const span of spans) trace.spans.delete(span);
    if (trace.spans.size === 0) world.traces.delete(number);
  }
  const action = await store.bulkAction(begun.rowId);
  if (action === undefined) throw new Error('the action was forgotten');
  const { rowIds, goneCount } = expected;
  const counts = { total: action.totalCount, done: action.doneCount, gone: action.goneCount, state: action.state };
  const wanted = { total: rowIds.length + goneCount, done: rowIds.length, gone: goneCount, state: 'done' };
  if (JSON.stringify(counts) !== JSON.stringify(wanted)) {
    throw new Error(
      `${JSON.stringify(expected.request.rows)} came to ${JSON.stringify(counts)}, not ${JSON.stringify(wanted)}`,
    );
  }
  return action;
}

/** What matches is noted first; then other things happen between the steps. */
async function carryOut(world: World, project: string, isNoted: boolean): Promise<void> {
  const { random, store } = world;
  let isNoting = isNoted;
  for (;;) {
    const planned = await store.planBulkAction(1 + random(3));
    if (planned === undefined) return;
    if (!isNoting && random(2) === 0) await world.sendNew(project);
    if (random(3) === 0) await (await store.planRemoval())?.();
    if (random(6) === 0) store.restart();
    await planned();
    // A step that is done twice is done once.
    if (random(4) === 0) await planned();
    isNoting = isNoting && (await store.rows("SELECT 1 FROM jobs WHERE progress LIKE '%noting%'")).length > 0;
  }
}

async function choose(world: World, project: string, projectRowId: number, rows: BulkRows): Promise<Expected> {
  const { random } = world;
  const own = [...world.traces].filter(([, trace]) => trace.project === project);
  const isMatching = random(2) === 0;
  const beingMoved = await world.tracesBeingMoved();
  const isListed = ([number]: readonly [number, Trace]) => !beingMoved.has(traceId(number));
  const groups =
    rows === 'session'
      ? [...Map.groupBy(own, ([, { spans }]) => [...spans.values()][0]?.session ?? null)].filter(([id]) => id !== null)
      : [];
  const match: BulkMatch = { filter: null, traceFilter: null, rootsOnly: false, exceptRowIds: [] };
  const isTaken = () => isMatching || random(2) === 0;
  const chosen = new Map<number, Set<number>>();
  const rowIds: number[] = [];
  let matching = match;
  if (rows === 'span') {
    matching = { ...match, filter: "status_code == 'ERROR'" };
    const isMatch = ({ status }: Told) => !isMatching || status === 'ERROR';
    for (const [number, trace] of own.filter((entry) => !isMatching || isListed(entry))) {
      const spans = [...trace.spans.values()].filter((told) => isMatch(told) && isTaken());
      if (spans.length > 0) chosen.set(number, new Set(spans.map(({ span }) => span)));
      for (const { trace: of, span } of spans) rowIds.push(await world.store.spanRowId(traceId(of), spanId(span)));
    }
  } else if (rows === 'trace') {
    const endUs = TEST_START_US + 5_500_000;
    matching = { ...match, endTimeUs: endUs };
    const startOf = ({ spans }: Trace) => Math.min(...[...spans.values()].map(({ startUs }) => startUs));
    for (const [number, trace] of own.filter(([, of]) => (!isMatching || startOf(of) < endUs) && isTaken())) {
      chosen.set(number, new Set(trace.spans.keys()));
      rowIds.push(await world.store.traceRowId(traceId(number)));
    }
  } else {
    for (const [id, ofSession] of groups.filter(isTaken)) {
      for (const [number, trace] of ofSession) chosen.set(number, new Set(trace.spans.keys()));
      const [row] = await world.store.rows(
        `SELECT id FROM sessions WHERE session_id = '${id}' AND project_id = ${projectRowId}`,
      );
      rowIds.push(Number(row?.['id']));
    }
  }
  // Named rows become a job where they are many.
  const unknown = isMatching || random(2) === 0 ? [] : Array.from({ length: 1001 }, (_, place) => 1e9 + place);
  const which: BulkRequest['chosen'] = isMatching ? { matching } : { rowIds: [...rowIds, ...unknown] };
  return { rowIds, chosen, request: { projectRowId, rows, chosen: which }, goneCount: unknown.length };
}
