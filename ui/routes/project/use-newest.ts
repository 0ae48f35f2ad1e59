/** The newest trace or session of a project, whenever it was. */
import { graphql } from 'react-relay';
import type { useNewestQuery } from '#ui/__generated__/useNewestQuery.graphql.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';
import { useProjectView } from './project-view.ts';

/** See the file. */
export interface Newest {
  /** In the address of its page: hexadecimal of a trace, the node of a session. */
  readonly id: string;
  readonly startTime: string;
}

const QUERY = graphql`
  query useNewestQuery($projectId: ID!, $isSession: Boolean!) {
    project: node(id: $projectId) {
      ... on Project {
        traces(first: 1, sort: { col: startTime, dir: desc }) @skip(if: $isSession) {
          edges {
            node {
              traceId
              startTime
            }
          }
        }
        sessions(first: 1, sort: { col: startTime, dir: desc }) @include(if: $isSession) {
          edges {
            node {
              id
              startTime
            }
          }
        }
      }
    }
  }
`;

/** The newest one; null where there never was one, undefined where that is not known. */
export function useNewest(what: 'trace' | 'session'): {
  readonly newest: Newest | null | undefined;
  readonly isLoading: boolean;
} {
  const { projectId, refreshCount } = useProjectView();
  const answer = useAnswer<useNewestQuery>(QUERY, { projectId, isSession: what === 'session' }, refreshCount);
  return { newest: answer.data && newestOf(answer.data), isLoading: answer.isLoading };
}

function newestOf({ project }: useNewestQuery['response']): Newest | null {
  const session = project.sessions?.edges[0]?.node;
  if (session !== undefined) return session;
  const trace = project.traces?.edges[0]?.node;
  return trace === undefined ? null : { id: trace.traceId, startTime: trace.startTime };
}
