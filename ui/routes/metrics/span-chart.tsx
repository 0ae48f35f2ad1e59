import { graphql, readInlineData } from 'react-relay';
import type { spanChart_aggregation$key } from '#ui/__generated__/spanChart_aggregation.graphql.ts';
import type { spanChart_latencies$key } from '#ui/__generated__/spanChart_latencies.graphql.ts';
import type { spanChart_statuses$key } from '#ui/__generated__/spanChart_statuses.graphql.ts';
import type { SpanMeasure, spanChartSpansQuery } from '#ui/__generated__/spanChartSpansQuery.graphql.ts';
import type { spanChartTracesQuery } from '#ui/__generated__/spanChartTracesQuery.graphql.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { useProjectView } from '../project/project-view.ts';
import { joinFilters } from '../project/filter/join-filters.ts';
import type { ChartSpec, TraceMeasure } from './chart-specs.ts';
import { type ChartFrame, DrawnChart, type Measured } from './drawn-chart.tsx';
import { rowsBehind } from './drill.ts';

interface SpanChartFrame extends ChartFrame {
  /** The filter for spans; null shows the whole project. */
  readonly shown: string | null;
}

/** One chart with its own question to the server. */
export function SpanChart(props: ChartSpec & SpanChartFrame) {
  return props.grain === 'spans' ? <OfSpans {...props} /> : <OfTraces {...props} />;
}

const SPANS = graphql`
  query spanChartSpansQuery(
    $projectId: ID!
    $timeRange: TimeRange
    $before: TimeRange
    $isCompared: Boolean!
    $filter: String
    $measures: [SpanMeasure!]!
    $buckets: TimeBuckets
  ) {
    project: node(id: $projectId) {
      ... on Project {
        aggregate(timeRange: $timeRange, filterCondition: $filter, measures: $measures, buckets: $buckets) {
          ...spanChart_aggregation
        }
        before: aggregate(timeRange: $before, filterCondition: $filter, measures: $measures, buckets: $buckets)
          @include(if: $isCompared) {
          ...spanChart_aggregation
        }
      }
    }
  }
`;

const AGGREGATION = graphql`
  fragment spanChart_aggregation on SpanAggregation @inline {
    startTimes
    endTime
    groups {
      series {
        measure
        values
      }
    }
  }
`;

function OfSpans({
  series,
  filter,
  shown,
  period,
  compared,
  onRows,
  ...look
}: Extract<ChartSpec, { grain: 'spans' }> & SpanChartFrame) {
  const { projectId, timeRange, refreshCount } = useProjectView();
  const timeZone = useTimeZone();
  const condition = joinFilters(shown, filter ?? null);
  const measures = [
    ...new Set(series.flatMap(({ measure, less }) => (less === undefined ? [measure] : [measure, less]))),
  ];
  // All of the time is in buckets of the server's choice.
  const asked =
    timeRange.start === undefined
      ? { timeRange, buckets: { timeZone } }
      : { timeRange: period.range, buckets: { timeZone, scale: period.scale } };
  const { project } = useQuery<spanChartSpansQuery>(
    SPANS,
    {
      projectId,
      ...asked,
      before: compared?.range ?? null,
      isCompared: compared !== null,
      filter: condition,
      measures,
    },
    { version: refreshCount, fetchPolicy: 'store-and-network' },
  );
  if (project.aggregate === undefined) return null;
  const now = readAggregation(project.aggregate);
  const before = project.before === undefined ? null : readAggregation(project.before);
  const valuesOf = (measured: Measured<SpanMeasure>) =>
    series.map(({ measure, less }) => {
      const values = measured.valuesOf(measure);
      if (less === undefined) return values;
      const lesser = measured.valuesOf(less);
      return values.map((value, place) => (value === null ? null : value - (lesser[place] ?? 0)));
    });
  return (
    <DrawnChart
      look={{ ...look, pickNoun: 'spans' }}
      onPick={(stretch, place, value) =>
        onRows(stretch, rowsBehind('spans', condition, place === null ? undefined : series[place]?.drill, value))
      }
      series={series}
      now={now}
      before={before}
      compared={compared}
      valuesOf={valuesOf}
    />
  );
}

