/** From a place on a chart to the rows behind it. */
import { joinFilters } from '../project/filter/join-filters.ts';

/** Which rows are behind a series: conditions in the filter language of spans and of traces. */
export interface Drill {
  readonly span?: string;
  readonly trace?: string;
  /** A field of traces, at least the value of the chart: those slower than a percentile. */
  readonly traceFrom?: string;
}

/** A table with what it is narrowed to. */
export interface RowsAddress {
  readonly table: 'traces' | 'spans';
  /** In the language of the table's rows; null: none. */
  readonly filter: string | null;
}

/**
 * The table with the rows behind a series; without one, of the whole bucket. A chart of traces leads to traces, unless the
 * page has a filter: that is one of spans, so the spans that match it are listed, and what the series says of a trace is
 * asked of them.
 * @param condition of the chart and of the page, for spans
 * @param value of the series in the bucket
 */
export function rowsBehind(
  grain: 'traces' | 'spans',
  condition: string | null,
  drill: Drill | undefined,
  value: number | null | undefined,
): RowsAddress {
  if (grain === 'spans' || condition !== null)
    return { table: 'spans', filter: joinFilters(condition, drill?.span ?? null) };
  if (drill?.traceFrom !== undefined && value != null)
    return { table: 'traces', filter: `${drill.traceFrom} >= ${atMostThree(value)}` };
  return { table: 'traces', filter: drill?.trace ?? null };
}

/** Without the digits that a latency in whole microseconds does not have; never more than the value. */
function atMostThree(value: number): number {
  return Math.floor(value * 1000) / 1000;
}
