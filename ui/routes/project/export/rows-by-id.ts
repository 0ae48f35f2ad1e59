/** Reads single rows of a table. */
import { fetchQuery, graphql } from 'react-relay';
import type { Environment } from 'relay-runtime';
import type { rowsByIdSessionTracesQuery } from '#ui/__generated__/rowsByIdSessionTracesQuery.graphql.ts';
import type { rowsByIdSessionsQuery } from '#ui/__generated__/rowsByIdSessionsQuery.graphql.ts';
import type { rowsByIdSpansQuery } from '#ui/__generated__/rowsByIdSpansQuery.graphql.ts';
import type { rowsByIdTracesQuery } from '#ui/__generated__/rowsByIdTracesQuery.graphql.ts';
import type { FilterGrain } from '#filter/tree';
import type { AskedColumns } from './asked-columns.ts';
import { toSessionRow, toSpanRow, toTraceRow } from './rows.ts';
import type { ExportedRow } from './write-rows.ts';

const SPANS = graphql`
  query rowsByIdSpansQuery($ids: [ID!]!, $paths: [String!]!, $annotated: Boolean!, $noted: Boolean!) {
    nodes(ids: $ids) {
      ... on Span @alias(as: "row") {
        ...rows_span
      }
    }
  }
`;

const TRACES = graphql`
  query rowsByIdTracesQuery($ids: [ID!]!, $paths: [String!]!, $annotated: Boolean!, $noted: Boolean!) {
    nodes(ids: $ids) {
      ... on Trace @alias(as: "row") {
        ...rows_trace
      }
    }
  }
`;

const SESSIONS = graphql`
  query rowsByIdSessionsQuery($ids: [ID!]!, $annotated: Boolean!, $noted: Boolean!) {
    nodes(ids: $ids) {
      ... on ProjectSession @alias(as: "row") {
        ...rows_session
      }
    }
  }
`;

const SESSION_TRACES = graphql`
  query rowsByIdSessionTracesQuery($id: ID!, $after: String) {
    session: node(id: $id) {
      ... on ProjectSession {
        traces(first: 1000, after: $after) {
          edges {
            node {
              traceId
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

/** The rows in the order of their ids, without those that are gone. */
export async function readRowsById(
  environment: Environment,
  grain: FilterGrain,
  ids: readonly string[],
  asked: AskedColumns,
): Promise<readonly ExportedRow[]> {
  if (grain === 'span') {
    const read = await fetchQuery<rowsByIdSpansQuery>(environment, SPANS, { ids, ...asked }).toPromise();
    return (read?.nodes ?? []).flatMap((node) => (node?.row == null ? [] : toSpanRow(node.row, asked.paths)));
  }
  if (grain === 'trace') {
    const read = await fetchQuery<rowsByIdTracesQuery>(environment, TRACES, { ids, ...asked }).toPromise();
    return (read?.nodes ?? []).flatMap((node) => (node?.row == null ? [] : toTraceRow(node.row, asked.paths)));
  }
  const { annotated, noted } = asked;
  const read = await fetchQuery<rowsByIdSessionsQuery>(environment, SESSIONS, { ids, annotated, noted }).toPromise();
  return (read?.nodes ?? []).flatMap((node) => (node?.row == null ? [] : toSessionRow(node.row)));
}

/** Hexadecimal ids of all traces of a session. */
export async function readTraceIds(environment: Environment, sessionId: string): Promise<readonly string[]> {
  const traceIds: string[] = [];
  let after: string | null | undefined = null;
  do {
    const read: rowsByIdSessionTracesQuery['response'] | undefined = await fetchQuery<rowsByIdSessionTracesQuery>(
      environment,
      SESSION_TRACES,
      { id: sessionId, after },
    ).toPromise();
    for (const { node } of read?.session.traces?.edges ?? []) traceIds.push(node.traceId);
    const pageInfo: PageInfo | undefined = read?.session.traces?.pageInfo;
    after = pageInfo?.hasNextPage === true ? pageInfo.endCursor : null;
  } while (after != null);
  return traceIds;
}

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly endCursor: string | null | undefined;
}
