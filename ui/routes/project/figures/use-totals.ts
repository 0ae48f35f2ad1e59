/** Reads what the rows of a table come to, in one request beside that for the rows. */
import { graphql, readInlineData } from 'react-relay';
import type { useTotals_spans$key } from '#ui/__generated__/useTotals_spans.graphql.ts';
import type { useTotals_totals$key } from '#ui/__generated__/useTotals_totals.graphql.ts';
import type { useTotalsChartsQuery } from '#ui/__generated__/useTotalsChartsQuery.graphql.ts';
import type { useTotalsSessionsQuery } from '#ui/__generated__/useTotalsSessionsQuery.graphql.ts';
import type { useTotalsSpansQuery } from '#ui/__generated__/useTotalsSpansQuery.graphql.ts';
import type { useTotalsTracesQuery } from '#ui/__generated__/useTotalsTracesQuery.graphql.ts';
import { type Answer, useAnswer } from '#ui/lib/use-answer.ts';
import type { ListScope } from '../list-scope.ts';
import type { Totals } from './figures.ts';

const SPANS = graphql`
  query useTotalsSpansQuery($projectId: ID!, $timeRange: TimeRange, $filter: String) {
    project: node(id: $projectId) {
      ... on Project {
        spans: aggregate(
          timeRange: $timeRange
          filterCondition: $filter
          measures: [COUNT, ERROR_COUNT, LATENCY_MS_P50, LATENCY_MS_P95, TOTAL_TOKENS, COST]
        ) {
          ...useTotals_spans
        }
      }
    }
  }
`;

const TRACES = graphql`
  query useTotalsTracesQuery($projectId: ID!, $timeRange: TimeRange, $filter: String) {
    project: node(id: $projectId) {
      ... on Project {
        totals: traceTotals(timeRange: $timeRange, traceFilterCondition: $filter) {
          ...useTotals_totals
        }
      }
    }
  }
`;

const SESSIONS = graphql`
  query useTotalsSessionsQuery($projectId: ID!, $timeRange: TimeRange, $filter: String) {
    project: node(id: $projectId) {
      ... on Project {
        totals: sessionTotals(timeRange: $timeRange, sessionFilterCondition: $filter) {
          ...useTotals_totals
        }
      }
    }
  }
`;

const CHARTS = graphql`
  query useTotalsChartsQuery($projectId: ID!, $timeRange: TimeRange, $filter: String) {
    project: node(id: $projectId) {
      ... on Project {
        totals: traceTotals(timeRange: $timeRange, filterCondition: $filter) {
          ...useTotals_totals
        }
        spans: aggregate(timeRange: $timeRange, filterCondition: $filter, measures: [TOTAL_TOKENS, COST]) {
          ...useTotals_spans
        }
      }
    }
  }
`;

const OF_SPANS = graphql`
  fragment useTotals_spans on SpanAggregation @inline {
    share
    groups {
      series {
        measure
        values
      }
    }
  }
`;

const TOTALS = graphql`
  fragment useTotals_totals on Totals @inline {
    share
    count
    errorCount
    latencyMsP50
    latencyMsP95
    promptTokens
    completionTokens
    cost
  }
`;

const QUERIES = { span: SPANS, trace: TRACES, session: SESSIONS } as const;

/** Of the rows of a table. */
export function useTotals(scope: ListScope, isAsked = true): Answer<Totals> {
  const { grain, projectId, timeRange, filter, refresh } = scope;
  const answer = useAnswer<useTotalsSpansQuery | useTotalsTracesQuery | useTotalsSessionsQuery>(
    QUERIES[grain],
    isAsked ? { projectId, timeRange, filter } : null,
    refresh,
  );
  const project: Found | undefined = answer.data?.project;
  return { ...answer, data: readTotals(project) };
}

/** Of the charts of the metrics page: traces that own a matching span, and what the matching spans used. */
export function useChartTotals({ projectId, timeRange, filter, refresh }: ListScope): Answer<Totals> {
  const answer = useAnswer<useTotalsChartsQuery>(CHARTS, { projectId, timeRange, filter }, refresh);
  return { ...answer, data: readTotals(answer.data?.project) };
}

interface Found {
  readonly totals?: useTotals_totals$key;
  readonly spans?: useTotals_spans$key;
}

function readTotals(found: Found | undefined): Totals | undefined {
  const totals = found?.totals && readInlineData(TOTALS, found.totals);
  const spans = found?.spans && readInlineData(OF_SPANS, found.spans);
  if (totals === undefined && spans === undefined) return undefined;
  const measured = new Map(spans?.groups[0]?.series.map(({ measure, values }) => [measure, values[0] ?? null]));
  return {
    count: totals?.count ?? measured.get('COUNT') ?? 0,
    errorCount: totals?.errorCount ?? measured.get('ERROR_COUNT') ?? 0,
    latencyMsP50: (totals === undefined ? measured.get('LATENCY_MS_P50') : totals.latencyMsP50) ?? null,
    latencyMsP95: (totals === undefined ? measured.get('LATENCY_MS_P95') : totals.latencyMsP95) ?? null,
    tokens: measured.get('TOTAL_TOKENS') ?? (totals ? totals.promptTokens + totals.completionTokens : 0),
    cost: measured.get('COST') ?? totals?.cost ?? 0,
    share: Math.min(totals?.share ?? 1, spans?.share ?? 1),
  };
}
