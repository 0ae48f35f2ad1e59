/** What two traces have not in common, row by row. */
import { CONTENT_PARTS, type ContentPart } from '#domain/span-contents';
import type { TreeNode } from '../../trace/model/forest.ts';
import type { AlignedNode, Alignment } from './align.ts';

/** Digests of what a span holds; `null` for nothing. */
export type ContentDigests = Readonly<Record<ContentPart, string | null>>;

/** Digests by global id of the span, as far as they are known. */
export type DigestsById = ReadonlyMap<string, ContentDigests>;

/** The parts of a pair that differ. */
export type ChangedPart = 'status' | ContentPart | 'model' | 'name' | 'order' | 'time' | 'tokens' | 'cost';

/** An amount on both sides. */
export interface FigurePair {
  readonly left: number | null;
  readonly right: number | null;
}

/** What a row says of its pair. */
export interface RowDifference {
  /** Nothing for a span that only one side has. */
  readonly parts: readonly ChangedPart[];
  /** Milliseconds. */
  readonly time: FigurePair;
  readonly tokens: FigurePair;
  /** Billionths of a dollar. */
  readonly cost: FigurePair;
}

/** The differences of two traces. */
export interface Comparison {
  /** By the index of the node. */
  readonly rows: readonly RowDifference[];
  /** Rows that differ, in the order of the tree; of spans that only one side has, the topmost. */
  readonly differing: readonly AlignedNode[];
  /** By the index of the node: rows that differ among it and its descendants. */
  readonly differingBelow: Int32Array;
  readonly changedCount: number;
  readonly onlyLeftCount: number;
  readonly onlyRightCount: number;
}

/** What is alike enough: figures differ between any two runs. */
const TIME_FLOOR_MS = 50;
const TOKEN_FLOOR = 10;
const COST_FLOOR_NANO_USD = 1000;
const LARGE_SHARE = 0.2;

/** Compares the pairs of an alignment; contents as far as their digests are known. */
export function compareTraces({ nodes }: Alignment, left: DigestsById, right: DigestsById): Comparison {
  const rows = nodes.map((node) => compareRow(node, left, right));
  const differing = nodes.filter((node) => isDifferent(node, rows[node.index]));
  const differingBelow = new Int32Array(nodes.length);
  for (const { index } of differing) differingBelow[index] = 1;
  for (const { index, parent } of nodes.toReversed()) {
    if (parent !== null)
      differingBelow[parent.index] = (differingBelow[parent.index] ?? 0) + (differingBelow[index] ?? 0);
  }
  const count = (isCounted: (node: AlignedNode) => boolean) => nodes.filter(isCounted).length;
  return {
    rows,
    differing,
    differingBelow,
    changedCount: differing.filter((node) => node.left !== null && node.right !== null).length,
    onlyLeftCount: count((node) => node.right === null),
    onlyRightCount: count((node) => node.left === null),
  };
}

function isDifferent(node: AlignedNode, row: RowDifference | undefined): boolean {
  if (node.left !== null && node.right !== null) return (row?.parts.length ?? 0) > 0;
  const { parent } = node;
  if (parent === null) return true;
  // What is below a span that only one side has is only there, too.
  return node.left === null ? parent.left !== null : parent.right !== null;
}

function compareRow({ left, right, isMoved }: AlignedNode, lefts: DigestsById, rights: DigestsById): RowDifference {
  const figures = {
    time: { left: timeOf(left), right: timeOf(right) },
    tokens: { left: left?.span?.tokenCount ?? null, right: right?.span?.tokenCount ?? null },
    cost: { left: costOf(left), right: costOf(right) },
  };
  const [one, other] = [left?.span, right?.span];
  if (one == null || other == null) return { parts: [], ...figures };
  const [oneHolds, otherHolds] = [lefts.get(one.id), rights.get(other.id)];
  const parts: ChangedPart[] = [];
  if (failed(one.status) !== failed(other.status)) parts.push('status');
  if (oneHolds !== undefined && otherHolds !== undefined)
    parts.push(...CONTENT_PARTS.filter((part) => oneHolds[part] !== otherHolds[part]));
  if (one.modelName !== other.modelName) parts.push('model');
  // A call that is named after its model is renamed with it.
  else if (one.name !== other.name) parts.push('name');
  if (isMoved) parts.push('order');
  if (isLarge(figures.time, TIME_FLOOR_MS)) parts.push('time');
  if (isLarge(figures.tokens, TOKEN_FLOOR)) parts.push('tokens');
  if (isLarge(figures.cost, COST_FLOOR_NANO_USD)) parts.push('cost');
  return { parts, ...figures };
}

const failed = (status: string) => status === 'ERROR';

function timeOf(node: TreeNode | null): number | null {
  return node === null || node.endMs === null ? null : node.endMs - node.startMs;
}

function costOf(node: TreeNode | null): number | null {
  const cost = node?.span?.costNanoUsd ?? 0;
  return cost === 0 ? null : cost;
}

/** Whether two amounts differ by a fifth of the larger, and by more than counts for nothing. */
export function isLarge({ left, right }: FigurePair, floor: number): boolean {
  if (left === null || right === null) return false;
  const change = Math.abs(right - left);
  return change >= floor && change >= LARGE_SHARE * Math.max(left, right);
}

/** Nodes below which nothing differs, so that they need not be open. */
export function listEqualParents({ nodes }: Alignment, { differingBelow }: Comparison): ReadonlySet<string> {
  return new Set(
    nodes
      .filter(({ index, endIndex, left, right }) => {
        const hasChildren = endIndex > index + 1;
        return hasChildren && (left === null || right === null || countBelow(differingBelow, index, nodes) === 0);
      })
      .map(({ key }) => key),
  );
}

/** Rows that differ among the descendants alone. */
function countBelow(differingBelow: Int32Array, index: number, nodes: readonly AlignedNode[]): number {
  const node = nodes[index];
  let count = 0;
  for (let at = index + 1; node !== undefined && at < node.endIndex; at = nodes[at]?.endIndex ?? node.endIndex)
    count += differingBelow[at] ?? 0;
  return count;
}
