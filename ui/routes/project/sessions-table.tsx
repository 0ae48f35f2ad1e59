import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { graphql, useFragment } from 'react-relay';
import type { sessionsTable_project$data } from '#ui/__generated__/sessionsTable_project.graphql.ts';
import type { sessionsTableNewestQuery } from '#ui/__generated__/sessionsTableNewestQuery.graphql.ts';
import type { sessionsTableQuery } from '#ui/__generated__/sessionsTableQuery.graphql.ts';
import type { sessionsTableRow_session$key } from '#ui/__generated__/sessionsTableRow_session.graphql.ts';
import type { sessionsTableRowsQuery } from '#ui/__generated__/sessionsTableRowsQuery.graphql.ts';
import { toSessionSort } from './export/sort-columns.ts';
import { ListTable } from './list-table.tsx';
import { durationOf, nameOfSession, renderSessionCard, useSessionColumns } from './session-columns.tsx';
import { type ListFetch, useListPage } from './use-list-page.tsx';

const QUERY = graphql`
  query sessionsTableQuery(
    $projectId: ID!
    $timeRange: TimeRange
    $sort: ProjectSessionSort
    $filter: String
    $annotated: Boolean!
    $noted: Boolean!
  ) {
    project: node(id: $projectId) {
      ... on Project @alias(as: "found") {
        name
        hasTraces
        ...sessionsTable_project @arguments(timeRange: $timeRange, sort: $sort, filter: $filter, annotated: $annotated, noted: $noted)
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
    annotated: { type: "Boolean!" }
    noted: { type: "Boolean!" }
  ) {
    rows: sessions(first: $first, after: $after, timeRange: $timeRange, sort: $sort, sessionFilterCondition: $filter)
      @connection(key: "sessionsTable_rows") {
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
          ...sessionsTableRow_session @arguments(annotated: $annotated, noted: $noted)
        }
      }
    }
  }
`;

const ROW = graphql`
  fragment sessionsTableRow_session on ProjectSession
  @argumentDefinitions(annotated: { type: "Boolean!" }, noted: { type: "Boolean!" }) {
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
    sessionAnnotationSummaries @include(if: $annotated) {
      name
      count
      meanScore
      labelFractions {
        label
        fraction
      }
    }
    sessionAnnotations @include(if: $noted) {
      name
    }
  }
`;

const NEWEST = graphql`
  query sessionsTableNewestQuery($projectId: ID!, $timeRange: TimeRange, $filter: String) {
    project: node(id: $projectId) {
      ... on Project {
        rows: sessions(first: 100, timeRange: $timeRange, sessionFilterCondition: $filter, sort: { col: startTime, dir: desc }) {
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
  query sessionsTableRowsQuery($ids: [ID!]!, $annotated: Boolean!, $noted: Boolean!) {
    nodes(ids: $ids) {
      ... on ProjectSession @alias(as: "row") {
        startTime
        endTime
        ...sessionsTableRow_session @arguments(annotated: $annotated, noted: $noted)
      }
    }
  }
`;

type SessionRef = sessionsTable_project$data['rows']['edges'][number]['node'];

const DOCUMENTS = { query: QUERY, page: PAGE, newest: NEWEST, rows: ROWS };

interface SessionsTableProps {
  readonly fetch: ListFetch;
  readonly openSessionId: string | undefined;
}

/** The sessions of a project, or how to send the first trace. */
export function SessionsTable({ fetch, openSessionId }: SessionsTableProps) {
  const { projectId, timeRange, sort, filter } = fetch;
  // Rows stay while further columns of them are read.
  const { columns, asked } = useDeferredValue(useSessionColumns(projectId));
  const shown = { projectId, timeRange, filter, ...asked };
  const order = toSessionSort(sort);
  const page = useListPage<sessionsTableQuery, SessionRef, sessionsTableNewestQuery, sessionsTableRowsQuery>(
    DOCUMENTS,
    fetch,
    shown,
    order,
  );
  const navigate = useNavigate();
  if (page.onboarding) return page.onboarding;
  return (
    <ListTable
      page={page}
      traceIdOf={() => undefined}
      columns={columns}
      useRow={useSessionRow}
      renderCard={renderSessionCard}
      nameOf={nameOfSession}
      openId={openSessionId}
      onOpen={({ id }) =>
        void navigate({
          to: '/projects/$projectId/sessions/$sessionId',
          params: { projectId, sessionId: id },
          search: (before) => ({ ...before, selectedSpanNodeId: undefined, selectedTraceId: undefined }),
          replace: openSessionId !== undefined,
        })
      }
      durationOf={durationOf}
      isNewestFirst={order.col === 'startTime' && order.dir === 'desc'}
    />
  );
}

function useSessionRow(ref: sessionsTableRow_session$key) {
  return useFragment(ROW, ref);
}
