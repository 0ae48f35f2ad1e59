/** Reads the rows of a table page by page, with whole texts, as the columns of the table name their values. */
import { fetchQuery, graphql } from 'react-relay';
import type { Environment } from 'relay-runtime';
import type { pagesSessionsQuery } from '#ui/__generated__/pagesSessionsQuery.graphql.ts';
import type { pagesSpansQuery } from '#ui/__generated__/pagesSpansQuery.graphql.ts';
import type { pagesTracesQuery } from '#ui/__generated__/pagesTracesQuery.graphql.ts';
import type { Sort } from '#ui/components/data-table/table-column.ts';
import type { ListScope } from '../list-scope.ts';
import { sessionSortColumn, spanSortColumn, traceSortColumn } from './sort-columns.ts';
import type { Cell } from './write-rows.ts';

const SPANS = graphql`
  query pagesSpansQuery($projectId: ID!, $timeRange: TimeRange, $filter: String, $sort: SpanSort, $after: String) {
    project: node(id: $projectId) {
      ... on Project {
        spans(first: 200, after: $after, timeRange: $timeRange, filterCondition: $filter, sort: $sort) {
          edges {
            node {
              name
              spanKind
              statusCode
              startTime
              latencyMs
              modelName
              userId
              tokenCountTotal
              context {
                traceId
                spanId
              }
              input {
                value
              }
              output {
                value
              }
              costSummary {
                total {
                  cost
                }
              }
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
`;

const TRACES = graphql`
  query pagesTracesQuery($projectId: ID!, $timeRange: TimeRange, $filter: String, $sort: TraceSort, $after: String) {
    project: node(id: $projectId) {
      ... on Project {
        traces(first: 200, after: $after, timeRange: $timeRange, traceFilterCondition: $filter, sort: $sort) {
          edges {
            node {
              traceId
              startTime
              latencyMs
              errorCount
              numSpans
              userId
              tokenUsage {
                total
              }
              costSummary {
                total {
                  cost
                }
              }
              session {
                sessionId
              }
              rootSpan {
                name
                input {
                  value
                }
                output {
                  value
                }
              }
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
`;

const SESSIONS = graphql`
  query pagesSessionsQuery(
    $projectId: ID!
    $timeRange: TimeRange
    $filter: String
    $sort: ProjectSessionSort
    $after: String
  ) {
    project: node(id: $projectId) {
      ... on Project {
        sessions(first: 200, after: $after, timeRange: $timeRange, sessionFilterCondition: $filter, sort: $sort) {
          edges {
            node {
              sessionId
              userId
              startTime
              endTime
              numTraces
              numTracesWithError
              tokenUsage {
                total
              }
              costSummary {
                total {
                  cost
                }
              }
              firstInput {
                value
              }
              lastOutput {
                value
              }
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
`;

/** A row by the ids of the table's columns. */
export type ExportedRow = Readonly<Record<string, Cell>>;

/** One page, and where the next one begins; null after the last. */
export interface ExportedPage {
  readonly rows: readonly ExportedRow[];
  readonly next: string | null;
}

/** Reads a page of what the table shows. Nothing of it is kept. */
export async function readPage(
  environment: Environment,
  { projectId, timeRange, filter, grain }: ListScope,
  sort: Sort,
  after: string | null,
): Promise<ExportedPage> {
  const common = { projectId, timeRange, filter, after };
  const dir = sort.direction;
  if (grain === 'span') {
    const variables = { ...common, sort: { col: spanSortColumn(sort.column), dir } };
    const read = await fetchQuery<pagesSpansQuery>(environment, SPANS, variables).toPromise();
    return toPage(read?.project.spans, (span) => ({
      status: span.statusCode,
      kind: span.spanKind,
      name: span.name,
      input: span.input?.value,
      output: span.output?.value,
      model: span.modelName,
      start: span.startTime,
      latency: span.latencyMs,
      tokens: span.tokenCountTotal,
      cost: span.costSummary?.total.cost,
      user: span.userId,
      traceId: span.context.traceId,
      spanId: span.context.spanId,
    }));
  }
  if (grain === 'trace') {
    const variables = { ...common, sort: { col: traceSortColumn(sort.column), dir } };
    const read = await fetchQuery<pagesTracesQuery>(environment, TRACES, variables).toPromise();
    return toPage(read?.project.traces, (trace) => ({
      status: trace.errorCount > 0 ? 'ERROR' : 'OK',
      name: trace.rootSpan?.name,
      input: trace.rootSpan?.input?.value,
      output: trace.rootSpan?.output?.value,
      start: trace.startTime,
      latency: trace.latencyMs,
      tokens: trace.tokenUsage.total,
      cost: trace.costSummary.total.cost,
      spans: trace.numSpans,
      session: trace.session?.sessionId,
      user: trace.userId,
      traceId: trace.traceId,
    }));
  }
  const variables = { ...common, sort: { col: sessionSortColumn(sort.column), dir } };
  const read = await fetchQuery<pagesSessionsQuery>(environment, SESSIONS, variables).toPromise();
  return toPage(read?.project.sessions, (session) => ({
    sessionId: session.sessionId,
    firstInput: session.firstInput?.value,
    lastOutput: session.lastOutput?.value,
    user: session.userId,
    start: session.startTime,
    end: session.endTime,
    duration: Date.parse(session.endTime) - Date.parse(session.startTime),
    traces: session.numTraces,
    errors: session.numTracesWithError,
    tokens: session.tokenUsage.total,
    cost: session.costSummary.total.cost,
  }));
}

interface Connection<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null | undefined };
}

function toPage<Node>(
  connection: Connection<Node> | null | undefined,
  toRow: (node: Node) => Readonly<Record<string, Cell | undefined>>,
): ExportedPage {
  if (connection == null) return { rows: [], next: null };
  const { hasNextPage, endCursor } = connection.pageInfo;
  const rows = connection.edges.map(({ node }) =>
    Object.fromEntries(Object.entries(toRow(node)).map(([id, cell]) => [id, cell ?? null])),
  );
  return { rows, next: hasNextPage ? (endCursor ?? null) : null };
}
