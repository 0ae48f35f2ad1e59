/** When the spans of a project first and last named a user, at any time. */
import { graphql } from 'react-relay';
import type { useSeenQuery } from '#ui/__generated__/useSeenQuery.graphql.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import { spansOfUser } from './user-filters.ts';

/** ISO 8601. */
export interface Seen {
  readonly first: string;
  readonly last: string;
}

const QUERY = graphql`
  query useSeenQuery($projectId: ID!, $filter: String) {
    project: node(id: $projectId) {
      ... on Project {
        spanGroups(by: "user.id", filterCondition: $filter, first: 2) {
          groups {
            firstStartTime
            lastStartTime
          }
        }
      }
    }
  }
`;

/** Null where no span names the user, undefined while that is not known. */
export function useSeen(projectId: string, userId: string, refresh: string): Seen | null | undefined {
  const { data } = useAnswer<useSeenQuery>(QUERY, { projectId, filter: spansOfUser(userId) }, refresh);
  const groups = data?.project.spanGroups?.groups;
  if (groups === undefined) return undefined;
  const [first] = groups.map(({ firstStartTime }) => firstStartTime).toSorted();
  const last = groups
    .map(({ lastStartTime }) => lastStartTime)
    .toSorted()
    .at(-1);
  return first === undefined || last === undefined ? null : { first, last };
}
