/**
 * Keeps the distances of spans to the nearest claim below them, while spans come and go: the rule is in `derive/usage.ts`.
 *
 * What a distance rested on may be gone with a span that was removed. Such distances are forgotten, from the removed span
 * upwards; then all unknown ones are found as shortest paths are, nearest first, along the edges to parents. Nothing else is
 * looked at: a span makes at most {@link MAX_CALL_DISTANCE} others change, however large its trace is.
 */
import {
  type CallDistance,
  CLAIMS,
  distanceAbove,
  isClaiming,
  looksBelow,
  MAX_CALL_DISTANCE,
  reachOf,
  type SpanFacts,
  WRAPS,
} from '#derive/usage';
import type { QueryScope } from '../../queries/prepared-query.ts';
import { loadLeastDistances } from './stored-calls.ts';
import { type KnownSpan, loadSpansById } from './stored-trace.ts';

/** What comes to a trace and what goes from it. */
export interface TraceEdit {
  readonly traceRowId: number;
  readonly arriving: readonly SpanFacts[];
  /** Stored spans that are no longer there, or arrive anew. */
  readonly removed: readonly KnownSpan[];
  /** Stored spans by id, those of the parents of arriving spans among them; `undefined` for a trace that is not stored. */
  readonly known: ReadonlyMap<string, KnownSpan> | undefined;
}

/** A span whose distance is new. */
export interface MeasuredSpan {
  readonly traceRowId: number;
  readonly facts: SpanFacts;
  readonly distance: CallDistance;
  /** The span as it is stored, unless it arrives. */
  readonly stored: KnownSpan | undefined;
}

/** Measures the spans that arrive in all the traces, and stored ones that measure differently now; none that do more than group. */
export async function measureDistances(
  scope: QueryScope,
  edits: readonly TraceEdit[],
): Promise<readonly MeasuredSpan[]> {
  const traces = edits.map((edit) => new MeasuredTrace(edit));
  await forgetAbove(scope, traces);
  await findNearest(scope, traces);
  return traces.flatMap((trace) => trace.measured());
}

interface Node {
  readonly facts: SpanFacts;
  readonly stored: KnownSpan | undefined;
  distance: CallDistance;
}

/** What is looked at of a trace. */
class MeasuredTrace {
  readonly traceRowId: number;
  readonly isStored: boolean;
  readonly removed: readonly KnownSpan[];
  readonly #nodes = new Map<string, Node>();
  readonly #stored = new Map<string, KnownSpan | undefined>();

  constructor({ traceRowId, arriving, removed, known }: TraceEdit) {
    this.traceRowId = traceRowId;
    this.isStored = known !== undefined;
    this.removed = removed;
    for (const facts of arriving) {
      if (!looksBelow(facts)) {
        // It has no distance, and whatever lies below it need not ask for it.
        this.#stored.set(facts.spanId, undefined);
        continue;
      }
      this.#nodes.set(facts.spanId, { facts, stored: undefined, distance: null });
      // Parents were looked up: one that is not known is not there.
      if (facts.parentSpanId !== null) this.#stored.set(facts.parentSpanId, undefined);
    }
    for (const [spanId, span] of known ?? []) this.#stored.set(spanId, span);
    for (const { facts } of removed) this.#stored.set(facts.spanId, undefined);
  }

  /** Spans whose distances are unknown, or changed. */
  nodes(): Iterable<Node> {
    return this.#nodes.values();
  }

  node(spanId: string): Node | undefined {
    return this.#nodes.get(spanId);
  }

  /** A stored span whose distance holds, as far as is known. */
  settled(spanId: string): KnownSpan | undefined {
    return this.#nodes.has(spanId) ? undefined : this.#stored.get(spanId);
  }

  put(stored: KnownSpan, distance: CallDistance): Node {
    const node = { facts: stored.facts, stored, distance };
    this.#nodes.set(stored.facts.spanId, node);
    return node;
  }

  /** Whether the store must be asked for the span. */
  isUnread(spanId: string): boolean {
    return this.isStored && !this.#nodes.has(spanId) && !this.#stored.has(spanId);
  }

  read(spanId: string, span: KnownSpan | undefined): void {
    this.#stored.set(spanId, span);
  }

  measured(): MeasuredSpan[] {
    const { traceRowId } = this;
    return [...this.#nodes.values()].flatMap(({ facts, stored, distance }) =>
      stored !== undefined && stored.callDistance === distance ? [] : { traceRowId, facts, distance, stored },
    );
  }
}

/** An edge from a span to its parent. */
interface Edge {
  readonly trace: MeasuredTrace;
  readonly parentSpanId: string;
  /** Of the span. */
  readonly reach: number;
}

