import { graphql, readInlineData } from 'react-relay';
import type { modelsChart_aggregation$key } from '#ui/__generated__/modelsChart_aggregation.graphql.ts';
import type { modelsChartQuery, SpanMeasure } from '#ui/__generated__/modelsChartQuery.graphql.ts';
import { COUNT, MONEY, type Quantity, TOKENS } from '#ui/components/chart/quantity.ts';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { createStored, useStored } from '#ui/lib/storage.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { joinFilters } from '../project/filter/join-filters.ts';
import { useProjectView } from '../project/project-view.ts';
import { type ChartFrame, DrawnChart, type Measured } from './drawn-chart.tsx';
import { rowsBehind } from './drill.ts';
import { modelCondition, type ModelSeries, rankModels, valuesOfModel } from './model-series.ts';
import styles from './metrics-page.module.css';

const QUERY = graphql`
  query modelsChartQuery(
    $projectId: ID!
    $timeRange: TimeRange
    $before: TimeRange
    $isCompared: Boolean!
    $filter: String
    $measures: [SpanMeasure!]!
    $buckets: TimeBuckets
    $maxGroups: Int!
  ) {
    project: node(id: $projectId) {
      ... on Project {
        aggregate(
          timeRange: $timeRange
          filterCondition: $filter
          measures: $measures
          buckets: $buckets
          groupBy: ["llm.model_name"]
          maxGroups: $maxGroups
        ) {
          ...modelsChart_aggregation
        }
        before: aggregate(
          timeRange: $before
          filterCondition: $filter
          measures: $measures
          buckets: $buckets
          groupBy: ["llm.model_name"]
          maxGroups: $maxGroups
        ) @include(if: $isCompared) {
          ...modelsChart_aggregation
        }
      }
    }
  }
`;

const AGGREGATION = graphql`
  fragment modelsChart_aggregation on SpanAggregation @inline {
    startTimes
    endTime
    groups {
      key
      series {
        values
      }
    }
  }
`;

/** Models that are told apart by the server, those of most spans; more than are drawn, since others may cost most. */
const MAX_GROUPS = 40;

const COLORS = [
  '--color-kind-llm',
  '--color-kind-tool',
  '--color-kind-retriever',
  '--color-kind-agent',
  '--color-kind-reranker',
  '--color-kind-prompt',
] as const;

type What = 'cost' | 'tokens' | 'calls';

interface Shown {
  readonly title: string;
  readonly measure: SpanMeasure;
  readonly filter: string;
  readonly quantity: Quantity;
}

/** Tokens and costs are of what counts, whatever claims them; calls are spans, of which agents would be further ones. */
const SHOWN: Readonly<Record<What, Shown>> = {
  cost: { title: 'Cost by model', measure: 'COST', filter: 'llm.model_name is not None', quantity: MONEY },
  tokens: {
    title: 'Tokens by model',
    measure: 'TOTAL_TOKENS',
    filter: 'llm.model_name is not None',
    quantity: TOKENS,
  },
  calls: {
    title: 'LLM spans by model',
    measure: 'COUNT',
    filter: "span_kind == 'LLM' and llm.model_name is not None",
    quantity: COUNT,
  },
};

const chosen = createStored<What>('metrics.models', 'cost', (value) =>
  (Object.keys(SHOWN) as What[]).find((what) => what === value),
);

/** Which models come to how much over time, by one measure at a time. */
export function ModelsChart({ shown, ...frame }: ChartFrame & { readonly shown: string | null }) {
  const what = useStored(chosen);
  return (
    <>
      <SegmentedControl<What>
        label="Metric"
        items={[
          { id: 'cost', label: 'Cost' },
          { id: 'tokens', label: 'Tokens' },
          { id: 'calls', label: 'Calls' },
        ]}
        selectedKey={what}
        onSelectionChange={chosen.set}
        className={styles.choice}
      />
      <Chart {...SHOWN[what]} filter={joinFilters(shown, SHOWN[what].filter)} {...frame} />
    </>
  );
}

type ChartProps = Omit<Shown, 'filter'> & ChartFrame & { readonly filter: string | null };

function Chart({ title, measure, filter, quantity, period, compared, onNarrow, onRows }: ChartProps) {
  const { projectId, timeRange, refreshCount } = useProjectView();
  const timeZone = useTimeZone();
  // All of the time is in buckets of the server's choice.
  const asked =
    timeRange.start === undefined
      ? { timeRange, buckets: { timeZone } }
      : { timeRange: period.range, buckets: { timeZone, scale: period.scale } };
  const { project } = useQuery<modelsChartQuery>(
    QUERY,
    {
      projectId,
      ...asked,
      before: compared?.range ?? null,
      isCompared: compared !== null,
      filter,
      measures: [measure],
      maxGroups: MAX_GROUPS,
    },
    { version: refreshCount, fetchPolicy: 'store-and-network' },
  );
  if (project.aggregate === undefined) return null;
  const now = read(project.aggregate);
  const before = project.before === undefined ? null : read(project.before);
  const ranked = rankModels(now.groups, COLORS.length);
  return (
    <DrawnChart<ModelSeries['name']>
      look={{
        title,
        kind: 'bars',
        quantity,
        empty: `No ${EMPTY[measure] ?? 'LLM spans'} by model in this time range.`,
        onNarrow,
        pickNoun: 'spans',
      }}
      onPick={(stretch, place) =>
        onRows(
          stretch,
          rowsBehind('spans', filter, place === null ? undefined : { span: modelCondition(ranked, place) }, null),
        )
      }
      series={ranked.map(({ name }, place) => ({
        label: name ?? 'Other',
        color: name === null ? '--color-text-faint' : (COLORS[place] ?? '--color-text-faint'),
      }))}
      now={measured(now, ranked)}
      before={before && measured(before, ranked)}
      compared={compared}
      valuesOf={({ valuesOf }) => ranked.map(({ name }) => valuesOf(name))}
    />
  );
}

/** What is missing where nothing is drawn. */
const EMPTY: Readonly<Partial<Record<SpanMeasure, string>>> = { COST: 'cost', TOTAL_TOKENS: 'token counts' };

interface Groups {
  readonly timesMs: readonly number[];
  readonly endMs: number;
  readonly groups: readonly ModelSeries[];
}

function read(key: modelsChart_aggregation$key): Groups {
  const { startTimes, endTime, groups } = readInlineData(AGGREGATION, key);
  return {
    timesMs: startTimes.map((time) => Date.parse(time)),
    endMs: Date.parse(endTime),
    groups: groups.map((group) => ({
      name: typeof group.key?.[0] === 'string' ? group.key[0] : null,
      values: (group.series[0]?.values ?? []).map((value) => value ?? 0),
    })),
  };
}

function measured({ timesMs, endMs, groups }: Groups, ranked: readonly ModelSeries[]): Measured<ModelSeries['name']> {
  return { timesMs, endMs, valuesOf: (name) => valuesOfModel(groups, ranked, name) };
}
