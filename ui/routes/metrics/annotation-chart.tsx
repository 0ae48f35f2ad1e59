import { graphql, readInlineData } from 'react-relay';
import type { annotationChart_series$key } from '#ui/__generated__/annotationChart_series.graphql.ts';
import type { annotationChartQuery } from '#ui/__generated__/annotationChartQuery.graphql.ts';
import { SCORE, SHARE } from '#ui/components/chart/quantity.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { joinFilters } from '../project/filter/join-filters.ts';
import { useProjectView } from '../project/project-view.ts';
import { type AnnotationLine, type BucketSummary, lineCondition, linesOf, valuesOfLine } from './annotation-series.ts';
import { type ChartFrame, DrawnChart, type Measured } from './drawn-chart.tsx';
import { rowsBehind } from './drill.ts';

const QUERY = graphql`
  query annotationChartQuery(
    $projectId: ID!
    $name: String!
    $timeRange: TimeRange!
    $before: TimeRange!
    $isCompared: Boolean!
    $bins: TimeBinConfig
    $filter: String
  ) {
    project: node(id: $projectId) {
      ... on Project {
        series: spanAnnotationMetricsTimeSeries(
          annotationName: $name
          timeRange: $timeRange
          timeBinConfig: $bins
          filterCondition: $filter
        ) {
          ...annotationChart_series
        }
        before: spanAnnotationMetricsTimeSeries(
          annotationName: $name
          timeRange: $before
          timeBinConfig: $bins
          filterCondition: $filter
        ) @include(if: $isCompared) {
          ...annotationChart_series
        }
      }
    }
  }
`;

const SERIES = graphql`
  fragment annotationChart_series on AnnotationMetricsTimeSeries @inline {
    data {
      timestamp
      annotationSummaries {
        meanScore
        labelFractions {
          label
          fraction
          targetCount
        }
      }
    }
  }
`;

const COLORS = [
  '--color-kind-llm',
  '--color-kind-tool',
  '--color-kind-retriever',
  '--color-kind-agent',
  '--color-kind-reranker',
  '--color-kind-prompt',
] as const;

interface AnnotationChartProps extends ChartFrame {
  readonly name: string;
  readonly title: string;
  /** The filter for spans; null shows the whole project. */
  readonly shown: string | null;
}

/** The mean score of annotations of one name over time; the shares of their labels where they have no scores. */
export function AnnotationChart({ name, title, shown, period, compared, onNarrow, onRows }: AnnotationChartProps) {
  const { projectId, refreshCount } = useProjectView();
  const timeZone = useTimeZone();
  const { range, scale } = period;
  const { project } = useQuery<annotationChartQuery>(
    QUERY,
    {
      projectId,
      name,
      timeRange: range,
      before: compared?.range ?? range,
      isCompared: compared !== null,
      bins: { scale, timeZone },
      filter: shown,
    },
    { version: refreshCount, fetchPolicy: 'store-and-network' },
  );
  if (project.series === undefined) return null;
  const now = read(project.series, range.end);
  const before = project.before === undefined ? null : read(project.before, range.start);
  const lines = linesOf([...now.buckets, ...(before?.buckets ?? [])], COLORS.length);
  const measured = ({ timesMs, endMs, buckets }: Series): Measured<AnnotationLine> => ({
    timesMs,
    endMs,
    valuesOf: (line) => valuesOfLine(buckets, lines, line),
  });
  return (
    <DrawnChart<AnnotationLine>
      look={{
        title,
        kind: 'lines',
        quantity: lines[0]?.kind === 'label' ? SHARE : SCORE,
        empty: 'No scores or labels of spans in this time range.',
        onNarrow,
        pickNoun: 'spans',
      }}
      onPick={(stretch, place) =>
        onRows(
          stretch,
          rowsBehind('spans', joinFilters(shown, lineCondition(name, lines[place ?? -1])), undefined, null),
        )
      }
      series={lines.map((line, place) =>
        line.kind === 'score'
          ? { label: 'Mean score', color: '--color-accent' }
          : { label: line.label ?? 'Other', color: (line.label && COLORS[place]) ?? '--color-text-faint' },
      )}
      now={measured(now)}
      before={before && measured(before)}
      compared={compared}
      valuesOf={({ valuesOf }) => lines.map(valuesOf)}
    />
  );
}

interface Series {
  readonly timesMs: readonly number[];
  readonly endMs: number;
  /** Null where there is no annotation. */
  readonly buckets: readonly (BucketSummary | null)[];
}

function read(key: annotationChart_series$key, end: string): Series {
  const { data } = readInlineData(SERIES, key);
  const timesMs = data.map(({ timestamp }) => Date.parse(timestamp));
  return {
    timesMs,
    endMs: Math.max(Date.parse(end), (timesMs.at(-1) ?? 0) + 1),
    buckets: data.map(({ annotationSummaries }) => annotationSummaries[0] ?? null),
  };
}
