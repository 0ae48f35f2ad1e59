import type { ChartData } from '#ui/components/chart/chart-data.ts';
import { TimeChart, type TimeChartProps } from '#ui/components/chart/time-chart.tsx';
import { formatTimeRange } from '#ui/lib/time-range-text.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { type Period, placesBefore } from './bucket-scale.ts';

/** What a chart has of the page around it. */
export interface ChartFrame extends Pick<TimeChartProps, 'onNarrow' | 'onPick'> {
  readonly period: Period;
  /** The time before, where it is wanted. */
  readonly compared: Period['before'];
}

/** How a series looks. */
export interface SeriesLook {
  readonly label: string;
  /** A custom property. */
  readonly color: string;
}

/** Series before they are drawn: their buckets, and the values of each measure. */
export interface Measured<Measure> {
  readonly timesMs: readonly number[];
  readonly endMs: number;
  readonly valuesOf: (measure: Measure) => readonly (number | null)[];
}

/** The chart of what was answered. */
export function DrawnChart<Measure>(props: {
  readonly look: Omit<TimeChartProps, 'data'>;
  readonly series: readonly SeriesLook[];
  readonly now: Measured<Measure>;
  readonly before: Measured<Measure> | null;
  readonly compared: Period['before'];
  /** For each series. */
  readonly valuesOf: (measured: Measured<Measure>) => readonly (readonly (number | null)[])[];
}) {
  const { look, series, now, before, compared, valuesOf } = props;
  const zone = useTimeZone();
  const values = valuesOf(now);
  const labelled = series.map(({ label, color }, at) => ({ label, color, values: values[at] ?? [] }));
  const { timesMs, endMs } = now;
  if (before === null || compared === null) return <TimeChart {...look} data={{ timesMs, endMs, series: labelled }} />;
  const places = placesBefore(timesMs, before.timesMs, compared.shiftMs);
  const earlier = valuesOf(before);
  const data: ChartData = {
    timesMs,
    endMs,
    series: labelled.map((entry, at) => ({
      ...entry,
      before: places.map((place) => (place === null ? null : (earlier[at]?.[place] ?? null))),
    })),
    comparedWith: formatTimeRange({ kind: 'between', ...compared.range }, zone),
  };
  return <TimeChart {...look} data={data} />;
}
