/**
 * What counts of the claims of arriving spans, and of stored ones around them: the rules of `derive/usage.ts`, applied with
 * a few reads whose number does not depend on how large traces are.
 */
import { addUsage, type CallDistance, CLAIMS, isSameUsage, NO_USAGE, type Usage } from '#derive/usage';
import { measureDistances, type TraceEdit } from './call-distances.ts';
import { findRepeats, type SameCallScope } from './same-calls.ts';
import type { SpanCount } from './span-values.ts';
import type { KnownSpan } from './stored-trace.ts';

/** What comes to a trace of a project and what goes from it. */
export interface ProjectTraceEdit extends TraceEdit {
  readonly projectId: number;
}

/** A stored span that counts otherwise than before. */
export interface RecountedSpan extends SpanCount {
  readonly rowId: number;
}

/** What counts in a trace now. */
export interface TraceCounts {
  /** Of arriving spans, by span id. */
  readonly arriving: ReadonlyMap<string, SpanCount>;
  readonly recounted: readonly RecountedSpan[];
  /** What counts of the recounted spans, less what did. */
  readonly difference: Usage;
}

/** Counts what the edits change, by row id of the trace: in another trace, too, that describes the same calls. */
export async function countCalls(
  scope: SameCallScope,
  edits: readonly ProjectTraceEdit[],
): Promise<ReadonlyMap<number, TraceCounts>> {
  const measured = await measureDistances(scope, edits);
  const { rowIds: repeats, neighbours } = await findRepeats(scope, {
    projectIds: new Map(edits.map(({ traceRowId, projectId }) => [traceRowId, projectId])),
    measured,
    removed: edits.flatMap(({ removed }) => removed),
  });
  const counts = new Counts();
  const countedOf = ({ rowId, claim }: KnownSpan['facts'], distance: CallDistance): Usage =>
    distance === CLAIMS && !repeats.has(rowId) ? claim : NO_USAGE;
  for (const { traceRowId, facts, distance, stored } of measured) {
    const count = { counted: countedOf(facts, distance), callDistance: distance };
    if (stored === undefined) counts.add(traceRowId, facts.spanId, count);
    else counts.recount(stored, count);
  }
  for (const span of neighbours) {
    counts.recount(span, { counted: countedOf(span.facts, span.callDistance), callDistance: span.callDistance });
  }
  return counts.byTrace;
}

/** Counts by trace, as they are found. */
class Counts {
  readonly byTrace = new Map<number, GrowingCounts>();

  add(traceRowId: number, spanId: string, count: SpanCount): void {
    this.#of(traceRowId).arriving.set(spanId, count);
  }

  /** Notes a stored span where something about it is another now. */
  recount({ traceRowId, facts, counted, callDistance }: KnownSpan, count: SpanCount): void {
    if (callDistance === count.callDistance && isSameUsage(counted, count.counted)) return;
    const trace = this.#of(traceRowId);
    trace.recounted.push({ ...count, rowId: facts.rowId });
    trace.difference = addUsage(addUsage(trace.difference, count.counted), counted, -1);
  }

  #of(traceRowId: number): GrowingCounts {
    let counts = this.byTrace.get(traceRowId);
    if (counts === undefined) {
      counts = { arriving: new Map(), recounted: [], difference: NO_USAGE };
      this.byTrace.set(traceRowId, counts);
    }
    return counts;
  }
}

interface GrowingCounts {
  readonly arriving: Map<string, SpanCount>;
  readonly recounted: RecountedSpan[];
  difference: Usage;
}
