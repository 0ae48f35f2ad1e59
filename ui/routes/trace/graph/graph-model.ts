/** A trace as a graph: its steps as nodes, who called whom and what came after what as edges. */
import type { Forest, TreeNode } from '../model/forest.ts';
import type { SpanKind } from '../model/trace-span.ts';

/** `merged`: the spans of one name and kind are one node; `expanded`: each is one. */
export type GraphMode = 'merged' | 'expanded';

/** A step. */
export interface GraphNode {
  readonly id: string;
  readonly name: string;
  readonly kind: SpanKind;
  /** Its spans in the order of the tree; more than one only where they are merged. */
  readonly calls: readonly TreeNode[];
  readonly errorCount: number;
}

/** What `call` joins is a span and its child; what `next` joins are siblings of which one began when the other had ended. */
export interface GraphEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly kind: 'call' | 'next';
  /** How often it was so. */
  readonly count: number;
}

/** See the file. */
export interface TraceGraph {
  readonly mode: GraphMode;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** The nodes that spans of the trace stand in, by the keys of the tree. */
  readonly byKey: ReadonlyMap<string, GraphNode>;
  /** Steps that were left out because there are too many. */
  readonly hiddenCount: number;
}

/** More are not laid out: then spans are merged, and of merged ones the rarest are left out. */
export const MAX_GRAPH_NODES = 2000;

/** Whether each span can be a node of its own. */
export function canExpand({ nodes }: Forest): boolean {
  return nodes.length <= MAX_GRAPH_NODES;
}

/** The graph of a trace; merged also where {@link canExpand} says that it must be. */
export function buildGraph(forest: Forest, wanted: GraphMode): TraceGraph {
  const mode = canExpand(forest) ? wanted : 'merged';
  const groups = Map.groupBy(forest.nodes, (node) => (mode === 'expanded' ? node.key : groupOf(node)));
  const all = [...groups].map(([id, calls]) => toNode(id, calls));
  const nodes = all.length <= MAX_GRAPH_NODES ? all : mostFrequent(all);
  const byKey = new Map(nodes.flatMap((node) => node.calls.map(({ key }) => [key, node] as const)));
  return { mode, nodes, edges: joinNodes(forest, byKey), byKey, hiddenCount: all.length - nodes.length };
}

/** The edges that lead back to a step from which they come: a step that calls itself, or steps in a circle. */
export function findLoops({ nodes, edges }: TraceGraph): ReadonlySet<string> {
  const outgoing = Map.groupBy(edges, ({ from }) => from);
  const state = new Map<string, 'open' | 'done'>();
  const loops = new Set<string>();
  for (const { id: root } of nodes) {
    if (state.has(root)) continue;
    state.set(root, 'open');
    const path = [{ id: root, place: 0 }];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const edge = outgoing.get(top.id)?.[top.place++];
      if (edge === undefined) {
        state.set(top.id, 'done');
        path.pop();
      } else if (state.get(edge.to) === 'open') loops.add(edge.id);
      else if (!state.has(edge.to)) {
        state.set(edge.to, 'open');
        path.push({ id: edge.to, place: 0 });
      }
    }
  }
  return loops;
}

function groupOf({ span }: TreeNode): string {
  return span === null ? 'not received' : `${span.kind} ${span.name}`;
}

function toNode(id: string, calls: readonly TreeNode[]): GraphNode {
  const span = calls[0]?.span ?? null;
  return {
    id,
    name: span?.name ?? 'Not received',
    kind: span?.kind ?? 'unknown',
    calls,
    errorCount: calls.filter((call) => call.span?.status === 'ERROR').length,
  };
}

/** In their order, without those of which there are fewest. */
function mostFrequent(nodes: readonly GraphNode[]): readonly GraphNode[] {
  const kept = new Set(nodes.toSorted((one, other) => other.calls.length - one.calls.length).slice(0, MAX_GRAPH_NODES));
  return nodes.filter((node) => kept.has(node));
}

function joinNodes({ nodes }: Forest, byKey: ReadonlyMap<string, GraphNode>): readonly GraphEdge[] {
  const steps = [...new Set(byKey.values())];
  const places = new Map(steps.map((step, place) => [step, place]));
  // Of up to 100,000 pairs: numbers are cheaper to look up than texts.
  const counts = new Map<number, number>();
  const join = (kind: 0 | 1, from: TreeNode, to: TreeNode) => {
    const [source, target] = [byKey.get(from.key), byKey.get(to.key)];
    if (source === undefined || target === undefined) return;
    const pair = ((places.get(source) ?? 0) * steps.length + (places.get(target) ?? 0)) * 2 + kind;
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  };
  for (const node of nodes) if (node.parent !== null) join(0, node.parent, node);
  const families = Map.groupBy(nodes, ({ parent }) => parent);
  for (const [parent, siblings] of families) {
    // Roots belong to no step that could have run them one after the other.
    if (parent === null) continue;
    for (const [before, node] of listSequence(siblings)) join(1, before, node);
  }
  return [...counts].map(([pair, count]) => {
    const ends = Math.floor(pair / 2);
    return {
      id: String(pair),
      from: steps[Math.floor(ends / steps.length)]?.id ?? '',
      to: steps[ends % steps.length]?.id ?? '',
      kind: pair % 2 === 0 ? 'call' : 'next',
      count,
    };
  });
}

/** Each sibling with the one that had ended last when it began. They come in the order of their starts. */
function listSequence(siblings: readonly TreeNode[]): readonly (readonly [TreeNode, TreeNode])[] {
  const ended = siblings
    .flatMap((node, place) => (node.endMs === null ? [] : [{ node, place, endMs: node.endMs }]))
    .sort((one, other) => one.endMs - other.endMs || one.place - other.place);
  const pairs: (readonly [TreeNode, TreeNode])[] = [];
  let at = 0;
  let last: TreeNode | undefined;
  for (const [place, node] of siblings.entries()) {
    for (let next = ended[at]; next !== undefined; next = ended[++at]) {
      // Of those without a duration one that stands later has not been yet.
      if (next.endMs > node.startMs || next.place >= place) break;
      last = next.node;
    }
    if (last !== undefined) pairs.push([last, node]);
  }
  return pairs;
}
