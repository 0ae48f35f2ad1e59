/** Which children of one span are which of another. */
import { findEqualRuns, longestRise } from '#ui/lib/diff/sequence-diff.ts';
import type { TreeNode } from '../../trace/model/forest.ts';
import type { Signatures } from './signatures.ts';

/** Two spans that are one step. */
export interface SiblingPair {
  readonly left: TreeNode;
  readonly right: TreeNode;
  /** Another order than that of its siblings; not said of those that ran at the same time. */
  readonly isMoved: boolean;
}

/** See {@link SiblingAligner}. */
export interface SiblingAlignment {
  /** In the order of the left, moved ones where they are on the right. */
  readonly items: readonly (SiblingPair | { readonly left: TreeNode } | { readonly right: TreeNode })[];
}

/** Pairs of spans that all lists of an alignment may try together; a table of so many takes about 100 ms. */
const MAX_CELLS = 6_000_000;
/** Pairs that one list may try. */
const MAX_LIST_CELLS = 1_500_000;
/** Differences between long lists that are looked for before they are cut into shorter ones. */
const MAX_EDITS = 1000;

/** Unpaired spans of the right that one of the left may be another name of. */
const MAX_RENAMED_TRIED = 50;

/** How much two spans are alike. */
const SCORE = { whole: 9, shape: 5, label: 4, loose: 2, sameContent: 2, sameStatus: 1 } as const;

/** Aligns lists of siblings, with so much work for all of them together that a page does not wait for it. */
export class SiblingAligner {
  readonly #left: Signatures;
  readonly #right: Signatures;
  #cellsLeft = MAX_CELLS;

  constructor(left: Signatures, right: Signatures) {
    this.#left = left;
    this.#right = right;
  }

  align(left: readonly TreeNode[], right: readonly TreeNode[]): SiblingAlignment {
    const partnerOf = new Int32Array(left.length).fill(-1);
    this.#findAnchors(left, right, partnerOf);
    const taken = new Set(partnerOf);
    const anchors = new Set<number>(partnerOf.entries().flatMap(([at, partner]) => (partner < 0 ? [] : [at])));
    this.#findMoved(left, right, partnerOf, taken);
    this.#findRenamed(left, right, partnerOf, taken, anchors);
    return { items: merge(left, right, partnerOf, anchors) };
  }

