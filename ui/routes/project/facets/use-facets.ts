/** Reads how many rows have which values. */
import { graphql, readInlineData } from 'react-relay';
import type { useFacets_facets$data, useFacets_facets$key } from '#ui/__generated__/useFacets_facets.graphql.ts';
import type { useFacetsPathsQuery } from '#ui/__generated__/useFacetsPathsQuery.graphql.ts';
import type { useFacetsSessionsQuery } from '#ui/__generated__/useFacetsSessionsQuery.graphql.ts';
import type { useFacetsSpansQuery } from '#ui/__generated__/useFacetsSpansQuery.graphql.ts';
import type { useFacetsTracesQuery } from '#ui/__generated__/useFacetsTracesQuery.graphql.ts';
import type { ListScope } from '../list-scope.ts';
import { type Answer, useAnswer } from '#ui/lib/use-answer.ts';

const SPANS = graphql`
  query useFacetsSpansQuery($projectId: ID!, $timeRange: TimeRange, $filter: String, $facets: [FacetInput!]!) {
    project: node(id: $projectId) {
      ... on Project {
        facets(timeRange: $timeRange, filterCondition: $filter, facets: $facets) {
          ...useFacets_facets
        }
      }
    }
  }
`;

const TRACES = graphql`
  query useFacetsTracesQuery($projectId: ID!, $timeRange: TimeRange, $filter: String, $facets: [FacetInput!]!) {
    project: node(id: $projectId) {
      ... on Project {
        facets: traceFacets(timeRange: $timeRange, traceFilterCondition: $filter, facets: $facets) {
          ...useFacets_facets
        }
      }
    }
  }
`;

const SESSIONS = graphql`
  query useFacetsSessionsQuery($projectId: ID!, $timeRange: TimeRange, $filter: String, $facets: [FacetInput!]!) {
    project: node(id: $projectId) {
      ... on Project {
        facets: sessionFacets(timeRange: $timeRange, sessionFilterCondition: $filter, facets: $facets) {
          ...useFacets_facets
        }
      }
    }
  }
`;

const FACETS = graphql`
  fragment useFacets_facets on Facets @inline {
    isPartial
    share
    facets {
      by
      isCut
      missingCount
      otherValueCount
      unlistedCount
      values {
        value
        count
      }
      numbers {
        min
        max
        count
        bins {
          from
          to
          count
        }
      }
    }
  }
`;

const QUERIES = { span: SPANS, trace: TRACES, session: SESSIONS } as const;

const PATHS = graphql`
  query useFacetsPathsQuery($projectId: ID!, $timeRange: TimeRange) {
    project: node(id: $projectId) {
      ... on Project {
        attributePaths(first: 300, timeRange: $timeRange)
      }
    }
  }
`;

/** How many rows have which values of one thing. */
export type FacetCounts = useFacets_facets$data['facets'][number];

/** One facet that is asked for. */
export interface FacetRequest {
  readonly by: string;
  readonly first: number;
  readonly prefix?: string;
}

/** Counts of several facets at once; none: nothing is asked. */
export function useFacets(
  scope: ListScope,
  facets: readonly FacetRequest[],
): Answer<useFacets_facets$data | undefined> {
  const { projectId, timeRange, grain, filter, refresh } = scope;
  const variables = facets.length === 0 ? null : { projectId, timeRange, filter, facets };
  const answer = useAnswer<useFacetsSpansQuery | useFacetsTracesQuery | useFacetsSessionsQuery>(
    QUERIES[grain],
    variables,
    refresh,
  );
  const key: useFacets_facets$key | undefined = answer.data?.project.facets;
  return { ...answer, data: key === undefined ? undefined : readInlineData(FACETS, key) };
}

/** Attributes of the newest spans in the range. */
export function useAttributePaths({ projectId, timeRange }: ListScope): readonly string[] {
  const { data } = useAnswer<useFacetsPathsQuery>(PATHS, { projectId, timeRange }, 0);
  return data?.project.attributePaths ?? NONE;
}

const NONE: readonly string[] = [];
