/** Counts anew which calls count where some of them leave a project or come to one: the rule is in `derive/usage.ts`. */
import { addUsage, isSameUsage, NO_USAGE, type Usage, CLAIMS } from '#derive/usage';
import type { RecountedSpan, TraceCounts } from '../spans/write/count-calls.ts';
import { applyCounts, type WriteScope } from '../spans/write/request-writer.ts';
import { findRepeats } from '../spans/write/same-calls.ts';
import type { KnownSpan } from '../spans/write/stored-trace.ts';

/** Stored calls that claim, wrap nothing and have a response id, as they were before anything was changed. */
export interface CallChange {
  readonly gone: readonly KnownSpan[];
  /** Calls that are in another project now. */
  readonly come: readonly { readonly call: KnownSpan; readonly projectRowId: number }[];
}

/** Puts right what counts, in these calls and around them, with the sums of their traces and sessions. */
export async function recountCalls(scope: WriteScope, { gone, come }: CallChange): Promise<void> {
  const { rowIds: repeats, neighbours } = await findRepeats(scope, {
    projectIds: new Map(come.map(({ call, projectRowId }) => [call.traceRowId, projectRowId])),
    measured: come.map(({ call: { traceRowId, facts } }) => ({
      traceRowId,
      facts,
      distance: CLAIMS,
      stored: undefined,
    })),
    removed: gone,
  });
  const counts = new Map<number, { recounted: RecountedSpan[]; difference: Usage }>();
  for (const span of [...come.map(({ call }) => call), ...neighbours]) {
    const { facts, counted: before, callDistance, traceRowId } = span;
    const counted = repeats.has(facts.rowId) ? NO_USAGE : facts.claim;
    if (isSameUsage(before, counted)) continue;
    const ofTrace = counts.get(traceRowId) ?? { recounted: [], difference: NO_USAGE };
    counts.set(traceRowId, ofTrace);
    ofTrace.recounted.push({ rowId: facts.rowId, counted, callDistance });
    ofTrace.difference = addUsage(addUsage(ofTrace.difference, counted), before, -1);
  }
  if (counts.size === 0) return;
  const byTrace = new Map<number, TraceCounts>();
  for (const [traceRowId, ofTrace] of counts) byTrace.set(traceRowId, { arriving: new Map(), ...ofTrace });
  await applyCounts(scope, [], byTrace);
}
