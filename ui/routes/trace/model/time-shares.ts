/**
 * Where the time of a trace went: each moment belongs to the spans that worked then, which are those that run and have no
 * child that runs; several share it. So the shares add up to the time in which anything ran.
 */
import { findCriticalPath } from './critical-path.ts';
import type { Forest, TreeNode } from './forest.ts';

/** What the spans of one name come to. */
export interface TimeShare {
  readonly name: string;
  readonly spanCount: number;
  /** Milliseconds of the trace that were theirs. */
  readonly shareMs: number;
  /** Milliseconds of its critical path. */
  readonly criticalMs: number;
  /** The span with the greatest share. */
  readonly longest: TreeNode;
}

/** Shares by the names of spans, the greatest first. */
export function listTimeShares(forest: Forest): readonly TimeShare[] {
  const criticalMs = new Float64Array(forest.nodes.length);
  for (const { node, startMs, endMs } of findCriticalPath(forest))
    if (node !== null) criticalMs[node.index] = (criticalMs[node.index] ?? 0) + endMs - startMs;
  const longestMs = new Map<string, number>();
  const byName = new Map<string, TimeShare>();
  for (const [index, shareMs] of shareTime(forest).entries()) {
    const node = forest.nodes[index];
    if (node === undefined || node.span === null) continue;
    const { name } = node.span;
    const before = byName.get(name);
    const isLongest = shareMs > (longestMs.get(name) ?? -1);
    if (isLongest) longestMs.set(name, shareMs);
    byName.set(name, {
      name,
      spanCount: (before?.spanCount ?? 0) + 1,
      shareMs: (before?.shareMs ?? 0) + shareMs,
      criticalMs: (before?.criticalMs ?? 0) + (criticalMs[index] ?? 0),
      longest: before === undefined || isLongest ? node : before.longest,
    });
  }
  return [...byName.values()].sort((one, other) => other.shareMs - one.shareMs);
}

/** Shares of single spans in milliseconds, by their index in `Forest.nodes`. A span that is open counts until the end of the trace. */
export function shareTime(forest: Forest): Float64Array {
  const { nodes } = forest;
  const shares = new Float64Array(nodes.length);
  const runningChildren = new Int32Array(nodes.length);
  const isRunning = new Uint8Array(nodes.length);
  // What a span that has worked alone or with others since the beginning would have: each adds what passed in between.
  let sharedMs = 0;
  let atMs = forest.startMs;
  let workerCount = 0;
  const change = (index: number, sign: 1 | -1) => {
    shares[index] = (shares[index] ?? 0) - sign * sharedMs;
    workerCount += sign;
  };
  for (const { timeMs, index, isStart } of listEdges(forest)) {
    if (workerCount > 0) sharedMs += (timeMs - atMs) / workerCount;
    atMs = timeMs;
    const parent = nodes[index]?.parent?.index;
    isRunning[index] = isStart ? 1 : 0;
    if (runningChildren[index] === 0) change(index, isStart ? 1 : -1);
    if (parent === undefined) continue;
    const before = runningChildren[parent] ?? 0;
    runningChildren[parent] = before + (isStart ? 1 : -1);
    if (isRunning[parent] === 1 && before === (isStart ? 0 : 1)) change(parent, isStart ? -1 : 1);
  }
  return shares;
}

interface Edge {
  readonly timeMs: number;
  readonly index: number;
  readonly isStart: boolean;
}

/** Starts and ends in the order of time; of one moment starts come first. Stand-ins of parents do no work. */
function listEdges({ nodes, endMs }: Forest): readonly Edge[] {
  const edges: Edge[] = [];
  for (const [index, { span }] of nodes.entries()) {
    if (span === null) continue;
    edges.push({ timeMs: span.startMs, index, isStart: true });
    edges.push({ timeMs: Math.max(span.endMs ?? endMs, span.startMs), index, isStart: false });
  }
  return edges.sort((one, other) => one.timeMs - other.timeMs || Number(other.isStart) - Number(one.isStart));
}