/** Forgets the distances that may rest on a removed span. */
async function forgetAbove(scope: QueryScope, traces: readonly MeasuredTrace[]): Promise<void> {
  let edges = traces.flatMap((trace) => trace.removed.flatMap((span) => edgeOfRemoved(trace, span)));
  while (edges.length > 0) {
    await readParents(scope, edges);
    const above: Edge[] = [];
    for (const { trace, parentSpanId, reach } of edges) {
      const parent = trace.settled(parentSpanId);
      if (parent === undefined) continue;
      if (parent.callDistance === WRAPS) trace.put(parent, CLAIMS);
      else if (parent.callDistance === reach + 1) {
        trace.put(parent, null);
        above.push(...edgeAbove(trace, parent.facts, parent.callDistance));
      }
    }
    edges = above;
  }
}

/** The edge of a span that goes, unless it comes again with the same meaning to its parent. */
function edgeOfRemoved(trace: MeasuredTrace, { facts, callDistance }: KnownSpan): Edge[] {
  const again = trace.node(facts.spanId)?.facts;
  const isSame = again?.parentSpanId === facts.parentSpanId && isClaiming(again) && isClaiming(facts);
  return isSame ? [] : edgeAbove(trace, facts, callDistance);
}

function edgeAbove(trace: MeasuredTrace, { spanId, parentSpanId }: SpanFacts, distance: CallDistance): Edge[] {
  const reach = reachOf(distance);
  return reach === null || parentSpanId === null || parentSpanId === spanId ? [] : [{ trace, parentSpanId, reach }];
}

/** Finds unknown distances, those of the nearest first, and what they change above. */
async function findNearest(scope: QueryScope, traces: readonly MeasuredTrace[]): Promise<void> {
  const levels = Array.from({ length: MAX_CALL_DISTANCE + 1 }, (): Edge[] => []);
  const reached = (trace: MeasuredTrace, node: Node) => {
    for (const edge of edgeAbove(trace, node.facts, node.distance)) levels[edge.reach]?.push(edge);
  };
  const least = await readLeast(scope, traces);
  for (const trace of traces) {
    const ofTrace = least.get(trace.traceRowId);
    for (const node of trace.nodes()) {
      node.distance = distanceAbove(node.facts, reachOf(ofTrace?.get(node.facts.spanId) ?? null));
      reached(trace, node);
    }
  }
  for (const edges of levels) {
    await readParents(scope, edges);
    for (const { trace, parentSpanId, reach } of edges) {
      const nearer = approach(trace, parentSpanId, reach);
      if (nearer !== undefined) reached(trace, nearer);
    }
  }
}

/** Tells a span that a child of it has the reach; returns it where it is nearer now to what lies above it. */
function approach(trace: MeasuredTrace, spanId: string, reach: number): Node | undefined {
  const settled = trace.settled(spanId);
  const node = trace.node(spanId) ?? (settled && { facts: settled.facts, distance: settled.callDistance });
  if (node === undefined) return undefined;
  const distance = distanceAbove(node.facts, reach);
  if (distance === null || !isNearer(distance, node.distance)) return undefined;
  if (settled !== undefined) trace.put(settled, distance);
  else node.distance = distance;
  return distance === WRAPS ? undefined : trace.node(spanId);
}

/** A claim that wraps another is never nearer to what lies above it than it was. */
function isNearer(distance: number, was: CallDistance): boolean {
  return distance === WRAPS ? was !== WRAPS : was === null || distance < was;
}

/** Of the spans whose distances are unknown, the least of what is stored below them. */
async function readLeast(scope: QueryScope, traces: readonly MeasuredTrace[]) {
  const wanted = new Map<number, Set<string>>();
  const except: number[] = [];
  for (const trace of traces) {
    if (!trace.isStored) continue;
    for (const { facts } of trace.removed) except.push(facts.rowId);
    const ids = new Set<string>();
    for (const { facts, stored } of trace.nodes()) {
      ids.add(facts.spanId);
      if (stored !== undefined) except.push(facts.rowId);
    }
    if (ids.size > 0) wanted.set(trace.traceRowId, ids);
  }
  return loadLeastDistances(scope, wanted, except);
}

/** Reads the parents that nothing is known of. */
async function readParents(scope: QueryScope, edges: readonly Edge[]): Promise<void> {
  const unread = edges.filter(({ trace, parentSpanId }) => trace.isUnread(parentSpanId));
  const wanted = new Map<number, Set<string>>();
  for (const { trace, parentSpanId } of unread) {
    wanted.set(trace.traceRowId, (wanted.get(trace.traceRowId) ?? new Set()).add(parentSpanId));
  }
  const found = await loadSpansById(scope, wanted);
  for (const { trace, parentSpanId } of unread) {
    trace.read(parentSpanId, found.get(trace.traceRowId)?.get(parentSpanId));
  }
}
