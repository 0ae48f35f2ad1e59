import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import {
  fetchQuery,
  graphql,
  useFragment,
  useLazyLoadQuery,
  usePaginationFragment,
  useRelayEnvironment,
} from 'react-relay';
import type { sessionsTable_project$key } from '#ui/__generated__/sessionsTable_project.graphql.ts';
import type { sessionsTableNewestQuery } from '#ui/__generated__/sessionsTableNewestQuery.graphql.ts';
import type { sessionsTablePageQuery } from '#ui/__generated__/sessionsTablePageQuery.graphql.ts';
import type { sessionsTableQuery } from '#ui/__generated__/sessionsTableQuery.graphql.ts';
import type { sessionsTableRow_session$key } from '#ui/__generated__/sessionsTableRow_session.graphql.ts';
import type { sessionsTableRowsQuery } from '#ui/__generated__/sessionsTableRowsQuery.graphql.ts';
import { useAttempt } from '#ui/components/error-boundary.tsx';
import { Onboarding } from '../onboarding/onboarding.tsx';
import { durationScale } from './duration-scale.ts';
import { sessionSortColumn } from './export/sort-columns.ts';
import type { ListFetch } from './list-region.tsx';
import { ListTable } from './list-table.tsx';
import { PAGE_SIZE } from './page-size.ts';
import { durationOf, renderSessionCard, SESSION_COLUMNS } from './session-columns.tsx';

const QUERY = graphql`
  query sessionsTableQuery($projectId: ID!, $timeRange: TimeRange, $sort: ProjectSessionSort, $filter: String) {
    project: node(id: $projectId) {
      ... on Project @alias(as: "found") {
        name
        hasTraces
        ...sessionsTable_project @arguments(timeRange: $timeRange, sort: $sort, filter: $filter)
      }
    }
  }
`;

const PAGE = graphql`
  fragment sessionsTable_project on Project
  @refetchable(queryName: "sessionsTablePageQuery")
  @argumentDefinitions(
    first: { type: "Int", defaultValue: 100 }
    after: { type: "String" }
    timeRange: { type: "TimeRange" }
    sort: { type: "ProjectSessionSort" }
    filter: { type: "String" }
  ) {
    sessions(first: $first, after: $after, timeRange: $timeRange, sort: $sort, sessionFilterCondition: $filter)
      @connection(key: "sessionsTable_sessions") {
      looked {
        isWhole
        share
        untilTime
      }
      edges {
        node {
          id
          startTime
          endTime
          ...sessionsTableRow_session
        }
      }
    }
  }
`;

const ROW = graphql`
  fragment sessionsTableRow_session on ProjectSession {
    id
    sessionId
    userId
    startTime
    endTime
    numTraces
    numTracesWithError
    project {
      id
    }
    tokenUsage {
      total
      prompt
      completion
    }
    costSummary {
      ...costs_summary
    }
    firstInput {
      mimeType
      truncatedValue
    }
    lastOutput {
      mimeType
      truncatedValue
    }
  }
`;

const NEWEST = graphql`
  query sessionsTableNewestQuery($projectId: ID!, $timeRange: TimeRange, $filter: String) {
    project: node(id: $projectId) {
      ... on Project {
        sessions(first: 100, timeRange: $timeRange, sessionFilterCondition: $filter, sort: { col: startTime, dir: desc }) {
          edges {
            node {
              id
            }
          }
        }
      }
    }
  }
`;

const ROWS = graphql`
  query sessionsTableRowsQuery($ids: [ID!]!) {
    nodes(ids: $ids) {
      ... on ProjectSession @alias(as: "row") {
        startTime
        endTime
        ...sessionsTableRow_session
      }
    }
  }
`;

interface SessionsTableProps {
  readonly fetch: ListFetch;
  readonly openSessionId: string | undefined;
}

/** The sessions of a project, or how to send the first trace. */
export function SessionsTable({ fetch, openSessionId }: SessionsTableProps) {
  const { projectId, timeRange, sort, filter, refreshCount } = fetch;
  const col = sessionSortColumn(sort.column);
  const variables = { projectId, timeRange, filter, sort: { col, dir: sort.direction } };
  const { project } = useLazyLoadQuery<sessionsTableQuery>(QUERY, variables, {
    fetchKey: `${refreshCount}.${useAttempt()}`,
    fetchPolicy: 'store-and-network',
  });
  const environment = useRelayEnvironment();
  const navigate = useNavigate();
  const page = usePaginationFragment<sessionsTablePageQuery, sessionsTable_project$key>(PAGE, project.found);
  const edges = page.data?.sessions.edges;
  const rows = useMemo(() => (edges ?? []).map(({ node }) => node), [edges]);
  if (project.found?.hasTraces === false) return <Onboarding projectId={projectId} project={project.found.name} />;
  return (
    <ListTable
      rows={rows}
      traceIdOf={() => undefined}
      columns={SESSION_COLUMNS}
      useRow={useSessionRow}
      renderCard={renderSessionCard}
      hasNext={page.hasNext}
      loadNext={(onDone) => page.loadNext(PAGE_SIZE, { onComplete: onDone })}
      look={page.data?.sessions.looked?.isWhole === false ? page.data.sessions.looked : undefined}
      openId={openSessionId}
      onOpen={({ id }) =>
        void navigate({
          to: '/projects/$projectId/sessions/$sessionId',
          params: { projectId, sessionId: id },
          search: (before) => ({ ...before, selectedSpanNodeId: undefined, selectedTraceId: undefined }),
          replace: openSessionId !== undefined,
        })
      }
      scaleMs={durationScale(rows.map(durationOf))}
      isNewestFirst={col === 'startTime' && sort.direction === 'desc'}
      readTop={() => fetchQuery<sessionsTableQuery>(environment, QUERY, variables).toPromise()}
      readNewest={async () => {
        const read = fetchQuery<sessionsTableNewestQuery>(environment, NEWEST, { projectId, timeRange, filter });
        return (await read.toPromise())?.project.sessions?.edges.map(({ node }) => node.id) ?? [];
      }}
      readRows={(ids) => fetchQuery<sessionsTableRowsQuery>(environment, ROWS, { ids }).toPromise()}
    />
  );
}

function useSessionRow(ref: sessionsTableRow_session$key) {
  return useFragment(ROW, ref);
}
