/** Writes the rows of traces that change, and of their sessions; the rows of their spans must be written already. */
import type { Kysely } from 'kysely';
import { changeSessions } from '#derive/session-rollup';
import { changeTrace, type TraceChange, type TraceRollup } from '#derive/trace-rollup';
import { NO_USAGE, type Usage } from '#derive/usage';
import type { Tables } from '../../schema/tables.ts';
import { prepareQuery } from './prepared-query.ts';
import { SessionBook, type SessionScope } from './session-book.ts';
import { loadTracesByRow, readTraceRoot, readTraceSession, readTraceTimes, type StoredTrace } from './stored-trace.ts';
import type { ColumnValue } from '../../engine/column-value.ts';

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
  const inserts: Record<string, ColumnValue>[] = [];
  for (const { projectId, stored } of work) {
    const session = stored?.rollup.session;
    if (session != null && stored?.sessionRowId != null)
      sessions.know(projectId, session.sessionId, stored.sessionRowId);
  }
  for (const { traceId, traceRowId, projectId, stored, change } of work) {
    const after = await settle(scope.db, traceRowId, change);
    for (const [sessionId, delta] of changeSessions(stored?.rollup, after))
      await sessions.add(projectId, sessionId, delta);
    const sessionRowId = after.session === null ? null : await sessions.rowId(projectId, after.session.sessionId);
    const values = toTraceValues(after, sessionRowId);
    if (stored === undefined) inserts.push({ id: traceRowId, trace_id: traceId, project_id: projectId, ...values });
    else await updateTrace(scope, { id: traceRowId, ...values });
  }
  await scope.bulkInsert('traces', inserts);
  await sessions.flush();
}

const updateTrace = prepareQuery(({ db }, row: TraceValues & { readonly id: number }) =>
  db
    .updateTable('traces')
    .set((trace) => ({
      revision: trace('revision', '+', 1),
      session_row_id: row.session_row_id,
      session_span_row_id: row.session_span_row_id,
      session_start_us: row.session_start_us,
      root_span_row_id: row.root_span_row_id,
      start_us: row.start_us,
      end_us: row.end_us,
      span_count: row.span_count,
      error_count: row.error_count,
      prompt_tokens: row.prompt_tokens,
      completion_tokens: row.completion_tokens,
      cost_nanousd: row.cost_nanousd,
      prompt_cost_nanousd: row.prompt_cost_nanousd,
      completion_cost_nanousd: row.completion_cost_nanousd,
    }))
    .where('id', '=', row.id),
);

/** The change with its stale parts read again; the spans are written by now. */
async function settle(db: Kysely<Tables>, traceRowId: number, { after, stale }: TraceChange): Promise<TraceRollup> {
  let settled = after;
  if (stale.times) {
    const { startUs, endUs } = await readTraceTimes(db, traceRowId);
    settled = { ...settled, startUs, endUs };
  }
  if (stale.root) settled = { ...settled, root: await readTraceRoot(db, traceRowId) };
  if (stale.session) settled = { ...settled, session: await readTraceSession(db, traceRowId) };
  return settled;
}

type TraceValues = ReturnType<typeof toTraceValues>;

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
    prompt_tokens: rollup.usage.promptTokens,
    completion_tokens: rollup.usage.completionTokens,
    cost_nanousd: rollup.usage.costNanoUsd,
    prompt_cost_nanousd: rollup.usage.promptCostNanoUsd,
    completion_cost_nanousd: rollup.usage.completionCostNanoUsd,
  };
}
