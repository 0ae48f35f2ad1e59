/** Where everything of a chart stands in its drawing, in pixels. */
import { type ChartData, type ShownSeries, stackBefore, totalAt } from './chart-data.ts';
import { timeTicks, type TimeTick, valueTicks } from './chart-scale.ts';
import type { Edges } from './chart-shapes.ts';
import type { Quantity } from './quantity.ts';

/** Of the whole drawing. */
export const HEIGHT_PX = 190;
/** Above the highest line. */
export const PLOT_TOP_PX = 8;
/** For the line of times. */
const BOTTOM_PX = 24;
/** Of a figure on the axis, about. */
const FIGURE_PX = 6.4;
/** Between two labels of times. */
const LABEL_PX = 64;
/** Bars are no wider than this. */
const MAX_BAR_PX = 48;

/** See the file. */
export interface ChartFrame {
  readonly width: number;
  readonly plotLeft: number;
  /** Of the value 0. */
  readonly groundY: number;
  readonly values: readonly number[];
  readonly times: readonly TimeTick[];
  /** Of the bars, with gaps between them. */
  readonly edges: readonly Edges[];
  /** Of the buckets, without gaps. */
  readonly columns: readonly Edges[];
  readonly heightOf: (value: number) => number;
  readonly xOf: (timeMs: number) => number;
}

/** The frame of a chart that is so wide. */
export function frameOf(
  { timesMs, endMs }: ChartData,
  shown: readonly ShownSeries[],
  options: { readonly width: number; readonly isStacked: boolean; readonly quantity: Quantity; readonly zone: string },
): ChartFrame {
  const { width, isStacked, quantity, zone } = options;
  const values = valueTicks(highest(shown, timesMs.length, isStacked), quantity);
  const longest = Math.max(...values.map((value) => quantity.formatTick(value).length));
  const plotLeft = Math.ceil(longest * FIGURE_PX) + 12;
  const groundY = HEIGHT_PX - BOTTOM_PX;
  const startMs = timesMs[0] ?? endMs - 1;
  const plotWidth = Math.max(1, width - plotLeft);
  const xOf = (timeMs: number) => plotLeft + ((timeMs - startMs) / (endMs - startMs)) * plotWidth;
  const top = values.at(-1) ?? 1;
  const columns = timesMs.map((timeMs, at): Edges => [xOf(timeMs), xOf(timesMs[at + 1] ?? endMs)]);
  return {
    width,
    plotLeft,
    groundY,
    values,
    // A label that would be cut off at an end is left out.
    times: timeTicks(startMs, endMs, Math.floor(plotWidth / LABEL_PX), zone).filter(
      ({ timeMs }) => xOf(timeMs) >= plotLeft + 8 && xOf(timeMs) <= width - 20,
    ),
    edges: columns.map(barWithin),
    columns,
    heightOf: (value) => (value / top) * (groundY - PLOT_TOP_PX),
    xOf,
  };
}

function barWithin([left, right]: Edges): Edges {
  const width = right - left;
  const bar = Math.min(MAX_BAR_PX, width > 6 ? width * 0.8 : width - Math.min(1, width * 0.2));
  const middle = (left + right) / 2;
  return [middle - bar / 2, middle + bar / 2];
}

function highest(shown: readonly ShownSeries[], bucketCount: number, isStacked: boolean): number {
  const values = isStacked
    ? [...Array.from({ length: bucketCount }, (_, place) => totalAt(shown, place)), ...stackBefore(shown)]
    : shown.flatMap((series) => [...series.values, ...(series.before ?? [])]);
  return values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
}
