/** What the change of a trace means for the sessions that it is or was part of. */
import type { TraceRollup } from './trace-rollup.ts';
import { addUsage, NO_USAGE, type Usage } from './usage.ts';

/** What is added to a session's sums. */
export interface SessionDelta {
  readonly traceCount: number;
  readonly errorCount: number;
  readonly usage: Usage;
  /** Widens the session's times; `null` where nothing of the trace is part of it any more. */
  readonly times: { readonly startUs: number; readonly endUs: number } | null;
  /** Whether the session's times may have shrunk, so that they must be read again from its traces. */
  readonly isShrinking: boolean;
}

/** The changes by session id, when a trace goes from one state to the next. */
export function changeSessions(before: TraceRollup | undefined, after: TraceRollup): ReadonlyMap<string, SessionDelta> {
  const deltas = new Map<string, SessionDelta>();
  const [from, to] = [before?.session?.sessionId, after.session?.sessionId];
  if (before !== undefined && from !== undefined && from !== to) {
    const usage = addUsage(NO_USAGE, before.usage, -1);
    deltas.set(from, { traceCount: -1, errorCount: -before.errorCount, usage, times: null, isShrinking: true });
  }
  if (to !== undefined) {
    const joins = from !== to;
    const old = joins ? undefined : before;
    deltas.set(to, {
      traceCount: joins ? 1 : 0,
      errorCount: after.errorCount - (old?.errorCount ?? 0),
      usage: addUsage(after.usage, old?.usage ?? NO_USAGE, -1),
      times: { startUs: after.startUs, endUs: after.endUs },
      isShrinking: old !== undefined && (after.startUs > old.startUs || after.endUs < old.endUs),
    });
  }
  return deltas;
}
