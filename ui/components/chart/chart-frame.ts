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
  /** Of the lowest value: of 0, unless there are values below it. */
  readonly floorY: number;
  readonly values: readonly number[];
  readonly times: readonly TimeTick[];
  /** Of the bars, with gaps between them. */
  readonly edges: readonly Edges[];
  /** Of the buckets, without gaps. */
  readonly columns: readonly Edges[];
  /** Above 0; negative below it. */
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
  const { min, max } = extentOf(shown, timesMs.length, isStacked);
  const values = valueTicks(max, quantity, min);
  const longest = Math.max(...values.map((value) => quantity.formatTick(value).length));
  const plotLeft = Math.ceil(longest * FIGURE_PX) + 12;
  const floorY = HEIGHT_PX - BOTTOM_PX;
  const startMs = timesMs[0] ?? endMs - 1;
  // The newest bucket gets the width of the others although it has not ended: nobody sees a bar of one pixel.
  const lastMs = timesMs.at(-1) ?? startMs;
  const axisEndMs = Math.max(endMs, 2 * lastMs - (timesMs.at(-2) ?? lastMs));
  const plotWidth = Math.max(1, width - plotLeft);
  const xOf = (timeMs: number) => plotLeft + ((timeMs - startMs) / (axisEndMs - startMs)) * plotWidth;
  const [bottom = 0, top = 1] = [values[0], values.at(-1)];
  const heightOf = (value: number) => (value / (top - bottom)) * (floorY - PLOT_TOP_PX);
  const columns = timesMs.map((timeMs, at): Edges => [xOf(timeMs), xOf(timesMs[at + 1] ?? axisEndMs)]);
  return {
    width,
    plotLeft,
    groundY: floorY + heightOf(bottom),
    floorY,
    values,
    // A label that would be cut off at an end is left out.
    times: timeTicks(startMs, axisEndMs, Math.floor(plotWidth / LABEL_PX), zone).filter(
      ({ timeMs }) => xOf(timeMs) >= plotLeft + 8 && xOf(timeMs) <= width - 20,
    ),
    edges: columns.map(barWithin),
    columns,
    heightOf,
    xOf,
  };
}

function barWithin([left, right]: Edges): Edges {
  const width = right - left;
  const bar = Math.min(MAX_BAR_PX, width > 6 ? width * 0.8 : width - Math.min(1, width * 0.2));
  const middle = (left + right) / 2;
  return [middle - bar / 2, middle + bar / 2];
}

/** The lowest and the highest value; both reach 0. */
function extentOf(shown: readonly ShownSeries[], bucketCount: number, isStacked: boolean) {
  const values = isStacked
    ? [...Array.from({ length: bucketCount }, (_, place) => totalAt(shown, place)), ...stackBefore(shown)]
    : shown.flatMap((series) => [...series.values, ...(series.before ?? [])]);
  let [min, max] = [0, 0];
  for (const value of values) [min, max] = [Math.min(min, value ?? 0), Math.max(max, value ?? 0)];
  return { min, max };
}