function readAggregation(key: spanChart_aggregation$key): Measured<SpanMeasure> {
  const { startTimes, endTime, groups } = readInlineData(AGGREGATION, key);
  const values = new Map(groups[0]?.series.map((entry) => [entry.measure, entry.values]));
  return {
    timesMs: startTimes.map((time) => Date.parse(time)),
    endMs: Date.parse(endTime),
    valuesOf: (measure) => (values.get(measure) ?? []).map((value) => value ?? null),
  };
}

const TRACES = graphql`
  query spanChartTracesQuery(
    $projectId: ID!
    $timeRange: TimeRange!
    $before: TimeRange!
    $isCompared: Boolean!
    $bins: TimeBinConfig
    $filter: String
  ) {
    project: node(id: $projectId) {
      ... on Project {
        statuses: traceCountByStatusTimeSeries(timeRange: $timeRange, timeBinConfig: $bins, filterCondition: $filter) {
          ...spanChart_statuses
        }
        latencies: traceLatencyMsPercentileTimeSeries(timeRange: $timeRange, timeBinConfig: $bins, filterCondition: $filter) {
          ...spanChart_latencies
        }
        statusesBefore: traceCountByStatusTimeSeries(timeRange: $before, timeBinConfig: $bins, filterCondition: $filter)
          @include(if: $isCompared) {
          ...spanChart_statuses
        }
        latenciesBefore: traceLatencyMsPercentileTimeSeries(timeRange: $before, timeBinConfig: $bins, filterCondition: $filter)
          @include(if: $isCompared) {
          ...spanChart_latencies
        }
      }
    }
  }
`;

const STATUSES = graphql`
  fragment spanChart_statuses on TraceCountByStatusTimeSeries @inline {
    data {
      timestamp
      okCount
      errorCount
    }
  }
`;

const LATENCIES = graphql`
  fragment spanChart_latencies on TraceLatencyPercentileTimeSeries @inline {
    data {
      p50
      p75
      p90
      p95
      p99
      p999
      max
    }
  }
`;

const COUNTS = { OK: 'okCount', ERROR: 'errorCount' } as const;
const PERCENTILES = { P50: 'p50', P75: 'p75', P90: 'p90', P95: 'p95', P99: 'p99', P999: 'p999', MAX: 'max' } as const;

function OfTraces({
  series,
  shown,
  period,
  compared,
  onRows,
  ...look
}: Extract<ChartSpec, { grain: 'traces' }> & SpanChartFrame) {
  const { projectId, refreshCount } = useProjectView();
  const timeZone = useTimeZone();
  const { range, scale } = period;
  const { project } = useQuery<spanChartTracesQuery>(
    TRACES,
    {
      projectId,
      timeRange: range,
      before: compared?.range ?? range,
      isCompared: compared !== null,
      bins: { scale, timeZone },
      filter: shown,
    },
    { version: refreshCount, fetchPolicy: 'store-and-network' },
  );
  const { statuses, latencies, statusesBefore, latenciesBefore } = project;
  if (statuses === undefined || latencies === undefined) return null;
  const now = readTraces(statuses, latencies, range.end);
  const before =
    statusesBefore === undefined || latenciesBefore === undefined
      ? null
      : readTraces(statusesBefore, latenciesBefore, range.start);
  const valuesOf = (measured: Measured<TraceMeasure>) => series.map(({ measure }) => measured.valuesOf(measure));
  return (
    <DrawnChart
      look={{ ...look, pickNoun: shown === null ? 'traces' : 'spans' }}
      onPick={(stretch, place, value) =>
        onRows(stretch, rowsBehind('traces', shown, place === null ? undefined : series[place]?.drill, value))
      }
      series={series}
      now={now}
      before={before}
      compared={compared}
      valuesOf={valuesOf}
    />
  );
}

function readTraces(
  statuses: spanChart_statuses$key,
  latencies: spanChart_latencies$key,
  end: string,
): Measured<TraceMeasure> {
  const counts = readInlineData(STATUSES, statuses).data;
  const percentiles = readInlineData(LATENCIES, latencies).data;
  const timesMs = counts.map(({ timestamp }) => Date.parse(timestamp));
  return {
    timesMs,
    endMs: Math.max(Date.parse(end), (timesMs.at(-1) ?? 0) + 1),
    valuesOf: (measure) =>
      measure === 'OK' || measure === 'ERROR'
        ? counts.map((entry) => entry[COUNTS[measure]])
        : percentiles.map((entry) => entry[PERCENTILES[measure]] ?? null),
  };
}
