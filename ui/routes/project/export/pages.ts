/** Reads the rows of a table page by page. */
import { fetchQuery, graphql } from 'react-relay';
import type { Environment } from 'relay-runtime';
import type { pagesSessionsQuery } from '#ui/__generated__/pagesSessionsQuery.graphql.ts';
import type { pagesSpansQuery } from '#ui/__generated__/pagesSpansQuery.graphql.ts';
import type { pagesTracesQuery } from '#ui/__generated__/pagesTracesQuery.graphql.ts';
import type { Sort } from '#ui/components/data-table/table-column.ts';
import type { ListScope } from '../list-scope.ts';
import type { AskedColumns } from './asked-columns.ts';
import { toSessionRow, toSpanRow, toTraceRow } from './rows.ts';
import { toSessionSort, toSpanSort, toTraceSort } from './sort-columns.ts';
import type { ExportedRow } from './write-rows.ts';

const SPANS = graphql`
  query pagesSpansQuery(
    $projectId: ID!
    $timeRange: TimeRange
    $filter: String
    $sort: SpanSort
    $after: String
    $paths: [String!]!
    $annotated: Boolean!
    $noted: Boolean!
  ) {
    project: node(id: $projectId) {
      ... on Project {
        spans(first: 200, after: $after, timeRange: $timeRange, filterCondition: $filter, sort: $sort) {
          edges {
            node {
              ...rows_span
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
  query pagesTracesQuery(
    $projectId: ID!
    $timeRange: TimeRange
    $filter: String
    $sort: TraceSort
    $after: String
    $paths: [String!]!
    $annotated: Boolean!
    $noted: Boolean!
  ) {
    project: node(id: $projectId) {
      ... on Project {
        traces(first: 200, after: $after, timeRange: $timeRange, traceFilterCondition: $filter, sort: $sort) {
          edges {
            node {
              ...rows_trace
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
    $annotated: Boolean!
    $noted: Boolean!
  ) {
    project: node(id: $projectId) {
      ... on Project {
        sessions(first: 200, after: $after, timeRange: $timeRange, sessionFilterCondition: $filter, sort: $sort) {
          edges {
            node {
              ...rows_session
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

/** One page, and where the next one begins; null after the last. */
interface ExportedPage {
  readonly rows: readonly ExportedRow[];
  readonly next: string | null;
}

/** Reads a page of what the table shows. Nothing of it is kept. */
async function readPage(
  environment: Environment,
  { projectId, timeRange, filter, grain }: ListScope,
  sort: Sort,
  after: string | null,
  asked: AskedColumns,
): Promise<ExportedPage> {
  const common = { projectId, timeRange, filter, after };
  if (grain === 'span') {
    const variables = { ...common, ...asked, sort: toSpanSort(sort) };
    const read = await fetchQuery<pagesSpansQuery>(environment, SPANS, variables).toPromise();
    return toPage(read?.project.spans, (span) => toSpanRow(span, asked.paths));
  }
  if (grain === 'trace') {
    const variables = { ...common, ...asked, sort: toTraceSort(sort) };
    const read = await fetchQuery<pagesTracesQuery>(environment, TRACES, variables).toPromise();
    return toPage(read?.project.traces, (trace) => toTraceRow(trace, asked.paths));
  }
  const { annotated, noted } = asked;
  const variables = { ...common, annotated, noted, sort: toSessionSort(sort) };
  const read = await fetchQuery<pagesSessionsQuery>(environment, SESSIONS, variables).toPromise();
  return toPage(read?.project.sessions, toSessionRow);
}

/** All rows of a table, page by page. */
export async function* readRows(
  environment: Environment,
  scope: ListScope,
  sort: Sort,
  asked: AskedColumns,
): AsyncGenerator<readonly ExportedRow[]> {
  let next: string | null = null;
  do {
    const page = await readPage(environment, scope, sort, next, asked);
    yield page.rows;
    next = page.next;
  } while (next !== null);
}

interface Connection<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null | undefined };
}

function toPage<Node>(
  connection: Connection<Node> | null | undefined,
  toRow: (node: Node) => ExportedRow,
): ExportedPage {
  if (connection == null) return { rows: [], next: null };
  const { hasNextPage, endCursor } = connection.pageInfo;
  const rows = connection.edges.map(({ node }) => toRow(node));
  return { rows, next: hasNextPage ? (endCursor ?? null) : null };
}
