/** What a chart over time shows. */

/** One line, or one layer of bars. */
export interface ChartSeries {
  readonly label: string;
  /** A custom property, as `--color-danger`. */
  readonly color: string;
  /** One for each bucket; null where there is nothing. */
  readonly values: readonly (number | null)[];
  /** Those of the time before, where the chart compares. */
  readonly before?: readonly (number | null)[];
}

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

/** Each layer on those below it, for bars that are drawn one before the other; the lowest series comes last. */
export function stackSeries(series: readonly ChartSeries[]): readonly (readonly number[])[] {
  const tops: number[][] = [];
  for (const { values } of series) {
    const below = tops.at(-1);
    tops.push(values.map((value, place) => (value ?? 0) + (below?.[place] ?? 0)));
  }
  return tops;
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
    now: sum(series.flatMap(({ values }) => values.map((value) => value ?? 0))),
    before: sum(series.flatMap(({ before = [] }) => before.map((value) => value ?? 0))),
  };
}

/** By how much something changed: `+5 %`; undefined where that means nothing. */
export function formatChange(before: number, now: number): string | undefined {
  if (before <= 0) return undefined;
  const percent = Math.round((now / before - 1) * 100);
  if (percent === 0) return '±0 %';
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent).toLocaleString('en')} %`;
}

/** The stretch of a bucket. */
export function bucketAt(
  { timesMs, endMs }: ChartData,
  place: number,
): { readonly startMs: number; readonly endMs: number } {
  return { startMs: timesMs[place] ?? endMs, endMs: timesMs[place + 1] ?? endMs };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
