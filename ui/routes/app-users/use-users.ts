/** Reads the users of a project, page after page. */
import { useMemo } from 'react';
import { graphql, usePaginationFragment } from 'react-relay';
import type { useUsers_project$key } from '#ui/__generated__/useUsers_project.graphql.ts';
import type { useUsersPageQuery } from '#ui/__generated__/useUsersPageQuery.graphql.ts';
import type { ProjectUserColumn, useUsersQuery } from '#ui/__generated__/useUsersQuery.graphql.ts';
import type { Sort } from '#ui/components/data-table/table-column.ts';
import type { ResolvedTimeRange } from '#ui/lib/time-range.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import type { UserRow } from './user-columns.tsx';

const QUERY = graphql`
  query useUsersQuery($projectId: ID!, $timeRange: TimeRange, $search: String, $sort: ProjectUserSort) {
    project: node(id: $projectId) {
      ... on Project @alias(as: "found") {
        ...useUsers_project @arguments(timeRange: $timeRange, search: $search, sort: $sort)
      }
    }
  }
`;

const PAGE = graphql`
  fragment useUsers_project on Project
  @refetchable(queryName: "useUsersPageQuery")
  @argumentDefinitions(
    first: { type: "Int", defaultValue: 100 }
    after: { type: "String" }
    timeRange: { type: "TimeRange" }
    search: { type: "String" }
    sort: { type: "ProjectUserSort" }
  ) {
    users(first: $first, after: $after, timeRange: $timeRange, search: $search, sort: $sort)
      @connection(key: "useUsers_users") {
      totalCount
      isPartial
      share
      edges {
        node {
          userId
          sessionCount
          traceCount
          errorRate
          latencyMsP50
          latencyMsP95
          tokenCountTotal
          costTotal
          firstStartTime
          lastStartTime
        }
      }
    }
  }
`;

const COLUMNS: Readonly<Record<string, ProjectUserColumn>> = {
  sessions: 'sessionCount',
  traces: 'traceCount',
  errors: 'errorRate',
  p50: 'latencyMsP50',
  p95: 'latencyMsP95',
  tokens: 'tokenCountTotal',
  cost: 'costTotal',
  first: 'firstStartTime',
  last: 'lastStartTime',
};

/** Users that are read at a time; the first page says so itself. */
const PAGE_SIZE = 100;

/** Which users. */
export interface UsersFetch {
  readonly projectId: string;
  readonly timeRange: ResolvedTimeRange;
  /** A part of an id; empty: all. */
  readonly search: string;
  readonly sort: Sort;
  /** Another one asks the server again. */
  readonly refresh: string;
}

/** See the file. */
export function useUsers({ projectId, timeRange, search, sort, refresh }: UsersFetch) {
  const { project } = useQuery<useUsersQuery>(
    QUERY,
    { projectId, timeRange, search, sort: { col: COLUMNS[sort.column] ?? 'costTotal', dir: sort.direction } },
    { version: refresh, fetchPolicy: 'store-and-network' },
  );
  const { data, hasNext, loadNext } = usePaginationFragment<useUsersPageQuery, useUsers_project$key>(
    PAGE,
    project.found,
  );
  const found = data?.users;
  const edges = found?.edges;
  return {
    rows: useMemo(
      () => (edges ?? []).map(({ node: { userId, ...figures } }): UserRow => ({ ...figures, id: userId, projectId })),
      [edges, projectId],
    ),
    total: found?.totalCount ?? 0,
    share: found?.isPartial === true ? found.share : 1,
    hasNext,
    loadNext: (onDone: (error: Error | null) => void) => loadNext(PAGE_SIZE, { onComplete: onDone }),
  };
}
