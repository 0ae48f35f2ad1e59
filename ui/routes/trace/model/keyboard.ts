/** What a key does in the tree. @see https://www.w3.org/WAI/ARIA/apg/patterns/treeview/ */
import { hasChildren } from './collapse.ts';
import type { TreeNode } from './forest.ts';
import type { TreePlace } from './tree-place.ts';
import { findRowIndex } from './visible-rows.ts';

/** See {@link decideKey}. */
export type KeyAction<Node = TreeNode> =
  | { readonly do: 'select'; readonly node: Node }
  | { readonly do: 'collapse' | 'expand' | 'expand siblings'; readonly node: Node };

/** What stands on the screen when a key is pressed. */
export interface KeyScene<Node = TreeNode> {
  readonly rows: readonly Node[];
  readonly selected: Node | undefined;
  readonly collapsed: ReadonlySet<string>;
  /** False while a filter decides which rows there are. */
  readonly canFold: boolean;
  /** Rows that fit on the screen. */
  readonly pageSize: number;
}

/** The action of a key; undefined when the tree does not know it. */
export function decideKey<Node extends TreePlace<Node>>(
  key: string,
  scene: KeyScene<Node>,
): KeyAction<Node> | undefined {
  const { rows, selected, pageSize } = scene;
  const at = selected === undefined ? -1 : findRowIndex(rows, selected);
  switch (key) {
    case 'ArrowDown':
      return selectAt(rows, at + 1);
    case 'ArrowUp':
      return selectAt(rows, at - 1);
    case 'PageDown':
      return selectAt(rows, at + pageSize);
    case 'PageUp':
      return selectAt(rows, at - pageSize);
    case 'Home':
      return selectAt(rows, 0);
    case 'End':
      return selectAt(rows, rows.length - 1);
    case 'ArrowRight':
      return selected && goIn(selected, scene, at);
    case 'ArrowLeft':
      return selected && goOut(selected, scene);
    case '*':
      return selected && { do: 'expand siblings', node: selected };
    default:
      return undefined;
  }
}

function selectAt<Node>(rows: readonly Node[], place: number): KeyAction<Node> | undefined {
  const node = rows[Math.min(Math.max(place, 0), rows.length - 1)];
  return node && { do: 'select', node };
}

function goIn<Node extends TreePlace<Node>>(
  node: Node,
  { rows, collapsed, canFold }: KeyScene<Node>,
  at: number,
): KeyAction<Node> | undefined {
  if (canFold && hasChildren(node) && collapsed.has(node.key)) return { do: 'expand', node };
  const below = rows[at + 1];
  return below?.parent === node ? { do: 'select', node: below } : undefined;
}

function goOut<Node extends TreePlace<Node>>(
  node: Node,
  { collapsed, canFold }: KeyScene<Node>,
): KeyAction<Node> | undefined {
  if (canFold && hasChildren(node) && !collapsed.has(node.key)) return { do: 'collapse', node };
  return node.parent === null ? undefined : { do: 'select', node: node.parent };
}

/** The next row, beginning behind the selected one, whose name begins with a text; typing more stays where it still fits. */
export function findByPrefix(
  rows: readonly TreeNode[],
  selected: TreeNode | undefined,
  prefix: string,
): TreeNode | undefined {
  const wanted = prefix.toLowerCase();
  const at = selected === undefined ? -1 : findRowIndex(rows, selected);
  const from = prefix.length === 1 ? at + 1 : Math.max(at, 0);
  for (let step = 0; step < rows.length; step++) {
    const node = rows[(from + step) % rows.length];
    if (node?.span?.name.toLowerCase().startsWith(wanted)) return node;
  }
  return undefined;
}
