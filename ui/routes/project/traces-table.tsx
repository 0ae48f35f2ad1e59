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
import type { tracesTable_project$key } from '#ui/__generated__/tracesTable_project.graphql.ts';
import type { tracesTableNewestQuery } from '#ui/__generated__/tracesTableNewestQuery.graphql.ts';
import type { tracesTablePageQuery } from '#ui/__generated__/tracesTablePageQuery.graphql.ts';
import type { tracesTableQuery } from '#ui/__generated__/tracesTableQuery.graphql.ts';
import type { tracesTableRow_trace$key } from '#ui/__generated__/tracesTableRow_trace.graphql.ts';
import type { tracesTableRowsQuery } from '#ui/__generated__/tracesTableRowsQuery.graphql.ts';
import { useAttempt } from '#ui/components/error-boundary.tsx';
import { Onboarding } from '../onboarding/onboarding.tsx';
import { durationScale } from './duration-scale.ts';
import { traceSortColumn } from './export/sort-columns.ts';
import type { ListFetch } from './list-region.tsx';
import { ListTable } from './list-table.tsx';
import { PAGE_SIZE } from './page-size.ts';
import { renderTraceCard, TRACE_COLUMNS } from './trace-columns.tsx';

const QUERY = graphql`
  query tracesTableQuery($projectId: ID!, $timeRange: TimeRange, $sort: TraceSort, $filter: String) {
    project: node(id: $projectId) {
      ... on Project @alias(as: "found") {
        name
        hasTraces
        ...tracesTable_project @arguments(timeRange: $timeRange, sort: $sort, filter: $filter)
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
  ) {
    traces(first: $first, after: $after, timeRange: $timeRange, sort: $sort, traceFilterCondition: $filter) @connection(key: "tracesTable_traces") {
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
          ...tracesTableRow_trace
        }
      }
    }
  }
`;

const ROW = graphql`
  fragment tracesTableRow_trace on Trace {
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
      input {
        mimeType
        truncatedValue
      }
      output {
        mimeType
        truncatedValue
      }
    }
  }
`;

const NEWEST = graphql`
  query tracesTableNewestQuery($projectId: ID!, $timeRange: TimeRange, $filter: String) {
    project: node(id: $projectId) {
      ... on Project {
        traces(first: 100, timeRange: $timeRange, traceFilterCondition: $filter, sort: { col: startTime, dir: desc }) {
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
  query tracesTableRowsQuery($ids: [ID!]!) {
    nodes(ids: $ids) {
      ... on Trace @alias(as: "row") {
        latencyMs
        ...tracesTableRow_trace
      }
    }
  }
`;

interface TracesTableProps {
  readonly fetch: ListFetch;
  readonly openTraceId: string | undefined;
}

/** The traces of a project, or how to send the first one. */
export function TracesTable({ fetch, openTraceId }: TracesTableProps) {
  const { projectId, timeRange, sort, filter, refreshCount } = fetch;
  const variables = {
    projectId,
    timeRange,
    filter,
    sort: { col: traceSortColumn(sort.column), dir: sort.direction },
  } as const;
  const { project } = useLazyLoadQuery<tracesTableQuery>(QUERY, variables, {
    fetchKey: `${refreshCount}.${useAttempt()}`,
    fetchPolicy: 'store-and-network',
  });
  const environment = useRelayEnvironment();
  const navigate = useNavigate();
  const page = usePaginationFragment<tracesTablePageQuery, tracesTable_project$key>(PAGE, project.found);
  const edges = page.data?.traces.edges;
  const rows = useMemo(() => (edges ?? []).map(({ node }) => node), [edges]);
  if (project.found?.hasTraces === false) return <Onboarding projectId={projectId} project={project.found.name} />;
  return (
    <ListTable
      rows={rows}
      traceIdOf={({ traceId }) => traceId}
      columns={TRACE_COLUMNS}
      useRow={useTraceRow}
      renderCard={renderTraceCard}
      hasNext={page.hasNext}
      loadNext={(onDone) => page.loadNext(PAGE_SIZE, { onComplete: onDone })}
      look={page.data?.traces.looked?.isWhole === false ? page.data.traces.looked : undefined}
      openId={rows.find(({ traceId }) => traceId === openTraceId)?.id}
      onOpen={({ traceId }) =>
        void navigate({
          to: '/projects/$projectId/traces/$traceId',
          params: { projectId, traceId },
          search: (before) => ({ ...before, selectedSpanNodeId: undefined, selectedTraceId: undefined }),
          replace: openTraceId !== undefined,
        })
      }
      scaleMs={durationScale(rows.map(({ latencyMs }) => latencyMs))}
      isNewestFirst={sort.column === 'start' && sort.direction === 'desc'}
      readTop={() => fetchQuery<tracesTableQuery>(environment, QUERY, variables).toPromise()}
      readNewest={async () => {
        const read = fetchQuery<tracesTableNewestQuery>(environment, NEWEST, { projectId, timeRange, filter });
        return (await read.toPromise())?.project.traces?.edges.map(({ node }) => node.id) ?? [];
      }}
      readRows={(ids) => fetchQuery<tracesTableRowsQuery>(environment, ROWS, { ids }).toPromise()}
    />
  );
}

function useTraceRow(ref: tracesTableRow_trace$key) {
  return useFragment(ROW, ref);
}
