/** Asks the API for a session. */
import { fetchQuery, graphql, readInlineData } from 'react-relay';
import type { IEnvironment } from 'relay-runtime';
import type { sessionQueries_turn$key } from '#ui/__generated__/sessionQueries_turn.graphql.ts';
import type { sessionQueriesPageQuery } from '#ui/__generated__/sessionQueriesPageQuery.graphql.ts';
import type { sessionQueriesSummaryQuery } from '#ui/__generated__/sessionQueriesSummaryQuery.graphql.ts';
import type { sessionQueriesTurnsQuery } from '#ui/__generated__/sessionQueriesTurnsQuery.graphql.ts';
import { readCosts } from '#ui/lib/costs.ts';
import { unlessMissing } from '#ui/lib/server-error.ts';
import { isNodeId } from '#ui/lib/node-id.ts';
import type { SessionReader, Turn } from './session-source.ts';

/** So many turns are read at once. */
const PAGE_SIZE = 50;

const TURN = graphql`
  fragment sessionQueries_turn on Trace @inline {
    id
    traceId
    startTime
    endTime
    latencyMs
    errorCount
    tokenUsage {
      total
    }
    costSummary {
      total {
        cost
      }
    }
    rootSpan {
      name
      spanKind
      input {
        value
        mimeType
      }
      output {
        value
        mimeType
      }
    }
  }
`;

const SUMMARY = graphql`
  query sessionQueriesSummaryQuery($id: ID!) {
    session: node(id: $id) {
      ... on ProjectSession {
        sessionId
        project {
          id
        }
        userId
        startTime
        endTime
        numTraces
        numTracesWithError
        tokenUsage {
          prompt
          completion
          total
        }
        costSummary {
          ...costs_summary
        }
        traceLatencyMsQuantile(probability: 0.5)
      }
    }
  }
`;

const PAGE = graphql`
  query sessionQueriesPageQuery($id: ID!, $first: Int!, $after: String) {
    session: node(id: $id) {
      ... on ProjectSession {
        traces(first: $first, after: $after) {
          edges {
            node {
              ...sessionQueries_turn
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

const TURNS = graphql`
  query sessionQueriesTurnsQuery($ids: [ID!]!) {
    nodes(ids: $ids) {
      ... on Trace {
        ...sessionQueries_turn @alias(as: "turn")
      }
    }
  }
`;

const NO_TURNS = { turns: [], endCursor: null, hasMore: false };

/** Reads the session of this node id, where the project has it. */
export function sessionReader(environment: IEnvironment, projectId: string, id: string): SessionReader {
  const isMistyped = !isNodeId('ProjectSession', id);
  return {
    async readSummary() {
      if (isMistyped) return null;
      const reading = fetchQuery<sessionQueriesSummaryQuery>(environment, SUMMARY, { id }).toPromise();
      const session = (await unlessMissing(reading, undefined))?.session;
      if (session?.sessionId === undefined || session.project?.id !== projectId) return null;
      const { sessionId, userId = null, startTime = '', endTime = '', tokenUsage } = session;
      return {
        sessionId,
        userId,
        startTime,
        endTime,
        turnCount: session.numTraces ?? 0,
        errorCount: session.numTracesWithError ?? 0,
        tokens: tokenUsage ?? { prompt: 0, completion: 0, total: 0 },
        cost: readCosts(session.costSummary),
        latencyMsP50: session.traceLatencyMsQuantile ?? null,
      };
    },
    async readPage(after) {
      if (isMistyped) return NO_TURNS;
      const variables = { id, first: PAGE_SIZE, after };
      const reading = fetchQuery<sessionQueriesPageQuery>(environment, PAGE, variables).toPromise();
      const traces = (await unlessMissing(reading, undefined))?.session.traces;
      return {
        turns: (traces?.edges ?? []).map(({ node }) => readTurn(node)),
        endCursor: traces?.pageInfo.endCursor ?? null,
        hasMore: traces?.pageInfo.hasNextPage ?? false,
      };
    },
    async readTurns(ids) {
      const answer = await fetchQuery<sessionQueriesTurnsQuery>(environment, TURNS, { ids }).toPromise();
      return (answer?.nodes ?? []).flatMap((node) => (node?.turn == null ? [] : readTurn(node.turn)));
    },
  };
}

function readTurn(key: sessionQueries_turn$key): Turn {
  const { id, traceId, startTime, endTime, latencyMs, errorCount, tokenUsage, costSummary, rootSpan } = readInlineData(
    TURN,
    key,
  );
  // A tool alone is no conversation: what it was given and gave back are nobody's words.
  const said = rootSpan?.spanKind === 'tool' ? null : rootSpan;
  return {
    id,
    traceId,
    startTime,
    endTime,
    latencyMs: latencyMs ?? null,
    errorCount,
    tokens: tokenUsage.total,
    cost: costSummary.total.cost ?? null,
    rootName: rootSpan?.name ?? null,
    input: said?.input ?? null,
    output: said?.output ?? null,
  };
}
