/** Bars laid over each other for an overview of a trace. */
import type { Forest, TreeNode } from './forest.ts';

/** Which line a span's bar is drawn on. */
export interface LaneBar {
  readonly node: TreeNode;
  readonly lane: number;
}

/** Bars by depth, so that parallel spans and their parents are told apart; deeper ones share the last line. Failed spans come last, so that nothing is drawn over them. */
export function listLanes(
  forest: Forest,
  maxLanes: number,
): { readonly bars: readonly LaneBar[]; readonly count: number } {
  const bars: LaneBar[] = [];
  const failed: LaneBar[] = [];
  for (const node of forest.nodes) {
    if (node.span === null) continue;
    const bar = { node, lane: Math.min(node.depth, maxLanes - 1) };
    (node.span.status === 'ERROR' ? failed : bars).push(bar);
  }
  return { bars: [...bars, ...failed], count: Math.min(forest.maxDepth + 1, maxLanes) };
}
