/** Reads how many rows have which labels of annotations, and whether they have scores. */
import { graphql, readInlineData } from 'react-relay';
import type { useLabelCounts_summary$key } from '#ui/__generated__/useLabelCounts_summary.graphql.ts';
import type { useLabelCountsSessionsQuery } from '#ui/__generated__/useLabelCountsSessionsQuery.graphql.ts';
import type { useLabelCountsSpansQuery } from '#ui/__generated__/useLabelCountsSpansQuery.graphql.ts';
import type { useLabelCountsTracesQuery } from '#ui/__generated__/useLabelCountsTracesQuery.graphql.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import type { ListScope } from '../list-scope.ts';
import type { FacetCounts } from './use-facets.ts';

const SPANS = graphql`
  query useLabelCountsSpansQuery($projectId: ID!, $timeRange: TimeRange, $filter: String, $name: String!) {
    project: node(id: $projectId) {
      ... on Project {
        summary: spanAnnotationSummary(annotationName: $name, timeRange: $timeRange, filterCondition: $filter) {
          ...useLabelCounts_summary
        }
      }
    }
  }
`;

const TRACES = graphql`
  query useLabelCountsTracesQuery($projectId: ID!, $timeRange: TimeRange, $filter: String, $name: String!) {
    project: node(id: $projectId) {
      ... on Project {
        summary: traceAnnotationSummary(annotationName: $name, timeRange: $timeRange, traceFilterCondition: $filter) {
          ...useLabelCounts_summary
        }
      }
    }
  }
`;

const SESSIONS = graphql`
  query useLabelCountsSessionsQuery($projectId: ID!, $timeRange: TimeRange, $filter: String, $name: String!) {
    project: node(id: $projectId) {
      ... on Project {
        summary: sessionAnnotationSummary(annotationName: $name, timeRange: $timeRange, sessionFilterCondition: $filter) {
          ...useLabelCounts_summary
        }
      }
    }
  }
`;

const SUMMARY = graphql`
  fragment useLabelCounts_summary on AnnotationSummary @inline {
    scoreCount
    labelFractions {
      label
      targetCount
    }
  }
`;

const QUERIES = { span: SPANS, trace: TRACES, session: SESSIONS } as const;

/** Labels that are listed. */
const MAX_LABELS = 50;

/** What is said under a name. */
export interface SaidUnderName {
  /** The most frequent labels. */
  readonly labels: FacetCounts;
  readonly hasScores: boolean;
}

/** What annotations of a name say; undefined while it is not known, or not wanted. */
export function useLabelCounts(
  { projectId, timeRange, grain, filter, refresh }: ListScope,
  name: string,
  isWanted: boolean,
): SaidUnderName | undefined {
  const { data } = useAnswer<useLabelCountsSpansQuery | useLabelCountsTracesQuery | useLabelCountsSessionsQuery>(
    QUERIES[grain],
    isWanted ? { projectId, timeRange, filter, name } : null,
    refresh,
  );
  if (data === undefined) return undefined;
  const key: useLabelCounts_summary$key | null | undefined = data.project.summary;
  const summary = key == null ? undefined : readInlineData(SUMMARY, key);
  const labels = summary?.labelFractions ?? [];
  return {
    hasScores: (summary?.scoreCount ?? 0) > 0,
    labels: {
      by: name,
      isCut: false,
      missingCount: 0,
      otherValueCount: 0,
      unlistedCount: 0,
      values: labels.slice(0, MAX_LABELS).map(({ label, targetCount }) => ({ value: label, count: targetCount })),
      numbers: null,
    },
  };
}
