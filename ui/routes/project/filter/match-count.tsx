import { graphql } from 'react-relay';
import type { matchCountSessionsQuery } from '#ui/__generated__/matchCountSessionsQuery.graphql.ts';
import type { matchCountSpansQuery } from '#ui/__generated__/matchCountSpansQuery.graphql.ts';
import type { matchCountTracesQuery } from '#ui/__generated__/matchCountTracesQuery.graphql.ts';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import type { ListScope } from '../list-scope.ts';
import styles from './filter-bar.module.css';

const SPANS = graphql`
  query matchCountSpansQuery($projectId: ID!, $timeRange: TimeRange, $filter: String) {
    project: node(id: $projectId) {
      ... on Project {
        rows: spans(first: 1, timeRange: $timeRange, filterCondition: $filter) {
          matchCount {
            count
            isExact
          }
        }
      }
    }
  }
`;

const TRACES = graphql`
  query matchCountTracesQuery($projectId: ID!, $timeRange: TimeRange, $filter: String) {
    project: node(id: $projectId) {
      ... on Project {
        rows: traces(first: 1, timeRange: $timeRange, traceFilterCondition: $filter) {
          matchCount {
            count
            isExact
          }
        }
      }
    }
  }
`;

const SESSIONS = graphql`
  query matchCountSessionsQuery($projectId: ID!, $timeRange: TimeRange, $filter: String) {
    project: node(id: $projectId) {
      ... on Project {
        rows: sessions(first: 1, timeRange: $timeRange, sessionFilterCondition: $filter) {
          matchCount {
            count
            isExact
          }
        }
      }
    }
  }
`;

const QUERIES = { span: SPANS, trace: TRACES, session: SESSIONS } as const;

interface MatchCountProps {
  readonly scope: ListScope;
  readonly noun: string;
  /** Leaves the noun to those who do not see where the number stands. */
  readonly isShort: boolean;
  /** How many there are, where that is known already. */
  readonly exact?: number | undefined;
}

/** How many rows there are in a scope, as far as they were counted; nothing is asked while `isAsked` is false. */
export function useMatchCount({ grain, projectId, timeRange, filter, refresh }: ListScope, isAsked = true) {
  const variables = isAsked ? { projectId, timeRange, filter } : null;
  const { data, isLoading } = useAnswer<matchCountSpansQuery | matchCountTracesQuery | matchCountSessionsQuery>(
    QUERIES[grain],
    variables,
    refresh,
  );
  return { found: data?.project.rows?.matchCount, isLoading };
}

/** How many rows match, as far as they were counted. */
export function MatchCount({ scope, noun, isShort, exact }: MatchCountProps) {
  const { found, isLoading } = useMatchCount(scope);
  const count = exact ?? found?.count;
  return (
    <output className={styles.matches} data-waiting={(isLoading && exact === undefined) || undefined}>
      {count !== undefined && (exact === undefined && found != null ? formatMatches(found) : formatExact(count))}
      {count !== undefined &&
        (isShort ? <VisuallyHidden> {nounOf(count, noun)}</VisuallyHidden> : ` ${nounOf(count, noun)}`)}
    </output>
  );
}

/** `1,234`, `10,000+`. */
function formatMatches({ count, isExact }: { readonly count: number; readonly isExact: boolean }): string {
  return `${formatExact(Math.min(count, MOST))}${count > MOST || !isExact ? '+' : ''}`;
}

/** Larger numbers tell nobody more. */
const MOST = 10_000;
