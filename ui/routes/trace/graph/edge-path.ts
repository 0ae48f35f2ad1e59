/** Ways of edges as SVG writes them. */
import type { Point } from './graph-layout.ts';

/** A smooth line through the neighbourhood of the points, from the first to the last. */
export function edgePath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined || rest.length === 0) return '';
  const [one, two, three] = rest;
  const start = `M${at(first)}`;
  if (rest.length === 3 && one && two && three) return `${start}C${at(one)} ${at(two)} ${at(three)}`;
  const pieces = rest.slice(0, -1).map((point, place) => {
    const next = rest[place + 1] ?? point;
    const isLast = place === rest.length - 2;
    return `Q${at(point)} ${at(isLast ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 })}`;
  });
  return start + (pieces.length === 0 ? `L${at(rest[0] ?? first)}` : pieces.join(''));
}

/** Where a count stands. */
export function edgeMiddle(points: readonly Point[]): Point | undefined {
  const half = points.length / 2;
  const [before, after] = [points[Math.ceil(half) - 1], points[Math.floor(half)]];
  if (before === undefined || after === undefined) return undefined;
  return { x: (before.x + after.x) / 2, y: (before.y + after.y) / 2 };
}

function at({ x, y }: Point): string {
  return `${round(x)} ${round(y)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
