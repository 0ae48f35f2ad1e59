/** What a chart over time shows. */
import type { Quantity } from './quantity.ts';

/** How series are drawn. */
export type ChartKind = 'bars' | 'lines';

/** One line, or one layer of bars. */
export interface ChartSeries {
  readonly label: string;
  /** A custom property, as `--color-danger`. */
  readonly color: string;
  /** One for each bucket; null where there is nothing. */
  readonly values: readonly (number | null)[];
  /** Those of the time before, where the chart compares. */
  readonly before?: readonly (number | null)[];
  /** Whether the legend has to be asked for it. */
  readonly isHiddenAtFirst?: boolean | undefined;
}

/** How a series looks. */
export type SeriesLook = Pick<ChartSeries, 'label' | 'color' | 'isHiddenAtFirst'>;

/** Series over the same buckets. */
export interface ChartData {
  /** Starts of the buckets, milliseconds since the epoch, ascending. */
  readonly timesMs: readonly number[];
  /** Behind the last bucket. */
  readonly endMs: number;
  readonly series: readonly ChartSeries[];
  /** The time that the chart is compared with, in words. */
  readonly comparedWith?: string;
}

/** A series with its place in the chart's data, which decides how it is marked, whatever is hidden. */
export interface ShownSeries extends ChartSeries {
  readonly place: number;
}

/** A stretch of time; milliseconds since the epoch. */
export interface Stretch {
  readonly startMs: number;
  readonly endMs: number;
}

/** The height of all layers of the time before together; null where none has anything. */
export function stackBefore(series: readonly ChartSeries[]): readonly (number | null)[] {
  const layers = series.flatMap(({ before }) => (before === undefined ? [] : [before]));
  return (layers[0] ?? []).map((_, place) => {
    const values = layers.flatMap((layer) => layer[place] ?? []);
    return values.length === 0 ? null : sum(values);
  });
}

/** All of the time and of the time before. */
export function totalsOf(series: readonly ChartSeries[]): { readonly now: number; readonly before: number } {
  return {
    now: sum(series.map(totalOf)),
    before: sum(series.flatMap(({ before = [] }) => before.map((value) => value ?? 0))),
  };
}

/** All that a series has in the chart's time. */
export function totalOf({ values }: ChartSeries): number {
  return sum(values.map((value) => value ?? 0));
}

/** What the layers of one bucket come to; of the time before where that is asked for. */
export function totalAt(series: readonly ChartSeries[], place: number, of: 'values' | 'before' = 'values'): number {
  return sum(series.map((each) => each[of]?.[place] ?? 0));
}

/** Whether there is nothing to draw, of the time before neither. */
export function isEmptyChart(
  series: readonly ChartSeries[],
  { isZeroDrawn = false }: Pick<Quantity, 'isZeroDrawn'> = {},
) {
  return series.every(({ values, before = [] }) =>
    [...values, ...before].every((value) => value === null || (value === 0 && !isZeroDrawn)),
  );
}

/** By how much something changed: `+5 %`; undefined where that means nothing. */
export function formatChange(before: number, now: number): string | undefined {
  if (before <= 0) return undefined;
  const percent = Math.round((now / before - 1) * 100);
  if (percent === 0) return '±0 %';
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent).toLocaleString('en')} %`;
}

/** The stretch from one bucket to another, both included, in whichever order. */
export function stretchOf({ timesMs, endMs }: ChartData, from: number, to: number = from): Stretch {
  return {
    startMs: timesMs[Math.min(from, to)] ?? endMs,
    endMs: timesMs[Math.max(from, to) + 1] ?? endMs,
  };
}

/** The chart as lines of values between tabs, exact, as spreadsheets take them. */
export function tabSeparated({ timesMs, series }: ChartData): string {
  const columns = series.flatMap(({ label, values, before }) => [
    { label, values },
    ...(before === undefined ? [] : [{ label: `${label}, previous`, values: before }]),
  ]);
  const head = ['From', ...columns.map(({ label }) => label.replaceAll(/\s+/g, ' '))];
  const lines = timesMs.map((timeMs, place) => [
    new Date(timeMs).toISOString(),
    ...columns.map(({ values }) => String(values[place] ?? '')),
  ]);
  return [head, ...lines].map((cells) => cells.join('\t')).join('\n');
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
