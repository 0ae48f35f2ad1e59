/** Which nodes are collapsed, by key, so that the state outlives every change of the tree. */
import type { Forest, TreeNode } from './forest.ts';
import type { TreePlace } from './tree-place.ts';

/** Whether a node has children. */
export function hasChildren(node: { readonly index: number; readonly endIndex: number }): boolean {
  return node.endIndex > node.index + 1;
}

/** Every node that has children, collapsed. */
export function collapseAll(forest: Forest): ReadonlySet<string> {
  return new Set(forest.nodes.filter(hasChildren).map(({ key }) => key));
}

/** One node collapsed or expanded. */
export function setCollapsed(collapsed: ReadonlySet<string>, key: string, isCollapsed: boolean): ReadonlySet<string> {
  if (collapsed.has(key) === isCollapsed) return collapsed;
  const changed = new Set(collapsed);
  if (isCollapsed) changed.add(key);
  else changed.delete(key);
  return changed;
}

/** Every ancestor expanded, so that the node is a row. */
export function reveal<Node extends TreePlace<Node>>(collapsed: ReadonlySet<string>, node: Node): ReadonlySet<string> {
  let changed = collapsed;
  for (let above: Node | null = node.parent; above !== null; above = above.parent) {
    if (!changed.has(above.key)) continue;
    if (changed === collapsed) changed = new Set(collapsed);
    (changed as Set<string>).delete(above.key);
  }
  return changed;
}

/** A node and its siblings expanded. */
export function expandSiblings(forest: Forest, collapsed: ReadonlySet<string>, node: TreeNode): ReadonlySet<string> {
  const changed = new Set(collapsed);
  for (const sibling of listSiblings(forest, node)) changed.delete(sibling.key);
  return changed;
}

function* listSiblings(forest: Forest, node: TreeNode): Generator<TreeNode> {
  const behind = node.parent?.endIndex ?? forest.nodes.length;
  let at = forest.nodes[node.parent === null ? 0 : node.parent.index + 1];
  while (at !== undefined && at.index < behind) {
    yield at;
    at = forest.nodes[at.endIndex];
  }
}
