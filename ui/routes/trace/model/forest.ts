/** Spans as trees, whatever order they come in and whatever is missing; linear in their number, and without recursion. */
import type { TraceSpan } from './trace-span.ts';

/** A place in the tree: a span, or the stand-in of a parent that has not arrived. */
export interface TreeNode {
  /** The span id; a stand-in has that of the span it stands for, so that both are one place. */
  readonly key: string;
  /** Null: a stand-in. */
  readonly span: TraceSpan | null;
  readonly parent: TreeNode | null;
  /** Place in `Forest.nodes`. */
  readonly index: number;
  /** Place behind the last descendant. */
  readonly endIndex: number;
  /** 0 for a root. */
  readonly depth: number;
  /** Among its siblings, from 1. */
  readonly position: number;
  readonly siblingCount: number;
  /** A stand-in reaches from its first child's start to its last child's end. */
  readonly startMs: number;
  /** Null while it, or any child of a stand-in, is open. */
  readonly endMs: number | null;
  /** Failed spans among it and its descendants. */
  readonly errorCount: number;
  /** What it and its descendants cost. */
  readonly costNanoUsd: number;
  /** Its parent descends from it, so it stands as a root. */
  readonly isLoopCut: boolean;
}

/** All spans of a trace, parents before children, siblings by start. */
export interface Forest {
  readonly nodes: readonly TreeNode[];
  readonly byKey: ReadonlyMap<string, TreeNode>;
  /** In the order of the tree. */
  readonly failed: readonly TreeNode[];
  /** Spans whose parent is missing. */
  readonly orphanCount: number;
  /** Whether any span was sent as a root. */
  readonly hasRoot: boolean;
  readonly openCount: number;
  readonly costNanoUsd: number;
  readonly maxDepth: number;
  readonly startMs: number;
  /** The latest end, or start where later spans are open. */
  readonly endMs: number;
}

/** A node while the forest is being built. */
class Draft {
  readonly key: string;
  readonly span: TraceSpan | null;
  parent: Draft | null = null;
  readonly children: Draft[] = [];
  index = 0;
  endIndex = 0;
  depth = 0;
  position = 1;
  siblingCount = 1;
  startMs: number;
  endMs: number | null;
  errorCount: number;
  costNanoUsd: number;
  isLoopCut = false;
  walk: 'unseen' | 'on path' | 'done' = 'unseen';

  constructor(key: string, span: TraceSpan | null) {
    this.key = key;
    this.span = span;
    this.startMs = span === null ? 0 : span.startMs;
    this.endMs = span === null ? null : span.endMs;
    this.errorCount = span?.status === 'ERROR' ? 1 : 0;
    this.costNanoUsd = span?.costNanoUsd ?? 0;
  }
}

/** The forest of spans whose span ids differ. */
export function buildForest(spans: Iterable<TraceSpan>): Forest {
  const drafts = [...spans].sort(compareSpans).map((span) => new Draft(span.spanId, span));
  const byKey = new Map(drafts.map((draft) => [draft.key, draft]));
  const standIns = link(drafts, byKey);
  for (const draft of drafts) cutLoop(draft);
  for (const draft of drafts) draft.parent?.children.push(draft);
  for (const standIn of standIns) spanChildren(standIn);
  const roots = [...standIns, ...drafts.filter(({ parent }) => parent === null)];
  const nodes = order(roots.sort((one, other) => one.startMs - other.startMs));
  return describe(nodes, byKey);
}

function compareSpans(one: TraceSpan, other: TraceSpan): number {
  return one.startMs - other.startMs || (one.spanId < other.spanId ? -1 : 1);
}

/** Gives each draft its parent; returns the stand-ins that it took, which are then known by key too. */
function link(drafts: readonly Draft[], byKey: Map<string, Draft>): Draft[] {
  const standIns: Draft[] = [];
  for (const draft of drafts) {
    const parentId = draft.span?.parentId ?? null;
    if (parentId === null) continue;
    let parent = byKey.get(parentId);
    if (parent === undefined) {
      parent = new Draft(parentId, null);
      byKey.set(parentId, parent);
      standIns.push(parent);
    }
    draft.parent = parent;
  }
  return standIns;
}

/** Where parents lead back to themselves, the earliest span of the loop becomes a root. */
function cutLoop(from: Draft): void {
  const path: Draft[] = [];
  let at: Draft | null = from;
  for (; at !== null && at.walk === 'unseen'; at = at.parent) {
    at.walk = 'on path';
    path.push(at);
  }
  if (at?.walk === 'on path') {
    const loop = path.slice(path.indexOf(at));
    const first = loop.reduce((one, other) => (compareDrafts(one, other) <= 0 ? one : other));
    first.parent = null;
    first.isLoopCut = true;
  }
  for (const draft of path) draft.walk = 'done';
}

function compareDrafts(one: Draft, other: Draft): number {
  return one.startMs - other.startMs || (one.key < other.key ? -1 : 1);
}

function spanChildren(standIn: Draft): void {
  standIn.startMs = standIn.children[0]?.startMs ?? 0;
  standIn.endMs = standIn.startMs;
  for (const { endMs } of standIn.children) {
    standIn.endMs = standIn.endMs === null || endMs === null ? null : Math.max(standIn.endMs, endMs);
  }
}

/** Parents before children. */
function order(roots: readonly Draft[]): readonly Draft[] {
  const nodes: Draft[] = [];
  const stack: Draft[] = [];
  pushSiblings(stack, roots);
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    node.index = nodes.length;
    node.endIndex = nodes.length + 1;
    node.depth = node.parent === null ? 0 : node.parent.depth + 1;
    nodes.push(node);
    pushSiblings(stack, node.children);
  }
  for (const node of nodes.toReversed()) {
    if (node.parent === null) continue;
    node.parent.endIndex = Math.max(node.parent.endIndex, node.endIndex);
    node.parent.errorCount += node.errorCount;
    node.parent.costNanoUsd += node.costNanoUsd;
  }
  return nodes;
}

function pushSiblings(stack: Draft[], siblings: readonly Draft[]): void {
  for (let place = siblings.length - 1; place >= 0; place--) {
    const node = siblings[place] as Draft;
    node.position = place + 1;
    node.siblingCount = siblings.length;
    stack.push(node);
  }
}

function describe(nodes: readonly TreeNode[], byKey: ReadonlyMap<string, TreeNode>): Forest {
  let startMs = Infinity;
  let endMs = -Infinity;
  let maxDepth = 0;
  for (const node of nodes) {
    startMs = Math.min(startMs, node.startMs);
    endMs = Math.max(endMs, node.endMs ?? node.startMs);
    maxDepth = Math.max(maxDepth, node.depth);
  }
  return {
    nodes,
    byKey,
    failed: nodes.filter(({ span }) => span?.status === 'ERROR'),
    orphanCount: nodes.filter(({ parent }) => parent !== null && parent.span === null).length,
    hasRoot: nodes.some(({ span }) => span?.parentId === null),
    openCount: nodes.filter(({ span }) => span !== null && span.endMs === null).length,
    costNanoUsd: nodes.reduce((sum, { span }) => sum + (span?.costNanoUsd ?? 0), 0),
    maxDepth,
    startMs: nodes.length === 0 ? 0 : startMs,
    endMs: nodes.length === 0 ? 0 : endMs,
  };
}
