import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { graphql, useFragment } from 'react-relay';
import type { tracesTable_project$data } from '#ui/__generated__/tracesTable_project.graphql.ts';
import type { tracesTableNewestQuery } from '#ui/__generated__/tracesTableNewestQuery.graphql.ts';
import type { tracesTableQuery } from '#ui/__generated__/tracesTableQuery.graphql.ts';
import type { tracesTableRow_trace$key } from '#ui/__generated__/tracesTableRow_trace.graphql.ts';
import type { tracesTableRowsQuery } from '#ui/__generated__/tracesTableRowsQuery.graphql.ts';
import { toTraceSort } from './export/sort-columns.ts';
import { ListTable } from './list-table.tsx';
import { nameOfTrace, renderTraceCard, useTraceColumns } from './trace-columns.tsx';
import { type ListFetch, useListPage } from './use-list-page.tsx';

const QUERY = graphql`
  query tracesTableQuery(
    $projectId: ID!
    $timeRange: TimeRange
    $sort: TraceSort
    $filter: String
    $paths: [String!]!
    $annotated: Boolean!
    $noted: Boolean!
  ) {
    project: node(id: $projectId) {
      ... on Project @alias(as: "found") {
        name
        hasTraces
        ...tracesTable_project @arguments(timeRange: $timeRange, sort: $sort, filter: $filter, paths: $paths, annotated: $annotated, noted: $noted)
      }
    }
  }
`;

const PAGE = graphql`
  fragment tracesTable_project on Project
  @refetchable(queryName: "tracesTablePageQuery")
  @argumentDefinitions(
    first: { type: "Int", defaultValue: 100 }
    after: { type: "String" }
    timeRange: { type: "TimeRange" }
    sort: { type: "TraceSort" }
    filter: { type: "String" }
    paths: { type: "[String!]!" }
    annotated: { type: "Boolean!" }
    noted: { type: "Boolean!" }
  ) {
    rows: traces(first: $first, after: $after, timeRange: $timeRange, sort: $sort, traceFilterCondition: $filter) @connection(key: "tracesTable_rows") {
      looked {
        isWhole
        share
        untilTime
      }
      edges {
        node {
          id
          traceId
          latencyMs
          ...tracesTableRow_trace @arguments(paths: $paths, annotated: $annotated, noted: $noted)
        }
      }
    }
  }
`;

const ROW = graphql`
  fragment tracesTableRow_trace on Trace @argumentDefinitions(paths: { type: "[String!]!" }, annotated: { type: "Boolean!" }, noted: { type: "Boolean!" }) {
    traceId
    projectId
    startTime
    latencyMs
    errorCount
    numSpans
    userId
    spanCountsByKind {
      spanKind
      count
    }
    tokenUsage {
      total
      prompt
      completion
    }
    costSummary {
      ...costs_summary
    }
    session {
      id
      sessionId
    }
    rootSpan {
      name
      spanKind
      statusCode
      endTime
      timeToFirstTokenMs
      attributeTexts(paths: $paths)
      input {
        mimeType
        truncatedValue
      }
      output {
        mimeType
        truncatedValue
      }
    }
    traceAnnotationSummaries @include(if: $annotated) {
      name
      count
      meanScore
      labelFractions {
        label
        fraction
      }
    }
    notes: traceAnnotations(filter: { include: { names: ["note"] } }) @include(if: $noted) {
      id
    }
  }
`;

const NEWEST = graphql`
  query tracesTableNewestQuery($projectId: ID!, $timeRange: TimeRange, $filter: String) {
    project: node(id: $projectId) {
      ... on Project {
        rows: traces(first: 100, timeRange: $timeRange, traceFilterCondition: $filter, sort: { col: startTime, dir: desc }) {
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
  query tracesTableRowsQuery($ids: [ID!]!, $paths: [String!]!, $annotated: Boolean!, $noted: Boolean!) {
    nodes(ids: $ids) {
      ... on Trace @alias(as: "row") {
        latencyMs
        ...tracesTableRow_trace @arguments(paths: $paths, annotated: $annotated, noted: $noted)
      }
    }
  }
`;

type TraceRef = tracesTable_project$data['rows']['edges'][number]['node'];

const DOCUMENTS = { query: QUERY, page: PAGE, newest: NEWEST, rows: ROWS };

interface TracesTableProps {
  readonly fetch: ListFetch;
  readonly openTraceId: string | undefined;
}

/** The traces of a project, or how to send the first one. */
export function TracesTable({ fetch, openTraceId }: TracesTableProps) {
  const { projectId, timeRange, sort, filter } = fetch;
  // Rows stay while further columns of them are read.
  const { columns, asked } = useDeferredValue(useTraceColumns(projectId));
  const shown = { projectId, timeRange, filter, ...asked };
  const order = toTraceSort(sort);
  const page = useListPage<tracesTableQuery, TraceRef, tracesTableNewestQuery, tracesTableRowsQuery>(
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
      traceIdOf={({ traceId }) => traceId}
      columns={columns}
      useRow={useTraceRow}
      renderCard={renderTraceCard}
      nameOf={nameOfTrace}
      openId={page.rows.find(({ traceId }) => traceId === openTraceId)?.id}
      onOpen={({ traceId }) =>
        void navigate({
          to: '/projects/$projectId/traces/$traceId',
          params: { projectId, traceId },
          search: (before) => ({
            ...before,
            // A page that lists the traces of something has no filter in its address.
            filter: filter ?? undefined,
            selectedSpanNodeId: undefined,
            selectedTraceId: undefined,
          }),
          replace: openTraceId !== undefined,
        })
      }
      durationOf={({ latencyMs }) => latencyMs}
      isNewestFirst={order.col === 'startTime' && order.dir === 'desc'}
    />
  );
}

function useTraceRow(ref: tracesTableRow_trace$key) {
  return useFragment(ROW, ref);
}
