import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { graphql } from 'react-relay';
import type { userChartsQuery } from '#ui/__generated__/userChartsQuery.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import type { ChartData, Stretch } from '#ui/components/chart/chart-data.ts';
import { COUNT, MONEY } from '#ui/components/chart/quantity.ts';
import { TimeChart } from '#ui/components/chart/time-chart.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import { periodOf } from '../metrics/bucket-scale.ts';
import { joinFilters } from '../project/filter/join-filters.ts';
import type { ListScope } from '../project/list-scope.ts';
import { useProjectView } from '../project/project-view.ts';
import { UserModels } from './user-models.tsx';
import styles from './user-page.module.css';

const QUERY = graphql`
  query userChartsQuery($projectId: ID!, $timeRange: TimeRange, $filter: String, $buckets: TimeBuckets) {
    project: node(id: $projectId) {
      ... on Project {
        traceHistogram(timeRange: $timeRange, traceFilterCondition: $filter, buckets: $buckets) {
          buckets {
            startTime
            endTime
            okCount
            errorCount
            cost
          }
        }
      }
    }
  }
`;

/** What the user cost and how many traces that was, over time; beside them the models, which take longer to count. */
export function UserCharts({ scope }: { readonly scope: ListScope }) {
  const { projectId, timeRange, filter, refresh } = scope;
  const { setRange } = useProjectView();
  const navigate = useNavigate();
  const timeZone = useTimeZone();
  // oxlint-disable-next-line react/exhaustive-deps -- The clock is read again when everything is.
  const { scale } = useMemo(() => periodOf(timeRange, Date.now()), [timeRange, refresh]);
  // All of the time is in buckets of the server's choice.
  const asked = timeRange.start === undefined ? { timeZone } : { timeZone, scale };
  const variables = { projectId, timeRange, filter, buckets: asked };
  const { data, error, ask } = useAnswer<userChartsQuery>(QUERY, variables, refresh);
  const buckets = data?.project.traceHistogram?.buckets;
  if (error !== undefined) {
    return (
      <p role="alert" className={styles.failure}>
        The charts could not be computed. {describeError(error)}
        <Button size="sm" onPress={ask}>
          Try again
        </Button>
      </p>
    );
  }
  if (buckets === undefined) {
    return (
      <div className={styles.charts}>
        {['cost', 'traces'].map((chart) => (
          <div key={chart} className={styles.chart}>
            <Skeleton width="100%" height="210px" />
          </div>
        ))}
        <UserModels key="models" scope={scope} />
      </div>
    );
  }
  const timesMs = buckets.map(({ startTime }) => Date.parse(startTime));
  const endMs = Date.parse(buckets.at(-1)?.endTime ?? '');
  const cost: ChartData = {
    timesMs,
    endMs,
    series: [{ label: 'Cost', color: '--color-accent', values: buckets.map((bucket) => bucket.cost) }],
  };
  const traces: ChartData = {
    timesMs,
    endMs,
    series: [
      { label: 'Without error', color: '--color-accent', values: buckets.map(({ okCount }) => okCount) },
      { label: 'Error', color: '--color-danger', values: buckets.map(({ errorCount }) => errorCount) },
    ],
  };
  const toRange = ({ startMs, endMs: toMs }: Stretch) => ({
    start: new Date(startMs).toISOString(),
    end: new Date(toMs).toISOString(),
  });
  const onNarrow = (stretch: Stretch) => setRange({ kind: 'between', ...toRange(stretch) });
  const list = (stretch: Stretch, more: string | null, sort?: string) =>
    void navigate({
      to: '/projects/$projectId/traces',
      params: { projectId },
      search: { ...toRange(stretch), filter: joinFilters(filter, more, 'trace') ?? undefined, sort },
    });
  return (
    <div className={styles.charts}>
      <div className={styles.chart}>
        <TimeChart
          title="Cost"
          kind="bars"
          quantity={MONEY}
          data={cost}
          empty="No model call with a price in this time range."
          pickNoun="traces"
          onNarrow={onNarrow}
          onPick={(stretch) => list(stretch, null, 'cost:desc')}
        />
      </div>
      <div className={styles.chart}>
        <TimeChart
          title="Traces"
          kind="bars"
          quantity={COUNT}
          data={traces}
          empty="No traces in this time range."
          pickNoun="traces"
          onNarrow={onNarrow}
          onPick={(stretch, series) => list(stretch, STATUSES[series ?? -1] ?? null)}
        />
      </div>
      <UserModels key="models" scope={scope} />
    </div>
  );
}

/** In the order of the series. */
const STATUSES = ['error_count == 0', 'error_count > 0'];
