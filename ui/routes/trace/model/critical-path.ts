/** The critical path of a trace: the spans without which it would have ended earlier, followed back from its end. */
import type { Forest, TreeNode } from './forest.ts';

/** A stretch of the path. */
export interface CriticalStretch {
  /** Null where nothing ran. */
  readonly node: TreeNode | null;
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * The stretches from the start of the trace to its end, without a gap. What a span did before its last child began was
 * waited for by the child before it, and so on; what lies between children is the span's own.
 */
export function findCriticalPath(forest: Forest): readonly CriticalStretch[] {
  const stretches: CriticalStretch[] = [];
  const children = listChildrenByEnd(forest);
  const own = (node: TreeNode | null, startMs: number, endMs: number) => {
    if (endMs > startMs) stretches.push({ node, startMs, endMs });
  };
  const stack: Walk[] = [{ node: null, startMs: forest.startMs, atMs: forest.endMs, next: 0 }];
  for (let walk = stack.at(-1); walk !== undefined; walk = stack.at(-1)) {
    const child = children.get(walk.node)?.[walk.next++];
    if (child === undefined) {
      own(walk.node, walk.startMs, walk.atMs);
      stack.pop();
      continue;
    }
    const startMs = Math.max(child.startMs, walk.startMs);
    const endMs = Math.min(endOf(child, forest), walk.atMs);
    if (startMs >= endMs) continue;
    own(walk.node, endMs, walk.atMs);
    walk.atMs = startMs;
    stack.push({ node: child, startMs, atMs: endMs, next: 0 });
  }
  return stretches.toReversed();
}

/** A span that is being followed back: what lies before `atMs` is not on the path yet. */
interface Walk {
  readonly node: TreeNode | null;
  readonly startMs: number;
  atMs: number;
  next: number;
}

function listChildrenByEnd(forest: Forest): ReadonlyMap<TreeNode | null, readonly TreeNode[]> {
  const children = new Map<TreeNode | null, TreeNode[]>();
  for (const node of forest.nodes) {
    const siblings = children.get(node.parent);
    if (siblings === undefined) children.set(node.parent, [node]);
    else siblings.push(node);
  }
  for (const siblings of children.values())
    siblings.sort((one, other) => endOf(other, forest) - endOf(one, forest) || other.startMs - one.startMs);
  return children;
}

function endOf(node: TreeNode, forest: Forest): number {
  return node.endMs ?? forest.endMs;
}
