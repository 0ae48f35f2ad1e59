import type { ChartData, SeriesLook, Stretch } from '#ui/components/chart/chart-data.ts';
import { TimeChart, type TimeChartProps } from '#ui/components/chart/time-chart.tsx';
import { formatTimeRange } from '#ui/lib/time-range-text.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { type Period, placesBefore } from './bucket-scale.ts';
import type { RowsAddress } from './drill.ts';

/** What a chart has of the page around it. */
export interface ChartFrame extends Pick<TimeChartProps, 'onNarrow'> {
  readonly period: Period;
  /** The time before, where it is wanted. */
  readonly compared: Period['before'];
  /** Lists the rows of a bucket. */
  readonly onRows: (stretch: Stretch, rows: RowsAddress) => void;
}

/** Series before they are drawn: their buckets, and the values of each measure. */
export interface Measured<Measure> {
  readonly timesMs: readonly number[];
  readonly endMs: number;
  readonly valuesOf: (measure: Measure) => readonly (number | null)[];
}

/** The chart of what was answered. */
export function DrawnChart<Measure>(props: {
  readonly look: Omit<TimeChartProps, 'data' | 'onPick'>;
  /** Told the bucket that was pressed, the series, and the value there. */
  readonly onPick: (stretch: Stretch, series: number | null, value: number | null) => void;
  readonly series: readonly SeriesLook[];
  readonly now: Measured<Measure>;
  readonly before: Measured<Measure> | null;
  readonly compared: Period['before'];
  /** For each series. */
  readonly valuesOf: (measured: Measured<Measure>) => readonly (readonly (number | null)[])[];
}) {
  const { look, onPick, series, now, before, compared, valuesOf } = props;
  const zone = useTimeZone();
  const values = valuesOf(now);
  const labelled = series.map(({ label, color, isHiddenAtFirst }, at) => ({
    label,
    color,
    isHiddenAtFirst,
    values: values[at] ?? [],
  }));
  const { timesMs, endMs } = now;
  const pick = (stretch: Stretch, place: number | null) =>
    onPick(stretch, place, place === null ? null : (values[place]?.[timesMs.indexOf(stretch.startMs)] ?? null));
  if (before === null || compared === null)
    return <TimeChart {...look} onPick={pick} data={{ timesMs, endMs, series: labelled }} />;
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
  return <TimeChart {...look} onPick={pick} data={data} />;
}
