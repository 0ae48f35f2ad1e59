/** Which part of the critical path belongs to which row. */
import type { CriticalStretch } from './critical-path.ts';
import type { Forest, TreeNode } from './forest.ts';

/** Time on the critical path, ascending and apart from each other. */
export interface PathMark {
  readonly stretches: readonly Pick<CriticalStretch, 'startMs' | 'endMs'>[];
  /** All of them together. */
  readonly lengthMs: number;
}

/** Finds the mark of a row; null where nothing of the row is on the path. A folded row stands for all below it. */
export type FindPathMark = (node: TreeNode, isFolded: boolean) => PathMark | null;

/** @param path as `findCriticalPath` gives it for this forest */
export function markPath(forest: Forest, path: readonly CriticalStretch[]): FindPathMark {
  const own = forest.nodes.map((): CriticalStretch[] => []);
  for (const stretch of path) if (stretch.node !== null) own[stretch.node.index]?.push(stretch);
  const folded = new Map<number, PathMark | null>();
  return (node, isFolded) => {
    if (!isFolded) return toMark(own[node.index] ?? []);
    const known = folded.get(node.index);
    if (known !== undefined) return known;
    const below = own.slice(node.index, node.endIndex).flat();
    const mark = toMark(below.sort((one, other) => one.startMs - other.startMs));
    folded.set(node.index, mark);
    return mark;
  };
}

function toMark(stretches: readonly CriticalStretch[]): PathMark | null {
  if (stretches.length === 0) return null;
  const joined: { startMs: number; endMs: number }[] = [];
  let lengthMs = 0;
  for (const { startMs, endMs } of stretches) {
    lengthMs += endMs - startMs;
    const last = joined.at(-1);
    if (last !== undefined && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs);
    else joined.push({ startMs, endMs });
  }
  return { stretches: joined, lengthMs };
}

/**
 * The mark as a line within a window whose width is 1000: the path data of SVG. What is too short or too close to be told
 * apart is drawn as one.
 */
export function drawMark(
  { stretches }: PathMark,
  window: { readonly startMs: number; readonly endMs: number },
): string {
  const scale = WIDTH / Math.max(window.endMs - window.startMs, 0.001);
  const parts: [from: number, to: number][] = [];
  for (const { startMs, endMs } of stretches) {
    const from = (startMs - window.startMs) * scale;
    const to = Math.max((endMs - window.startMs) * scale, from + SHORTEST);
    if (to < 0 || from > WIDTH) continue;
    const last = parts.at(-1);
    if (last !== undefined && from - last[1] < SHORTEST) last[1] = Math.max(last[1], to);
    else parts.push([from, to]);
  }
  return parts
    .map(([from, to]) => `M${round(Math.min(Math.max(from, 0), WIDTH - SHORTEST))} 0H${round(Math.min(to, WIDTH))}`)
    .join('');
}

const WIDTH = 1000;
/** About two pixels. */
const SHORTEST = 3;

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
