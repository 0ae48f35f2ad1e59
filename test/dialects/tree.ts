/** Finds the spans that a scenario's tree asks for. */
import type { RestSpan } from '../harness/telemetry.ts';
import type { TreeNode } from './truth.ts';

/** Whether there are different spans for all nodes, each below the span of its parent. */
export function hasTree(
  spans: readonly RestSpan[],
  nodes: readonly TreeNode[],
  fits: (span: RestSpan, node: TreeNode) => boolean,
): boolean {
  const parents = new Map(spans.map((span) => [span.context.span_id, span.parent_id]));
  const flat = flatten(nodes, undefined);
  const taken = new Map<TreeNode, RestSpan>();
  let steps = 0;

  const place = (at: number): boolean => {
    const entry = flat[at];
    if (entry === undefined) return true;
    const { node, parent } = entry;
    const above = parent === undefined ? undefined : taken.get(parent)?.context.span_id;
    for (const span of spans) {
      if (++steps > MAX_STEPS) throw new Error('the tree takes too long to find');
      if ([...taken.values()].includes(span) || !fits(span, node)) continue;
      if (above !== undefined && !isBelow(span.context.span_id, above, parents)) continue;
      taken.set(node, span);
      if (place(at + 1)) return true;
      taken.delete(node);
    }
    return false;
  };
  return place(0);
}

/** All nodes of a tree, parents first. */
export function listNodes(nodes: readonly TreeNode[]): TreeNode[] {
  return flatten(nodes, undefined).map(({ node }) => node);
}

/** The tree of spans, one line each, as a report shows it. */
export function drawTree(spans: readonly RestSpan[]): string {
  const ids = new Set(spans.map((span) => span.context.span_id));
  const draw = (parent: string | null, depth: number): string[] =>
    spans
      .filter((span) =>
        parent === null ? span.parent_id === null || !ids.has(span.parent_id) : span.parent_id === parent,
      )
      .flatMap((span) => [
        `${'  '.repeat(depth)}${span.span_kind} ${span.name} ${span.status_code}`,
        ...(depth < MAX_DEPTH ? draw(span.context.span_id, depth + 1) : []),
      ]);
  return draw(null, 0).join('\n');
}

/** Recorded trees are far smaller. */
const MAX_STEPS = 1_000_000;
const MAX_DEPTH = 50;

interface Placed {
  readonly node: TreeNode;
  readonly parent: TreeNode | undefined;
}

function flatten(nodes: readonly TreeNode[], parent: TreeNode | undefined): Placed[] {
  return nodes.flatMap((node) => [{ node, parent }, ...flatten(node.children, node)]);
}

function isBelow(id: string, above: string, parents: ReadonlyMap<string, string | null>): boolean {
  let at = parents.get(id) ?? null;
  for (let depth = 0; at !== null && depth < MAX_DEPTH; depth++) {
    if (at === above) return true;
    at = parents.get(at) ?? null;
  }
  return false;
}
