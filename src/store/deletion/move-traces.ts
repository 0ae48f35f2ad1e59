/**
 * Moves traces to another project, in the writer: their rows at once, which is what decides where a trace is shown, then
 * their spans in short transactions. Until these have followed, lists of spans by project leave them out.
 */
import { sql } from 'kysely';
import type { SessionDelta } from '#derive/session-rollup';
import { CLAIMS } from '#derive/usage';
import { prepareQuery, type QueryScope } from '../queries/prepared-query.ts';
import type { WriteScope } from '../spans/write/request-writer.ts';
import { SessionBook } from '../spans/write/session-book.ts';
import { KNOWN_COLUMNS, loadTracesByRow, type StoredTrace, toKnownSpan } from '../spans/write/stored-trace.ts';
import { type TouchedPlace, touchedProjects } from '../spans/write/touched-projects.ts';
import type { TouchedProject } from '../engine/touched-project.ts';
import { tellMoved } from '../records/hooks.ts';
import { leaveSessions } from './hide.ts';
import { recountCalls } from './recount-calls.ts';
import { isInProject } from '../spans/rows/visible.ts';

/** Traces that are another project's now. */
export interface MovedTraces {
  readonly traceCount: number;
  readonly touched: readonly TouchedProject[];
}

/**
 * Lets the traces be another project's, each in the session of that project that has the same text; `undefined` where the
 * project or any trace is not there, and nothing is moved.
 */
export async function moveTraces(
  scope: WriteScope,
  traceRowIds: readonly number[],
  projectRowId: number,
): Promise<MovedTraces | undefined> {
  const { db, dialect } = scope;
  const project = await db.selectFrom('projects').select('id').where('id', '=', projectRowId).executeTakeFirst();
  const there = await db
    .selectFrom('traces')
    .select('id')
    .where('id', 'in', dialect.numbersOf(traceRowIds))
    .where(isInProject('traces'))
    .execute();
  if (project === undefined || there.length < traceRowIds.length) return undefined;
  const stored = await loadTracesByRow(scope, traceRowIds);
  const traces = [...stored].filter(([, trace]) => trace.projectId !== projectRowId);
  const moved = traces.map(([, trace]) => trace);
  const sessions = new SessionBook(scope);
  leaveSessions(sessions, moved);
  await takeAlong(scope, moved, projectRowId);
  await joinSessions(scope, sessions, moved, projectRowId);
  await tellMoved(scope, { traceRowIds: moved.map(({ rowId }) => rowId) });
  await sessions.flush();
  const places = traces.flatMap(([traceId, { projectId }]): TouchedPlace[] => [
    { projectId, traceId },
    { projectId: projectRowId, traceId },
  ]);
  return { traceCount: traceRowIds.length, touched: touchedProjects(places) };
}

async function takeAlong(
  { db, dialect }: WriteScope,
  traces: readonly StoredTrace[],
  projectRowId: number,
): Promise<void> {
  const rowIds = traces.map(({ rowId }) => rowId);
  await db
    .updateTable('traces')
    .set((trace) => ({ project_id: projectRowId, session_row_id: null, revision: trace('revision', '+', 1) }))
    .where('id', 'in', dialect.numbersOf(rowIds))
    .execute();
  await db
    .insertInto('unlisted_traces')
    .columns(['trace_row_id', 'deletion_id'])
    .expression(
      db
        .selectFrom('traces')
        .select(['id', sql.lit(null).as('deletion_id')])
        .where('id', 'in', dialect.numbersOf(rowIds)),
    )
    .onConflict((conflict) => conflict.column('trace_row_id').doNothing())
    .execute();
}

async function joinSessions(
  scope: WriteScope,
  sessions: SessionBook,
  traces: readonly StoredTrace[],
  projectRowId: number,
): Promise<void> {
  const joining = traces.flatMap(({ rowId, sessionRowId, rollup }) =>
    sessionRowId === null || rollup.session === null
      ? []
      : { rowId, rollup, leftRowId: sessionRowId, sessionId: rollup.session.sessionId },
  );
  await sessions.find(joining.map(({ sessionId }) => ({ projectId: projectRowId, sessionId })));
  for (const { rollup, leftRowId, sessionId } of joining) {
    const { errorCount, usage, startUs, endUs } = rollup;
    const delta: SessionDelta = {
      traceCount: 1,
      errorCount,
      usage,
      times: { startUs, endUs },
      isShrinking: false,
    };
    sessions.add(projectRowId, sessionId, delta);
    sessions.join(leftRowId, sessions.rowId(projectRowId, sessionId));
  }
  await scope.bulkUpdate(
    'traces',
    joining.map(({ rowId, sessionId }) => ({ id: rowId, session_row_id: sessions.rowId(projectRowId, sessionId) })),
  );
}

/** A span after which a trace goes on, in order of start, then arrival. */
export interface SpanPlace {
  readonly startUs: number;
  readonly rowId: number;
}

/** How far the spans of moved traces have followed. */
export interface MoveStep {
  /** Where to go on in the trace; `null` where all of it has followed, or it has to be gone through from its beginning. */
  readonly after: SpanPlace | null;
  readonly spanCount: number;
}

