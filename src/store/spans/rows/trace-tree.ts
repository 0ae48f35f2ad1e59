/** The spans of a trace as a tree, with what comes together below each of them. Cycles and repeated parents do no harm. */
import { type CallDistance, CLAIMS } from '#derive/usage';
import type { Subtree } from '../browse-port.ts';
import type { CountedColumns } from './cost-columns.ts';

/** What a tree is made of, in the order of start. */
export interface TreeSpan extends CountedColumns {
  readonly id: number;
  readonly span_id: string;
  readonly parent_span_id: string | null;
  readonly has_error: number;
  readonly call_distance: CallDistance;
}

const NONE = -1;

/** A distance that is none. */
const NO_CALL = 127;

/** The tree of one trace; places are those of the spans it was made of. */
export class TraceTree {
  readonly size: number;
  readonly #rowIds: Float64Array;
  readonly #places = new Map<number, number>();
  readonly #parents: Int32Array;
  /** Children of a span lie together, from its entry in `#firstChild` to that of the next. */
  readonly #firstChild: Int32Array;
  readonly #children: Int32Array;
  readonly #errorCounts: Float64Array;
  readonly #callDistances: Int8Array;
  readonly #promptTokens: Float64Array;
  readonly #completionTokens: Float64Array;
  readonly #costs: Float64Array;
  readonly #promptCosts: Float64Array;
  readonly #completionCosts: Float64Array;

  constructor(spans: readonly TreeSpan[]) {
    this.size = spans.length;
    this.#rowIds = Float64Array.from(spans, (span) => span.id);
    this.#errorCounts = Float64Array.from(spans, (span) => span.has_error);
    this.#callDistances = Int8Array.from(spans, (span) => span.call_distance ?? NO_CALL);
    this.#promptTokens = Float64Array.from(spans, (span) => span.counted_prompt_tokens);
    this.#completionTokens = Float64Array.from(spans, (span) => span.counted_completion_tokens);
    this.#costs = Float64Array.from(spans, (span) => span.counted_cost_nanousd);
    this.#promptCosts = Float64Array.from(spans, (span) => span.counted_prompt_cost_nanousd);
    this.#completionCosts = Float64Array.from(spans, (span) => span.counted_completion_cost_nanousd);
    for (const [place, { id }] of spans.entries()) this.#places.set(id, place);
    this.#parents = findParents(spans);
    this.#firstChild = new Int32Array(spans.length + 1);
    this.#children = new Int32Array(spans.length);
    this.#gatherChildren();
    this.#addUp();
  }

  /** What a span and all below it come to; `undefined` for a span that is not of the tree. */
  subtree(rowId: number): Subtree | undefined {
    const place = this.#places.get(rowId);
    if (place === undefined) return undefined;
    return {
      childCount: this.#childrenOf(place).length,
      errorCount: this.#errorCounts[place] ?? 0,
      promptTokenCount: this.#promptTokens[place] ?? 0,
      completionTokenCount: this.#completionTokens[place] ?? 0,
      costNanoUsd: this.#costs[place] ?? 0,
      promptCostNanoUsd: this.#promptCosts[place] ?? 0,
      completionCostNanoUsd: this.#completionCosts[place] ?? 0,
    };
  }

  /** Row ids of the spans below a span, level by level; at most so many levels, 0 for all. */
  descendants(rowId: number, maxDepth: number): readonly number[] {
    const start = this.#places.get(rowId);
    if (start === undefined) return [];
    const seen = new Uint8Array(this.size);
    seen[start] = 1;
    const found: number[] = [];
    let level = [start];
    for (let depth = 1; level.length > 0 && (maxDepth === 0 || depth <= maxDepth); depth++) {
      const below: number[] = [];
      for (const place of level) {
        for (const child of this.#childrenOf(place)) {
          if (seen[child] === 1) continue;
          seen[child] = 1;
          below.push(child);
          found.push(this.#rowIds[child] ?? 0);
        }
      }
      level = below;
    }
    return found;
  }

  /** Row ids of the nearest model calls with a claim below a span, at most so many. */
  nearestCalls(rowId: number, limit: number): readonly number[] {
    const start = this.#places.get(rowId);
    const found: number[] = [];
    const seen = new Set(start === undefined ? [] : [start]);
    let level = [...seen];
    while (level.length > 0) {
      const below: number[] = [];
      for (const child of level.flatMap((place) => [...this.#childrenOf(place)])) {
        const distance = this.#callDistances[child] ?? NO_CALL;
        if (distance === NO_CALL || seen.has(child)) continue;
        seen.add(child);
        if (distance > CLAIMS) below.push(child);
        else if (found.length < limit) found.push(this.#rowIds[child] ?? 0);
      }
      level = found.length < limit ? below : [];
    }
    return found;
  }

  #childrenOf(place: number): Int32Array {
    return this.#children.subarray(this.#firstChild[place], this.#firstChild[place + 1]);
  }

  #gatherChildren(): void {
    for (const parent of this.#parents) if (parent !== NONE) bump(this.#firstChild, parent + 1, 1);
    for (let place = 0; place < this.size; place++) bump(this.#firstChild, place + 1, this.#firstChild[place] ?? 0);
    const next = this.#firstChild.slice();
    for (const [place, parent] of this.#parents.entries()) {
      if (parent === NONE) continue;
      this.#children[next[parent] ?? 0] = place;
      bump(next, parent, 1);
    }
  }

  /** From the leaves up: a span is added to its parent when all below it has been added to it. One of a circle never is. */
  #addUp(): void {
    const waitingFor = Int32Array.from(this.#parents, (_parent, place) => this.#childrenOf(place).length);
    const ready: number[] = [];
    for (const [place, count] of waitingFor.entries()) if (count === 0) ready.push(place);
    for (let place = ready.pop(); place !== undefined; place = ready.pop()) {
      const parent = this.#parents[place] ?? NONE;
      if (parent === NONE) continue;
      bump(this.#errorCounts, parent, this.#errorCounts[place] ?? 0);
      bump(this.#promptTokens, parent, this.#promptTokens[place] ?? 0);
      bump(this.#completionTokens, parent, this.#completionTokens[place] ?? 0);
      bump(this.#costs, parent, this.#costs[place] ?? 0);
      bump(this.#promptCosts, parent, this.#promptCosts[place] ?? 0);
      bump(this.#completionCosts, parent, this.#completionCosts[place] ?? 0);
      bump(waitingFor, parent, -1);
      if (waitingFor[parent] === 0) ready.push(parent);
    }
  }
}

function findParents(spans: readonly TreeSpan[]): Int32Array {
  const places = new Map(spans.map((span, place) => [span.span_id, place]));
  return Int32Array.from(spans, ({ parent_span_id: parentId, span_id: spanId }) =>
    parentId === null || parentId === spanId ? NONE : (places.get(parentId) ?? NONE),
  );
}

function bump(counts: Int32Array | Float64Array, place: number, by: number): void {
  counts[place] = (counts[place] ?? 0) + by;
}
