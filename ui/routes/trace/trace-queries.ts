/** Asks the API for a trace. */
import { fetchQuery, graphql, readInlineData } from 'react-relay';
import type { IEnvironment } from 'relay-runtime';
import type { traceQueries_span$key } from '#ui/__generated__/traceQueries_span.graphql.ts';
import type { traceQueries_trace$key } from '#ui/__generated__/traceQueries_trace.graphql.ts';
import type { traceQueriesNewestQuery } from '#ui/__generated__/traceQueriesNewestQuery.graphql.ts';
import type { traceQueriesSkeletonQuery } from '#ui/__generated__/traceQueriesSkeletonQuery.graphql.ts';
import type { traceQueriesSpansQuery } from '#ui/__generated__/traceQueriesSpansQuery.graphql.ts';
import { readCosts } from '#ui/lib/costs.ts';
import { unlessMissing } from '#ui/lib/server-error.ts';
import { traceStatus } from '#ui/lib/trace-status.ts';
import { readSkeleton, type SkeletonColumns } from './model/skeleton.ts';
import { toTraceSpan, type TraceSpan } from './model/trace-span.ts';
import type { TraceReader, TraceSummary } from './trace-source.ts';

/** No more than tree and timeline show: what a span read and wrote is fetched when somebody looks at it. */
const SPAN = graphql`
  fragment traceQueries_span on Span @inline {
    id
    spanId
    parentId
    name
    spanKind
    statusCode
    startTime
    endTime
    tokenCountTotal
    countsInSums
    costSummary {
      ...costs_summary
    }
    modelName
  }
`;

/** What is said of the trace as a whole. */
const SUMMARY = graphql`
  fragment traceQueries_trace on Trace @inline {
    id
    startTime
    latencyMs
    numSpans
    errorCount
    numUnattachedLogRecords
    userId
    tokenUsage {
      prompt
      completion
      total
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
      statusCode
      endTime
    }
  }
`;

const SKELETON = graphql`
  query traceQueriesSkeletonQuery($projectId: ID!, $traceId: ID!, $limit: Int!, $after: String) {
    project: node(id: $projectId) {
      ... on Project {
        trace(traceId: $traceId) {
          ...traceQueries_trace
          skeleton(limit: $limit, after: $after) {
            columns
            endCursor
          }
        }
      }
    }
  }
`;

const NEWEST = graphql`
  query traceQueriesNewestQuery($projectId: ID!, $traceId: ID!, $first: Int!, $after: String) {
    project: node(id: $projectId) {
      ... on Project {
        trace(traceId: $traceId) {
          ...traceQueries_trace
          spans(first: $first, after: $after) {
            edges {
              node {
                ...traceQueries_span
              }
            }
            pageInfo {
              hasNextPage
              endCursor
            }
          }
        }
      }
    }
  }
`;

const SPANS = graphql`
  query traceQueriesSpansQuery($ids: [ID!]!) {
    nodes(ids: $ids) {
      ...traceQueries_span @alias(as: "span")
    }
  }
`;

/** Reads one trace of a project; both ids as the address has them. */
export function traceReader(environment: IEnvironment, projectId: string, traceId: string): TraceReader {
  return {
    async readEarliest({ limit, after }) {
      const variables = { projectId, traceId, limit, after };
      const reading = fetchQuery<traceQueriesSkeletonQuery>(environment, SKELETON, variables).toPromise();
      const trace = (await unlessMissing(reading, undefined))?.project.trace;
      if (trace == null) return null;
      const { columns, endCursor } = trace.skeleton;
      return {
        summary: toSummary(trace),
        spans: readSkeleton(JSON.parse(columns) as SkeletonColumns),
        nextCursor: endCursor ?? null,
      };
    },
    async readNewest({ limit, after }) {
      const variables = { projectId, traceId, first: limit, after };
      const reading = fetchQuery<traceQueriesNewestQuery>(environment, NEWEST, variables).toPromise();
      const trace = (await unlessMissing(reading, undefined))?.project.trace;
      if (trace == null) return null;
      const { edges, pageInfo } = trace.spans;
      return {
        summary: toSummary(trace),
        spans: edges.map(({ node }) => readSpan(node)),
        nextCursor: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null,
      };
    },
    async readSpans(ids) {
      const answer = await fetchQuery<traceQueriesSpansQuery>(environment, SPANS, { ids }).toPromise();
      return (answer?.nodes ?? []).flatMap((node) => (node?.span == null ? [] : [readSpan(node.span)]));
    },
  };
}

function readSpan(key: traceQueries_span$key): TraceSpan {
  const { costSummary, ...span } = readInlineData(SPAN, key);
  return toTraceSpan({ ...span, costUsd: readCosts(costSummary).total });
}

function toSummary(key: traceQueries_trace$key): TraceSummary {
  const trace = readInlineData(SUMMARY, key);
  return {
    id: trace.id,
    startTime: trace.startTime,
    latencyMs: trace.latencyMs ?? null,
    spanCount: trace.numSpans,
    errorCount: trace.errorCount,
    unattachedLogCount: trace.numUnattachedLogRecords,
    tokens: trace.tokenUsage,
    cost: readCosts(trace.costSummary),
    userId: trace.userId ?? null,
    session: trace.session ?? null,
    rootName: trace.rootSpan?.name ?? null,
    status: traceStatus(trace),
  };
}
