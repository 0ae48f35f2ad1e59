/**
 * Which spans of two traces are the same step, as one tree. Both trees are walked from their roots: the children of two
 * spans that belong together are aligned by name, kind and order, so that retries, inserted spans and spans that ran in another
 * order find their partners. A span that stands in between, as a wrapper does, adopts what it took from its parent.
 */
import type { Forest, TreeNode } from '../../trace/model/forest.ts';
import { SiblingAligner } from './align-siblings.ts';
import { type ContentKey, Signer, type Signatures } from './signatures.ts';

/** A place in the tree of both traces: a pair of spans, or a span that only one of them has. */
export interface AlignedNode {
  readonly key: string;
  readonly left: TreeNode | null;
  readonly right: TreeNode | null;
  /** It stands in another order than on the left. */
  readonly isMoved: boolean;
  readonly parent: AlignedNode | null;
  readonly index: number;
  readonly endIndex: number;
  readonly depth: number;
  /** Among its siblings, from 1. */
  readonly position: number;
  readonly siblingCount: number;
}

/** Both traces as one tree. */
export interface Alignment {
  /** Parents before children. */
  readonly nodes: readonly AlignedNode[];
  readonly byKey: ReadonlyMap<string, AlignedNode>;
  readonly maxDepth: number;
}

/** A node while the tree is being made. */
class Draft implements AlignedNode {
  readonly left: TreeNode | null;
  readonly right: TreeNode | null;
  readonly isMoved: boolean;
  readonly key: string;
  readonly parent: Draft | null;
  readonly children: Draft[] = [];
  index = 0;
  endIndex = 0;
  readonly depth: number;
  position = 1;
  siblingCount = 1;

  constructor(parent: Draft | null, left: TreeNode | null, right: TreeNode | null, isMoved = false) {
    this.left = left;
    this.right = right;
    this.isMoved = isMoved;
    this.key = `${left?.key ?? ''}-${right?.key ?? ''}`;
    this.parent = parent;
    this.depth = parent === null ? 0 : parent.depth + 1;
  }
}

/** Lists whose nodes belong together, below a node of both trees. */
interface Task {
  readonly parent: Draft | null;
  readonly left: readonly TreeNode[];
  readonly right: readonly TreeNode[];
}

/**
 * Aligns two forests, each of which may be empty.
 * @param contentOf what spans hold, which tells repeated steps apart; without it names and places decide
 */
export function alignForests(left: Forest, right: Forest, contentOf: ContentKey = () => undefined): Alignment {
  const signer = new Signer(contentOf);
  return new Aligner(signer.sign(left), signer.sign(right)).align();
}

class Aligner {
  readonly #left: Signatures;
  readonly #right: Signatures;
  readonly #siblings: SiblingAligner;
  readonly #roots: Draft[] = [];
  readonly #tasks: Task[] = [];

  constructor(left: Signatures, right: Signatures) {
    this.#left = left;
    this.#right = right;
    this.#siblings = new SiblingAligner(left, right);
  }

