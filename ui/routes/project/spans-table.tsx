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
import type { spansTable_project$key } from '#ui/__generated__/spansTable_project.graphql.ts';
import type { spansTableNewestQuery } from '#ui/__generated__/spansTableNewestQuery.graphql.ts';
import type { spansTablePageQuery } from '#ui/__generated__/spansTablePageQuery.graphql.ts';
import type { spansTableQuery } from '#ui/__generated__/spansTableQuery.graphql.ts';
import type { spansTableRow_span$key } from '#ui/__generated__/spansTableRow_span.graphql.ts';
import type { spansTableRowsQuery } from '#ui/__generated__/spansTableRowsQuery.graphql.ts';
import { useAttempt } from '#ui/components/error-boundary.tsx';
import { Onboarding } from '../onboarding/onboarding.tsx';
import { durationScale } from './duration-scale.ts';
import { spanSortColumn } from './export/sort-columns.ts';
import type { ListFetch } from './list-region.tsx';
import { ListTable } from './list-table.tsx';
import { PAGE_SIZE } from './page-size.ts';
import { renderSpanCard, SPAN_COLUMNS } from './span-columns.tsx';

const QUERY = graphql`
  query spansTableQuery($projectId: ID!, $timeRange: TimeRange, $sort: SpanSort, $rootSpansOnly: Boolean!, $filter: String) {
    project: node(id: $projectId) {
      ... on Project @alias(as: "found") {
        name
        hasTraces
        ...spansTable_project @arguments(timeRange: $timeRange, sort: $sort, rootSpansOnly: $rootSpansOnly, filter: $filter)
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
  ) {
    spans(
      first: $first
      after: $after
      timeRange: $timeRange
      sort: $sort
      rootSpansOnly: $rootSpansOnly
      filterCondition: $filter
    )
      @connection(key: "spansTable_spans") {
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
          ...spansTableRow_span
        }
      }
    }
  }
`;

const ROW = graphql`
  fragment spansTableRow_span on Span {
    id
    name
    spanKind
    statusCode
    startTime
    endTime
    latencyMs
    modelName
    userId
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
  }
`;

const NEWEST = graphql`
  query spansTableNewestQuery($projectId: ID!, $timeRange: TimeRange, $rootSpansOnly: Boolean!, $filter: String) {
    project: node(id: $projectId) {
      ... on Project {
        spans(
          first: 100
          timeRange: $timeRange
          rootSpansOnly: $rootSpansOnly
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
  query spansTableRowsQuery($ids: [ID!]!) {
    nodes(ids: $ids) {
      ... on Span @alias(as: "row") {
        latencyMs
        ...spansTableRow_span
      }
    }
  }
`;

interface SpansTableProps {
  readonly fetch: ListFetch;
  readonly rootSpansOnly: boolean;
  readonly openTraceId: string | undefined;
  readonly openSpanId: string | undefined;
}

/** The spans of a project, or how to send the first one. */
export function SpansTable({ fetch, rootSpansOnly, openTraceId, openSpanId }: SpansTableProps) {
  const { projectId, timeRange, sort, filter, refreshCount } = fetch;
  const col = spanSortColumn(sort.column);
  const variables = { projectId, timeRange, rootSpansOnly, filter, sort: { col, dir: sort.direction } };
  const { project } = useLazyLoadQuery<spansTableQuery>(QUERY, variables, {
    fetchKey: `${refreshCount}.${useAttempt()}`,
    fetchPolicy: 'store-and-network',
  });
  const environment = useRelayEnvironment();
  const navigate = useNavigate();
  const page = usePaginationFragment<spansTablePageQuery, spansTable_project$key>(PAGE, project.found);
  const edges = page.data?.spans.edges;
  const rows = useMemo(() => (edges ?? []).map(({ node }) => node), [edges]);
  if (project.found?.hasTraces === false) return <Onboarding projectId={projectId} project={project.found.name} />;
  const isOpen = ({ id, context }: (typeof rows)[number]) =>
    openTraceId !== undefined && (openSpanId === undefined ? context.traceId === openTraceId : id === openSpanId);
  const open = rows.find(isOpen) ?? rows.find(({ context }) => context.traceId === openTraceId);
  return (
    <ListTable
      rows={rows}
      traceIdOf={({ context }) => context.traceId}
      columns={SPAN_COLUMNS}
      useRow={useSpanRow}
      renderCard={renderSpanCard}
      hasNext={page.hasNext}
      loadNext={(onDone) => page.loadNext(PAGE_SIZE, { onComplete: onDone })}
      look={page.data?.spans.looked?.isWhole === false ? page.data.spans.looked : undefined}
      openId={open?.id}
      onOpen={({ id, context }) =>
        void navigate({
          to: '/projects/$projectId/spans/$traceId',
          params: { projectId, traceId: context.traceId },
          search: (before) => ({ ...before, selectedSpanNodeId: id }),
          replace: openTraceId !== undefined,
        })
      }
      scaleMs={durationScale(rows.map(({ latencyMs }) => latencyMs))}
      isNewestFirst={col === 'startTime' && sort.direction === 'desc'}
      readTop={() => fetchQuery<spansTableQuery>(environment, QUERY, variables).toPromise()}
      readNewest={async () => {
        const read = fetchQuery<spansTableNewestQuery>(environment, NEWEST, {
          projectId,
          timeRange,
          rootSpansOnly,
          filter,
        });
        return (await read.toPromise())?.project.spans?.edges.map(({ node }) => node.id) ?? [];
      }}
      readRows={(ids) => fetchQuery<spansTableRowsQuery>(environment, ROWS, { ids }).toPromise()}
    />
  );
}

function useSpanRow(ref: spansTableRow_span$key) {
  return useFragment(ROW, ref);
}