/** Lets the next spans of a trace follow it, at most so many. */
export async function moveNextSpans(
  scope: WriteScope,
  traceRowId: number,
  after: SpanPlace | null,
  maxSpans: number,
): Promise<MoveStep> {
  const stored = [...(await loadTracesByRow(scope, [traceRowId])).entries()][0];
  if (stored === undefined) {
    // Whatever became of the trace, nothing is left to follow it.
    await listAgain(scope, { traceRowId });
    return { after: null, spanCount: 0 };
  }
  const [traceId, { projectId }] = stored;
  const from = after ?? { startUs: Number.MIN_SAFE_INTEGER, rowId: 0 };
  const rows = await selectSpans(scope, { traceRowId, ...from, maxSpans });
  const last = rows.at(-1);
  const left = rows.filter((row) => row.project_id !== projectId);
  await follow(scope, left, projectId);
  if (last !== undefined && rows.length === maxSpans) {
    return { after: { startUs: last.start_us, rowId: last.id }, spanCount: left.length };
  }
  // Moved once more, it has spans at the wrong place again, and before this one.
  if (after !== null && (await selectAbsent(scope, { traceRowId, projectId })).length > 0) {
    return { after: null, spanCount: left.length };
  }
  const records = await selectRecords(scope, { traceId, projectId });
  await moveRecords(scope, { rowIds: JSON.stringify(records.map((record) => record.id)), projectId });
  if (records.length < RECORDS_A_STEP) await listAgain(scope, { traceRowId });
  return { after: null, spanCount: left.length };
}

const RECORDS_A_STEP = 500;

type SpanRow = Awaited<ReturnType<typeof selectSpans>>[number];

async function follow(scope: WriteScope, rows: readonly SpanRow[], projectId: number): Promise<void> {
  if (rows.length === 0) return;
  const rowIds = rows.map((row) => row.id);
  const calls = rows
    .map(toKnownSpan)
    .filter(({ callDistance, facts }) => callDistance === CLAIMS && facts.responseKey !== null);
  await moveRows(scope, { rowIds: JSON.stringify(rowIds), projectId });
  await moveAttached(scope, { rowIds: JSON.stringify(rowIds), projectId });
  await tellMoved(scope, { spanRowIds: rowIds });
  if (calls.length > 0) {
    await recountCalls(scope, { gone: calls, come: calls.map((call) => ({ call, projectRowId: projectId })) });
  }
}

interface SpansAfter extends SpanPlace {
  readonly traceRowId: number;
  readonly maxSpans: number;
}

/** Index: spans_of_trace. */
const selectSpans = prepareQuery(({ db }: QueryScope, values: SpansAfter) =>
  db
    .selectFrom('spans')
    .select(KNOWN_COLUMNS)
    .where('spans.trace_row_id', '=', values.traceRowId)
    .where((span) => span(span.refTuple('spans.start_us', 'spans.id'), '>', span.tuple(values.startUs, values.rowId)))
    .orderBy('spans.start_us')
    .orderBy('spans.id')
    .limit(values.maxSpans),
);

/** A span that is elsewhere than its trace. Index: spans_of_trace. */
const selectAbsent = prepareQuery(
  ({ db }: QueryScope, values: { readonly traceRowId: number; readonly projectId: number }) =>
    db
      .selectFrom('spans')
      .select('id')
      .where('trace_row_id', '=', values.traceRowId)
      .where('project_id', '<>', values.projectId)
      .limit(1),
);

interface Move {
  readonly rowIds: string;
  readonly projectId: number;
}

const moveRows = prepareQuery(({ db, dialect }: QueryScope, values: Move) =>
  db.updateTable('spans').set({ project_id: values.projectId }).where('id', 'in', dialect.numbersOfJson(values.rowIds)),
);

/** Index: log_records_of_span. */
const moveAttached = prepareQuery(({ db, dialect }: QueryScope, values: Move) =>
  db
    .updateTable('log_records')
    .set({ project_id: values.projectId })
    .where('span_row_id', 'in', dialect.numbersOfJson(values.rowIds)),
);

/** Log records of the trace that belong to no span. Index: log_records_waiting. */
const selectRecords = prepareQuery(
  ({ db }: QueryScope, values: { readonly traceId: string; readonly projectId: number }) =>
    db
      .selectFrom('log_records')
      .select('id')
      .where('trace_id', '=', values.traceId)
      .where('span_row_id', 'is', null)
      .where('project_id', '<>', values.projectId)
      .limit(RECORDS_A_STEP),
);

const moveRecords = prepareQuery(({ db, dialect }: QueryScope, values: Move) =>
  db
    .updateTable('log_records')
    .set({ project_id: values.projectId })
    .where('id', 'in', dialect.numbersOfJson(values.rowIds)),
);

const listAgain = prepareQuery(({ db }: QueryScope, values: { readonly traceRowId: number }) =>
  db.deleteFrom('unlisted_traces').where('trace_row_id', '=', values.traceRowId).where('deletion_id', 'is', null),
);
