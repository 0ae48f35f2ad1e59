import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { graphql, useFragment } from 'react-relay';
import type { spansTable_project$data } from '#ui/__generated__/spansTable_project.graphql.ts';
import type { spansTableNewestQuery } from '#ui/__generated__/spansTableNewestQuery.graphql.ts';
import type { spansTableQuery } from '#ui/__generated__/spansTableQuery.graphql.ts';
import type { spansTableRow_span$key } from '#ui/__generated__/spansTableRow_span.graphql.ts';
import type { spansTableRowsQuery } from '#ui/__generated__/spansTableRowsQuery.graphql.ts';
import { toSpanSort } from './export/sort-columns.ts';
import { ListTable } from './list-table.tsx';
import { nameOfSpan, renderSpanCard, useSpanColumns } from './span-columns.tsx';
import { type ListFetch, useListPage } from './use-list-page.tsx';

const QUERY = graphql`
  query spansTableQuery(
    $projectId: ID!
    $timeRange: TimeRange
    $sort: SpanSort
    $rootSpansOnly: Boolean!
    $filter: String
    $paths: [String!]!
    $annotated: Boolean!
    $noted: Boolean!
  ) {
    project: node(id: $projectId) {
      ... on Project @alias(as: "found") {
        name
        hasTraces
        ...spansTable_project @arguments(timeRange: $timeRange, sort: $sort, rootSpansOnly: $rootSpansOnly, filter: $filter, paths: $paths, annotated: $annotated, noted: $noted)
      }
    }
  }
`;

const PAGE = graphql`
  fragment spansTable_project on Project
  @refetchable(queryName: "spansTablePageQuery")
  @argumentDefinitions(
    first: { type: "Int", defaultValue: 100 }
    after: { type: "String" }
    timeRange: { type: "TimeRange" }
    sort: { type: "SpanSort" }
    rootSpansOnly: { type: "Boolean", defaultValue: false }
    filter: { type: "String" }
    paths: { type: "[String!]!" }
    annotated: { type: "Boolean!" }
    noted: { type: "Boolean!" }
  ) {
    rows: spans(
      first: $first
      after: $after
      timeRange: $timeRange
      sort: $sort
      rootSpansOnly: $rootSpansOnly
      orphanSpanAsRootSpan: false
      filterCondition: $filter
    )
      @connection(key: "spansTable_rows") {
      looked {
        isWhole
        share
        untilTime
      }
      edges {
        node {
          id
          latencyMs
          context {
            traceId
          }
          ...spansTableRow_span @arguments(paths: $paths, annotated: $annotated, noted: $noted)
        }
      }
    }
  }
`;

const ROW = graphql`
  fragment spansTableRow_span on Span @argumentDefinitions(paths: { type: "[String!]!" }, annotated: { type: "Boolean!" }, noted: { type: "Boolean!" }) {
    id
    name
    spanKind
    statusCode
    startTime
    endTime
    latencyMs
    modelName
    userId
    sessionId
    timeToFirstTokenMs
    attributeTexts(paths: $paths)
    trace {
      projectSessionId
    }
    tokenCountTotal
    tokenCountPrompt
    tokenCountCompletion
    costSummary {
      ...costs_summary
    }
    context {
      traceId
      spanId
    }
    project {
      id
    }
    input {
      mimeType
      truncatedValue
    }
    output {
      mimeType
      truncatedValue
    }
    spanAnnotationSummaries @include(if: $annotated) {
      name
      count
      meanScore
      labelFractions {
        label
        fraction
      }
    }
    spanNotes @include(if: $noted) {
      id
    }
  }
`;

const NEWEST = graphql`
  query spansTableNewestQuery($projectId: ID!, $timeRange: TimeRange, $rootSpansOnly: Boolean!, $filter: String) {
    project: node(id: $projectId) {
      ... on Project {
        rows: spans(
          first: 100
          timeRange: $timeRange
          rootSpansOnly: $rootSpansOnly
          orphanSpanAsRootSpan: false
          filterCondition: $filter
          sort: { col: startTime, dir: desc }
        ) {
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
  query spansTableRowsQuery($ids: [ID!]!, $paths: [String!]!, $annotated: Boolean!, $noted: Boolean!) {
    nodes(ids: $ids) {
      ... on Span @alias(as: "row") {
        latencyMs
        ...spansTableRow_span @arguments(paths: $paths, annotated: $annotated, noted: $noted)
      }
    }
  }
`;

type SpanRef = spansTable_project$data['rows']['edges'][number]['node'];

const DOCUMENTS = { query: QUERY, page: PAGE, newest: NEWEST, rows: ROWS };

interface SpansTableProps {
  readonly fetch: ListFetch;
  readonly rootSpansOnly: boolean;
  readonly openTraceId: string | undefined;
  readonly openSpanId: string | undefined;
}

/** The spans of a project, or how to send the first one. */
export function SpansTable({ fetch, rootSpansOnly, openTraceId, openSpanId }: SpansTableProps) {
  const { projectId, timeRange, sort, filter } = fetch;
  // Rows stay while further columns of them are read.
  const { columns, asked } = useDeferredValue(useSpanColumns(projectId));
  const shown = { projectId, timeRange, rootSpansOnly, filter, ...asked };
  const order = toSpanSort(sort);
  const page = useListPage<spansTableQuery, SpanRef, spansTableNewestQuery, spansTableRowsQuery>(
    DOCUMENTS,
    fetch,
    shown,
    order,
  );
  const navigate = useNavigate();
  if (page.onboarding) return page.onboarding;
  const isOpen = ({ id, context }: SpanRef) =>
    openTraceId !== undefined && (openSpanId === undefined ? context.traceId === openTraceId : id === openSpanId);
  const open = page.rows.find(isOpen) ?? page.rows.find(({ context }) => context.traceId === openTraceId);
  return (
    <ListTable
      page={page}
      traceIdOf={({ context }) => context.traceId}
      columns={columns}
      useRow={useSpanRow}
      renderCard={renderSpanCard}
      nameOf={nameOfSpan}
      openId={open?.id}
      onOpen={({ id, context }) =>
        void navigate({
          to: '/projects/$projectId/spans/$traceId',
          params: { projectId, traceId: context.traceId },
          search: (before) => ({ ...before, selectedSpanNodeId: id }),
          replace: openTraceId !== undefined,
        })
      }
      durationOf={({ latencyMs }) => latencyMs}
      isNewestFirst={order.col === 'startTime' && order.dir === 'desc'}
    />
  );
}

function useSpanRow(ref: spansTableRow_span$key) {
  return useFragment(ROW, ref);
}