  /** Pairs that keep their order. */
  #findAnchors(left: readonly TreeNode[], right: readonly TreeNode[], partnerOf: Int32Array): void {
    if (this.#mayTry(left.length * right.length)) return this.#findBest(left, 0, right, 0, partnerOf);
    const wholes = (nodes: readonly TreeNode[], { whole }: Signatures) => nodes.map(({ index }) => whole[index] ?? -1);
    const runs = findEqualRuns(wholes(left, this.#left), wholes(right, this.#right), MAX_EDITS) ?? [];
    let [leftAt, rightAt] = [0, 0];
    for (const run of [...runs, { left: left.length, right: right.length, length: 0 }]) {
      const gap = [left.slice(leftAt, run.left), right.slice(rightAt, run.right)] as const;
      if (this.#mayTry(gap[0].length * gap[1].length)) this.#findBest(gap[0], leftAt, gap[1], rightAt, partnerOf);
      else this.#pairByCount(gap[0], leftAt, gap[1], rightAt, partnerOf);
      for (let step = 0; step < run.length; step++) partnerOf[run.left + step] = run.right + step;
      [leftAt, rightAt] = [run.left + run.length, run.right + run.length];
    }
  }

  #mayTry(cells: number): boolean {
    if (cells > Math.min(MAX_LIST_CELLS, this.#cellsLeft)) return false;
    this.#cellsLeft -= cells;
    return true;
  }

  /** The pairs that are most alike together. */
  #findBest(
    left: readonly TreeNode[],
    leftStart: number,
    right: readonly TreeNode[],
    rightStart: number,
    partnerOf: Int32Array,
  ): void {
    const width = right.length + 1;
    const best = new Int32Array((left.length + 1) * width);
    for (let x = left.length - 1; x >= 0; x--) {
      for (let y = right.length - 1; y >= 0; y--) {
        const score = this.#score(left[x] as TreeNode, right[y] as TreeNode);
        const paired = score === 0 ? 0 : score + (best[(x + 1) * width + y + 1] ?? 0);
        best[x * width + y] = Math.max(paired, best[(x + 1) * width + y] ?? 0, best[x * width + y + 1] ?? 0);
      }
    }
    for (let [x, y] = [0, 0]; x < left.length && y < right.length; ) {
      const here = best[x * width + y];
      const score = this.#score(left[x] as TreeNode, right[y] as TreeNode);
      if (score > 0 && here === score + (best[(x + 1) * width + y + 1] ?? 0)) {
        partnerOf[leftStart + x++] = rightStart + y++;
      } else if (here === best[(x + 1) * width + y]) x++;
      else y++;
    }
  }

  /** Too many to try: the first of a name with the first, as far as that keeps the order. */
  #pairByCount(
    left: readonly TreeNode[],
    leftStart: number,
    right: readonly TreeNode[],
    rightStart: number,
    partnerOf: Int32Array,
  ): void {
    const waiting = this.#byLabel(right, 'label', () => true);
    const pairs = left.flatMap(({ index }, at): [number, number][] => {
      const partner = waiting.get(this.#left.label[index] ?? -1)?.shift();
      return partner === undefined ? [] : [[at, partner]];
    });
    for (const place of longestRise(pairs.map(([, partner]) => partner))) {
      const [at, partner] = pairs[place] ?? [0, 0];
      partnerOf[leftStart + at] = rightStart + partner;
    }
  }

  #score({ index: x, span: one }: TreeNode, { index: y, span: other }: TreeNode): number {
    const [left, right] = [this.#left, this.#right];
    const isContentKnown = (left.content[x] ?? -1) >= 0;
    const isSameContent = isContentKnown && left.content[x] === right.content[y];
    if (left.label[x] !== right.label[y]) {
      return left.looseLabel[x] === right.looseLabel[y] ? SCORE.loose + (isSameContent ? SCORE.sameContent : 0) : 0;
    }
    if (left.whole[x] === right.whole[y]) return SCORE.whole;
    const alike = left.shape[x] === right.shape[y] ? SCORE.shape : SCORE.label;
    return alike + (isSameContent ? SCORE.sameContent : 0) + (one?.status === other?.status ? SCORE.sameStatus : 0);
  }

  /** Spans of the same name that stand elsewhere: first those that are the same in all, then one after the other. */
  #findMoved(left: readonly TreeNode[], right: readonly TreeNode[], partnerOf: Int32Array, taken: Set<number>): void {
    for (const by of ['whole', 'label'] as const) {
      const waiting = this.#byLabel(right, by, (at) => !taken.has(at));
      if (waiting.size === 0) return;
      for (const [at, { index }] of left.entries()) {
        if ((partnerOf[at] ?? -1) >= 0) continue;
        const partner = waiting.get(this.#left[by][index] ?? -1)?.shift();
        if (partner === undefined) continue;
        partnerOf[at] = partner;
        taken.add(partner);
      }
    }
  }

  #byLabel(
    right: readonly TreeNode[],
    by: 'label' | 'whole',
    isFree: (at: number) => boolean,
  ): ReadonlyMap<number, Queue> {
    const places = new Map<number, number[]>();
    for (const [at, { index }] of right.entries()) {
      if (!isFree(at)) continue;
      const label = this.#right[by][index] ?? -1;
      const list = places.get(label);
      if (list === undefined) places.set(label, [at]);
      else list.push(at);
    }
    return new Map([...places].map(([label, list]) => [label, new Queue(list)]));
  }

  /** Spans between the same neighbours that do the same under another name. */
  #findRenamed(
    left: readonly TreeNode[],
    right: readonly TreeNode[],
    partnerOf: Int32Array,
    taken: Set<number>,
    anchors: Set<number>,
  ): void {
    const anchored = new Set([...anchors].map((at) => partnerOf[at] ?? -1));
    let rightAt = 0;
    for (const [at, node] of left.entries()) {
      const partner = partnerOf[at] ?? -1;
      if (anchors.has(at)) rightAt = partner + 1;
      if (partner >= 0) continue;
      const end = Math.min(right.length, rightAt + MAX_RENAMED_TRIED);
      for (let place = rightAt; place < end && !anchored.has(place); place++) {
        const other = right[place];
        if (other === undefined || taken.has(place) || !this.#isRenamed(node, other)) continue;
        partnerOf[at] = place;
        taken.add(place);
        anchors.add(at);
        rightAt = place + 1;
        break;
      }
    }
  }

  #isRenamed(one: TreeNode, other: TreeNode): boolean {
    if (one.span === null || other.span === null || one.span.kind !== other.span.kind) return false;
    if (one.parent === null && other.parent === null) return true;
    const [below, otherBelow] = [this.#left.children[one.index] ?? [], this.#right.children[other.index] ?? []];
    if (below.length === 0 && otherBelow.length === 0) {
      // Another tool is another step, another name of a call of a model is not.
      return CALLS.has(one.span.kind) || this.#hasSameContent(one, other);
    }
    const labels = new Set(below.map(({ index }) => this.#left.label[index]));
    const common = otherBelow.filter(({ index }) => labels.has(this.#right.label[index])).length;
    return common > 0 && common * 2 >= otherBelow.length;
  }

  #hasSameContent(one: TreeNode, other: TreeNode): boolean {
    const content = this.#left.content[one.index] ?? -1;
    return content >= 0 && content === this.#right.content[other.index];
  }
}

const CALLS: ReadonlySet<string> = new Set(['llm', 'embedding', 'reranker', 'retriever']);

/** Numbers that are taken from the front. */
class Queue {
  readonly #items: readonly number[];
  #at = 0;

  constructor(items: readonly number[]) {
    this.#items = items;
  }

  shift(): number | undefined {
    return this.#items[this.#at++];
  }
}

function merge(
  left: readonly TreeNode[],
  right: readonly TreeNode[],
  partnerOf: Int32Array,
  anchors: ReadonlySet<number>,
): SiblingAlignment['items'] {
  const leftOf = new Map<number, number>();
  for (const [at, partner] of partnerOf.entries()) if (partner >= 0) leftOf.set(partner, at);
  const items: (SiblingPair | { readonly left: TreeNode } | { readonly right: TreeNode })[] = [];
  // On the left, what is only there stands before what is only on the right, up to the next pair that keeps the order.
  const endOf = new Int32Array(right.length).fill(left.length);
  for (let place = right.length - 1, end = left.length; place >= 0; place--) {
    const at = leftOf.get(place);
    if (at !== undefined && anchors.has(at)) end = at;
    endOf[place] = end;
  }
  let leftAt = 0;
  const passLeft = (end: number) => {
    for (; leftAt < end; leftAt++) {
      const node = left[leftAt];
      if (node !== undefined && (partnerOf[leftAt] ?? -1) < 0) items.push({ left: node });
    }
  };
  for (const [place, node] of right.entries()) {
    passLeft(endOf[place] ?? 0);
    const at = leftOf.get(place);
    const partner = at === undefined ? undefined : left[at];
    if (at === undefined || partner === undefined) {
      items.push({ right: node });
      continue;
    }
    const isParallel = isConcurrent(left, at) && isConcurrent(right, place);
    items.push({ left: partner, right: node, isMoved: !anchors.has(at) && !isParallel });
  }
  passLeft(left.length);
  return items;
}

/** Whether a span ran while a sibling beside it did; siblings are in the order of their start. */
function isConcurrent(siblings: readonly TreeNode[], at: number): boolean {
  const [before, node, next] = [siblings[at - 1], siblings[at], siblings[at + 1]];
  if (node === undefined) return false;
  const isBefore = before !== undefined && (before.endMs ?? Infinity) > node.startMs;
  return isBefore || (next !== undefined && (node.endMs ?? Infinity) > next.startMs);
}
