/** Asks the API for a trace. */
import { fetchQuery, graphql, readInlineData } from 'react-relay';
import type { IEnvironment } from 'relay-runtime';
import type { traceQueries_span$key } from '#ui/__generated__/traceQueries_span.graphql.ts';
import type { traceQueriesPageQuery } from '#ui/__generated__/traceQueriesPageQuery.graphql.ts';
import type { traceQueriesSpansQuery } from '#ui/__generated__/traceQueriesSpansQuery.graphql.ts';
import { unlessMissing } from '#ui/lib/missing-error.ts';
import { traceStatus } from '#ui/lib/trace-status.ts';
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
    modelName
  }
`;

const PAGE = graphql`
  query traceQueriesPageQuery($projectId: ID!, $traceId: ID!, $first: Int!, $after: String, $sort: SpanSort) {
    project: node(id: $projectId) {
      ... on Project {
        trace(traceId: $traceId) {
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
          session {
            id
            sessionId
          }
          rootSpan {
            name
            statusCode
            endTime
          }
          spans(first: $first, after: $after, sort: $sort) {
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

type Trace = NonNullable<NonNullable<traceQueriesPageQuery['response']['project']['trace']>>;

/** Reads one trace of a project; both ids as the address has them. */
export function traceReader(environment: IEnvironment, projectId: string, traceId: string): TraceReader {
  return {
    async readPage({ first, after, order }) {
      const sort = order === 'by start' ? ({ col: 'startTime', dir: 'asc' } as const) : null;
      const variables = { projectId, traceId, first, after, sort };
      const reading = fetchQuery<traceQueriesPageQuery>(environment, PAGE, variables).toPromise();
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
  return toTraceSpan(readInlineData(SPAN, key));
}

function toSummary(trace: Trace): TraceSummary {
  return {
    id: trace.id,
    startTime: trace.startTime,
    latencyMs: trace.latencyMs ?? null,
    spanCount: trace.numSpans,
    errorCount: trace.errorCount,
    unattachedLogCount: trace.numUnattachedLogRecords,
    tokens: trace.tokenUsage,
    userId: trace.userId ?? null,
    session: trace.session ?? null,
    rootName: trace.rootSpan?.name ?? null,
    status: traceStatus(trace),
  };
}
