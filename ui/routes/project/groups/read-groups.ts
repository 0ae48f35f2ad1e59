/** What a grouped table asks the server, and the rows that the answer holds. */
import { graphql, readInlineData } from 'react-relay';
import type { readGroups_groups$key } from '#ui/__generated__/readGroups_groups.graphql.ts';
import type { readGroupsSpansQuery$variables, RowGroupColumn } from '#ui/__generated__/readGroupsSpansQuery.graphql.ts';
import type { ListFetch } from '../use-list-page.tsx';
import type { GroupRow } from './group-columns.tsx';
import type { Grouping } from './groupings.ts';

/** Groups of spans. */
export const SPAN_GROUPS = graphql`
  query readGroupsSpansQuery(
    $projectId: ID!
    $timeRange: TimeRange
    $filter: String
    $by: String!
    $sort: RowGroupSort
  ) {
    project: node(id: $projectId) {
      ... on Project {
        groups: spanGroups(timeRange: $timeRange, filterCondition: $filter, by: $by, sort: $sort, first: 200) {
          ...readGroups_groups
        }
      }
    }
  }
`;

/** Groups of traces. */
export const TRACE_GROUPS = graphql`
  query readGroupsTracesQuery(
    $projectId: ID!
    $timeRange: TimeRange
    $filter: String
    $by: String!
    $sort: RowGroupSort
  ) {
    project: node(id: $projectId) {
      ... on Project {
        groups: traceGroups(timeRange: $timeRange, traceFilterCondition: $filter, by: $by, sort: $sort, first: 200) {
          ...readGroups_groups
        }
      }
    }
  }
`;

const GROUPS = graphql`
  fragment readGroups_groups on RowGroups @inline {
    isPartial
    share
    otherGroupCount
    groups {
      isRest
      value
      filter
      count
      errorRate
      latencyMsP50
      latencyMsP95
      tokenCountTotal
      costTotal
      lastStartTime
    }
  }
`;

const COLUMNS: Readonly<Record<string, RowGroupColumn>> = {
  count: 'count',
  errors: 'errorRate',
  p50: 'latencyMsP50',
  p95: 'latencyMsP95',
  tokens: 'tokenCountTotal',
  cost: 'costTotal',
  last: 'lastStartTime',
};

/** The question for the first groups in an order; all further ones are one more row. */
export function groupsQuestion(
  { projectId, timeRange, filter, sort }: Pick<ListFetch, 'projectId' | 'timeRange' | 'filter' | 'sort'>,
  grouping: Grouping,
): readGroupsSpansQuery$variables {
  const order = { col: COLUMNS[sort.column] ?? 'count', dir: sort.direction };
  return { projectId, timeRange, filter, by: grouping.by, sort: order };
}

/** See the file. */
export interface ReadGroups {
  readonly rows: readonly GroupRow[];
  /** Of what the groups are made of, the newest; 1: all of it. */
  readonly share: number;
}

/** The rows of an answer. */
export function toGroups(answer: readGroups_groups$key | null | undefined): ReadGroups {
  if (answer == null) return { rows: [], share: 1 };
  const { groups, otherGroupCount, isPartial, share } = readInlineData(GROUPS, answer);
  const rows = groups.map(
    ({ isRest, filter, value, ...figures }): GroupRow => ({
      ...figures,
      id: isRest ? 'rest' : JSON.stringify(value ?? null),
      otherCount: isRest ? otherGroupCount : null,
      value: value ?? null,
      filter: filter ?? null,
      latencyMsP50: figures.latencyMsP50 ?? null,
      latencyMsP95: figures.latencyMsP95 ?? null,
    }),
  );
  return { rows, share: isPartial ? share : 1 };
}
