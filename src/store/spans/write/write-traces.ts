/** Writes the rows of traces that change, and of their sessions; the rows of their spans must be written already. */
import { changeSessions } from '#derive/session-rollup';
import { changeTrace, type TraceChange, type TraceRollup } from '#derive/trace-rollup';
import { NO_USAGE, type Usage } from '#derive/usage';
import { SessionBook, type SessionScope } from './session-book.ts';
import {
  loadTracesByRow,
  readTraceRoots,
  readTraceSessions,
  readTraceTimes,
  type StoredTrace,
} from './stored-trace.ts';
import type { ColumnValue } from '../../schema/column-value.ts';
import { toSumValues } from '../rows/cost-columns.ts';

/** A trace that changes. */
export interface ChangingTrace {
  readonly traceId: string;
  readonly traceRowId: number;
  readonly projectId: number;
  readonly stored: StoredTrace | undefined;
}

/** What becomes of it. */
export interface TraceWork extends ChangingTrace {
  readonly change: TraceChange;
}

/** Adds to the sums of traces, by row id, and of their sessions; returns the traces. */
export async function addToTraces(
  scope: SessionScope,
  differences: ReadonlyMap<number, Usage>,
): Promise<readonly { readonly traceId: string; readonly projectId: number }[]> {
  const stored = await loadTracesByRow(scope, [...differences.keys()]);
  const work = [...stored].map(([traceId, trace]) =>
    addUsageTo(traceId, trace, differences.get(trace.rowId) ?? NO_USAGE),
  );
  await writeTraces(scope, work);
  return work;
}

/** The work of a trace of which nothing changes but what counts. */
export function addUsageTo(traceId: string, trace: StoredTrace, difference: Usage): TraceWork {
  const nothing = { arriving: [], replaced: [], neighbours: new Set<string>() };
  const change = changeTrace({ before: trace.rollup, recounted: difference, ...nothing });
  return { traceId, traceRowId: trace.rowId, projectId: trace.projectId, stored: trace, change };
}

/** Writes them. */
export async function writeTraces(scope: SessionScope, work: readonly TraceWork[]): Promise<void> {
  const sessions = new SessionBook(scope);
  for (const { projectId, stored } of work) {
    const session = stored?.rollup.session;
    if (session != null && stored?.sessionRowId != null)
      sessions.know(projectId, session.sessionId, stored.sessionRowId);
  }
  const settled = await settle(scope, work);
  await sessions.find(
    settled.flatMap(({ projectId, after: { session } }) =>
      session === null ? [] : { projectId, sessionId: session.sessionId },
    ),
  );
  const inserts: Record<string, ColumnValue>[] = [];
  const updates: Record<string, ColumnValue>[] = [];
  for (const { traceId, traceRowId, projectId, stored, after } of settled) {
    for (const [sessionId, delta] of changeSessions(stored?.rollup, after)) sessions.add(projectId, sessionId, delta);
    const sessionRowId = after.session && sessions.rowId(projectId, after.session.sessionId);
    const leftRowId = stored?.sessionRowId ?? null;
    if (leftRowId !== null && sessionRowId !== null && leftRowId !== sessionRowId)
      sessions.join(leftRowId, sessionRowId);
    const values = toTraceValues(after, sessionRowId);
    if (stored === undefined) inserts.push({ id: traceRowId, trace_id: traceId, project_id: projectId, ...values });
    else updates.push({ id: traceRowId, revision: 1, ...values });
  }
  await scope.bulkUpdate('traces', updates, { revision: 'add' });
  await scope.bulkInsert('traces', inserts);
  await sessions.flush();
}

interface SettledTrace extends ChangingTrace {
  readonly after: TraceRollup;
}

/** The changes with their stale parts read again; the spans are written by now. */
async function settle(scope: SessionScope, work: readonly TraceWork[]): Promise<readonly SettledTrace[]> {
  const withStale = (part: keyof TraceChange['stale']) =>
    work.filter(({ change }) => change.stale[part]).map(({ traceRowId }) => traceRowId);
  const times = await readTraceTimes(scope, withStale('times'));
  const roots = await readTraceRoots(scope, withStale('root'));
  const sessions = await readTraceSessions(scope, withStale('session'));
  return work.map(({ change: { after, stale }, ...trace }) => ({
    ...trace,
    after: {
      ...after,
      ...times.get(trace.traceRowId),
      ...(stale.root && { root: roots.get(trace.traceRowId) ?? null }),
      ...(stale.session && { session: sessions.get(trace.traceRowId) ?? null }),
    },
  }));
}

function toTraceValues(rollup: TraceRollup, sessionRowId: number | null) {
  return {
    session_row_id: sessionRowId,
    session_span_row_id: rollup.session?.rowId ?? null,
    session_start_us: rollup.session?.startUs ?? null,
    root_span_row_id: rollup.root?.rowId ?? null,
    start_us: rollup.startUs,
    end_us: rollup.endUs,
    span_count: rollup.spanCount,
    error_count: rollup.errorCount,
    ...toSumValues(rollup.usage),
  };
}