  align(): Alignment {
    const [left, right] = [this.#left.roots, this.#right.roots];
    // To compare two traces says that their roots belong together.
    if (left.length === 1 && right.length === 1) this.#add(null, left[0] ?? null, right[0] ?? null, false);
    else this.#tasks.push({ parent: null, left, right });
    for (let task = this.#tasks.pop(); task !== undefined; task = this.#tasks.pop()) this.#run(task);
    return toAlignment(this.#roots);
  }

  #run({ parent, left, right }: Task): void {
    const items =
      left.length === 0 || right.length === 0 ? [...left.map(onlyLeft), ...right.map(onlyRight)] : undefined;
    const aligned = items ?? this.#siblings.align(left, right).items;
    const spareLeft = aligned.flatMap((item) => ('right' in item ? [] : [item.left]));
    const spareRight = aligned.flatMap((item) => ('left' in item ? [] : [item.right]));
    const fromLeft = adopt(spareRight, this.#right, spareLeft, this.#left);
    // What was adopted adopts nothing itself, and what adopts is not adopted.
    const fromRight = adopt(
      spareLeft.filter((node) => !fromLeft.taken.has(node)),
      this.#left,
      spareRight.filter((node) => !fromLeft.byWrapper.has(node)),
      this.#right,
    );
    for (const item of aligned) {
      if ('left' in item && 'right' in item) {
        this.#add(parent, item.left, item.right, item.isMoved);
      } else if ('left' in item) {
        if (!fromLeft.taken.has(item.left)) this.#addWrapper(parent, item.left, fromRight.byWrapper, 'left');
      } else if (!fromRight.taken.has(item.right)) {
        this.#addWrapper(parent, item.right, fromLeft.byWrapper, 'right');
      }
    }
  }

  #add(parent: Draft | null, left: TreeNode | null, right: TreeNode | null, isMoved: boolean): void {
    const draft = new Draft(parent, left, right, isMoved);
    (parent?.children ?? this.#roots).push(draft);
    const below = (node: TreeNode | null, { children }: Signatures) =>
      node === null ? [] : (children[node.index] ?? []);
    this.#plan({ parent: draft, left: below(left, this.#left), right: below(right, this.#right) });
  }

  /** A span of one side, with what it took from its parent on the other. */
  #addWrapper(
    parent: Draft | null,
    node: TreeNode,
    byWrapper: ReadonlyMap<TreeNode, readonly TreeNode[]>,
    side: 'left' | 'right',
  ): void {
    const draft = new Draft(parent, side === 'left' ? node : null, side === 'right' ? node : null);
    (parent?.children ?? this.#roots).push(draft);
    const own = (side === 'left' ? this.#left : this.#right).children[node.index] ?? [];
    const others = byWrapper.get(node) ?? [];
    this.#plan({ parent: draft, left: side === 'left' ? own : others, right: side === 'left' ? others : own });
  }

  #plan(task: Task): void {
    if (task.left.length + task.right.length > 0) this.#tasks.push(task);
  }
}

const onlyLeft = (left: TreeNode) => ({ left });
const onlyRight = (right: TreeNode) => ({ right });

interface Adoption {
  readonly byWrapper: ReadonlyMap<TreeNode, readonly TreeNode[]>;
  readonly taken: ReadonlySet<TreeNode>;
}

/** Spans without a partner that stand below a span of the other side which has none either. */
function adopt(
  wrappers: readonly TreeNode[],
  ofWrappers: Signatures,
  spare: readonly TreeNode[],
  ofSpare: Signatures,
): Adoption {
  const byWrapper = new Map<TreeNode, TreeNode[]>();
  const taken = new Set<TreeNode>();
  if (spare.length === 0) return { byWrapper, taken };
  const byLabel = Map.groupBy(spare, ({ index }) => ofSpare.label[index] ?? -1);
  for (const wrapper of wrappers) {
    const below = ofWrappers.children[wrapper.index] ?? [];
    for (const { index } of below) {
      const partner = byLabel.get(ofWrappers.label[index] ?? -1)?.shift();
      if (partner === undefined) continue;
      taken.add(partner);
      byWrapper.set(wrapper, [...(byWrapper.get(wrapper) ?? []), partner]);
    }
  }
  for (const nodes of byWrapper.values()) nodes.sort((one, other) => one.index - other.index);
  return { byWrapper, taken };
}

function toAlignment(roots: readonly Draft[]): Alignment {
  const nodes: Draft[] = [];
  const stack: Draft[] = [];
  push(stack, roots);
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    node.index = nodes.length;
    node.endIndex = nodes.length + 1;
    nodes.push(node);
    push(stack, node.children);
  }
  let maxDepth = 0;
  for (const node of nodes.toReversed()) {
    maxDepth = Math.max(maxDepth, node.depth);
    if (node.parent !== null) node.parent.endIndex = Math.max(node.parent.endIndex, node.endIndex);
  }
  return { nodes, byKey: new Map(nodes.map((node) => [node.key, node])), maxDepth };
}

function push(stack: Draft[], siblings: readonly Draft[]): void {
  for (let place = siblings.length - 1; place >= 0; place--) {
    const node = siblings[place] as Draft;
    node.position = place + 1;
    node.siblingCount = siblings.length;
    stack.push(node);
  }
}
