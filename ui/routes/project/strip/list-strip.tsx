import { graphql, readInlineData } from 'react-relay';
import type { listStrip_histogram$key } from '#ui/__generated__/listStrip_histogram.graphql.ts';
import type { listStripSessionsQuery } from '#ui/__generated__/listStripSessionsQuery.graphql.ts';
import type { listStripSpansQuery } from '#ui/__generated__/listStripSpansQuery.graphql.ts';
import type { listStripTracesQuery } from '#ui/__generated__/listStripTracesQuery.graphql.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import type { ListScope } from '../list-scope.ts';
import { useProjectView } from '../project-view.ts';
import { Strip } from './strip.tsx';

const SPANS = graphql`
  query listStripSpansQuery($projectId: ID!, $timeRange: TimeRange, $filter: String, $buckets: TimeBuckets) {
    project: node(id: $projectId) {
      ... on Project {
        histogram(timeRange: $timeRange, filterCondition: $filter, buckets: $buckets) {
          ...listStrip_histogram
        }
      }
    }
  }
`;

const TRACES = graphql`
  query listStripTracesQuery($projectId: ID!, $timeRange: TimeRange, $filter: String, $buckets: TimeBuckets) {
    project: node(id: $projectId) {
      ... on Project {
        histogram: traceHistogram(timeRange: $timeRange, traceFilterCondition: $filter, buckets: $buckets) {
          ...listStrip_histogram
        }
      }
    }
  }
`;

const SESSIONS = graphql`
  query listStripSessionsQuery($projectId: ID!, $timeRange: TimeRange, $filter: String, $buckets: TimeBuckets) {
    project: node(id: $projectId) {
      ... on Project {
        histogram: sessionHistogram(timeRange: $timeRange, sessionFilterCondition: $filter, buckets: $buckets) {
          ...listStrip_histogram
        }
      }
    }
  }
`;

const HISTOGRAM = graphql`
  fragment listStrip_histogram on Histogram @inline {
    isPartial
    share
    earlierCount
    buckets {
      startTime
      endTime
      totalCount
      okCount
      errorCount
      unsetCount
      latencyMsP95
      cost
    }
  }
`;

const QUERIES = { span: SPANS, trace: TRACES, session: SESSIONS } as const;

/** How many rows there are over time, with the filter applied; a part of it can be chosen as the new range. */
export function ListStrip({ scope, noun }: { readonly scope: ListScope; readonly noun: string }) {
  const { setRange } = useProjectView();
  const timeZone = useTimeZone();
  const { projectId, timeRange, grain, filter, refresh } = scope;
  const variables = { projectId, timeRange, filter, buckets: { timeZone } };
  const answer = useAnswer<listStripSpansQuery | listStripTracesQuery | listStripSessionsQuery>(
    QUERIES[grain],
    variables,
    refresh,
  );
  const key: listStrip_histogram$key | undefined = answer.data?.project.histogram;
  const histogram = key === undefined ? undefined : readInlineData(HISTOGRAM, key);
  return (
    <Strip
      noun={noun}
      buckets={histogram?.buckets}
      earlierCount={histogram?.earlierCount ?? 0}
      share={histogram?.isPartial === true ? histogram.share : 1}
      isLoading={answer.isLoading}
      error={answer.error}
      onRetry={answer.ask}
      onNarrow={(start, end) => setRange({ kind: 'between', start, end })}
    />
  );
}
