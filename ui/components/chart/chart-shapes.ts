/** The shapes of a chart: bars on each other, lines, steps. All in pixels; `y` grows downwards. */
import type { ChartSeries } from './chart-data.ts';

/** One layer of a bar, in pixels above the ground. */
export interface Layer {
  readonly from: number;
  readonly to: number;
}

/** What is there is seen, however little it is. */
const LEAST_PX = 1.5;

/** For each series the layers of its bars, the first series at the ground; a layer of nothing has no height. */
export function layersOf(
  series: readonly ChartSeries[],
  heightOf: (value: number) => number,
): readonly (readonly Layer[])[] {
  const tops: number[] = [];
  return series.map(({ values }) =>
    values.map((value, place) => {
      const from = tops[place] ?? 0;
      const to = value === null || value <= 0 ? from : from + Math.max(LEAST_PX, heightOf(value));
      tops[place] = to;
      return { from, to };
    }),
  );
}

/** Left and right edge of a bar. */
export type Edges = readonly [left: number, right: number];

/** The bars of one series. */
export function barsPath(layers: readonly Layer[], edges: readonly Edges[], groundY: number): string {
  return layers
    .map(({ from, to }, place) => {
      const [left, right] = edges[place] ?? [0, 0];
      return to > from
        ? `M${px(left)} ${px(groundY - from)}V${px(groundY - to)}H${px(right)}V${px(groundY - from)}Z`
        : '';
    })
    .join('');
}

/** The upper edges of the same bars. */
export function topsPath(layers: readonly Layer[], edges: readonly Edges[], groundY: number): string {
  return layers
    .map(({ from, to }, place) => {
      const [left, right] = edges[place] ?? [0, 0];
      return to > from ? `M${px(left)} ${px(groundY - to)}H${px(right)}` : '';
    })
    .join('');
}

/** A place on the drawing. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A line through the points; it ends where one is missing. */
export function linePath(points: readonly (Point | null)[]): string {
  return points
    .map((point, place) => {
      if (point === null) return '';
      return `${points[place - 1] == null ? 'M' : 'L'}${px(point.x)} ${px(point.y)}`;
    })
    .join('');
}

/** A line with a step for each bucket; it ends where a value is missing. */
export function stepsPath(heights: readonly (number | null)[], edges: readonly Edges[], groundY: number): string {
  return heights
    .map((height, place) => {
      const [left, right] = edges[place] ?? [0, 0];
      if (height === null) return '';
      const y = px(groundY - height);
      return heights[place - 1] == null ? `M${px(left)} ${y}H${px(right)}` : `V${y}H${px(right)}`;
    })
    .join('');
}

/** Places of the points of a line that get a mark: those that stand alone, and others this far apart. */
export function markedPlaces(points: readonly (Point | null)[], apartPx: number): readonly number[] {
  const marked: number[] = [];
  let lastX = Number.NEGATIVE_INFINITY;
  points.forEach((point, place) => {
    if (point === null) return;
    const isAlone = points[place - 1] == null && points[place + 1] == null;
    if (!isAlone && point.x - lastX < apartPx) return;
    marked.push(place);
    lastX = point.x;
  });
  return marked;
}

/** The bucket at a distance from the left of the first one. */
export function placeAt(x: number, edges: readonly Edges[]): number {
  const place = edges.findLastIndex(([left]) => left <= x);
  return Math.max(0, place);
}

function px(value: number): string {
  return String(Math.round(value * 100) / 100);
}
