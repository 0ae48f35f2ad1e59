/** Which nodes of a forest are rows on the screen. Rows are in the order of the tree. */
import type { Forest, TreeNode } from './forest.ts';
import type { TreePlace } from './tree-place.ts';

/** All nodes but those below a collapsed one. */
export function listRows<Node extends TreePlace<Node>>(
  { nodes }: { readonly nodes: readonly Node[] },
  collapsed: ReadonlySet<string>,
): readonly Node[] {
  if (collapsed.size === 0) return nodes;
  const rows: Node[] = [];
  for (let node = nodes[0]; node !== undefined; ) {
    rows.push(node);
    node = nodes[collapsed.has(node.key) ? node.endIndex : node.index + 1];
  }
  return rows;
}

/** Nodes that a filter leaves. */
export interface FilteredRows {
  /** Matches and all their ancestors. */
  readonly rows: readonly TreeNode[];
  readonly matches: readonly TreeNode[];
}

/**
 * The spans whose name, kind and model have all words of a query in them, in any case.
 * @param others ids of spans that are known to match in another way
 */
export function filterRows(forest: Forest, query: string, others: ReadonlySet<string> = NONE): FilteredRows {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = forest.nodes.filter(({ span }) => {
    if (span === null) return false;
    if (others.has(span.spanId)) return true;
    const text = `${span.name} ${span.kind} ${span.modelName ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const kept = new Set<TreeNode>();
  for (const match of matches) {
    for (let node: TreeNode | null = match; node !== null && !kept.has(node); node = node.parent) kept.add(node);
  }
  return { rows: forest.nodes.filter((node) => kept.has(node)), matches };
}

const NONE: ReadonlySet<string> = new Set();

/** Where a node is among rows; -1 when it is not. */
export function findRowIndex<Row extends Indexed>(rows: readonly Row[], node: Row): number {
  const at = lowerBound(rows, node.index);
  return rows[at]?.index === node.index ? at : -1;
}

/** What has a place in its forest. */
interface Indexed {
  readonly index: number;
}

/** The place of the first row that is at or behind an index of the forest. */
function lowerBound(rows: readonly Indexed[], index: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] as Indexed).index < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The next of some nodes behind (or before) a place of the forest, and from the end again from the beginning. */
export function stepThrough<Node extends Indexed>(
  nodes: readonly Node[],
  from: Node | undefined,
  direction: 'next' | 'previous',
): Node | undefined {
  if (direction === 'next') return nodes[lowerBound(nodes, (from?.index ?? -1) + 1)] ?? nodes[0];
  return nodes[lowerBound(nodes, from?.index ?? 0) - 1] ?? nodes.at(-1);
}

/** Which of some nodes a node is, from 1; 0 when it is none of them. */
export function ordinalOf<Node extends Indexed>(nodes: readonly Node[], node: Node | undefined): number {
  return node === undefined ? 0 : findRowIndex(nodes, node) + 1;
}
