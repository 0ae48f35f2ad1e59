import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay';
import type { visitRecorderQuery } from '#ui/__generated__/visitRecorderQuery.graphql.ts';
import { recordVisit } from '#ui/lib/recent.ts';

const QUERY = graphql`
  query visitRecorderQuery(
    $projectId: ID!
    $traceId: ID!
    $isTrace: Boolean!
    $sessionId: ID!
    $isSession: Boolean!
  ) {
    project: node(id: $projectId) {
      ... on Project {
        name
        trace(traceId: $traceId) @include(if: $isTrace) {
          rootSpan {
            name
          }
        }
      }
    }
    session: node(id: $sessionId) @include(if: $isSession) {
      ... on ProjectSession {
        sessionId
      }
    }
  }
`;

/** Remembers which project, trace or session the address shows, under the name that it has. */
export function VisitRecorder() {
  const environment = useRelayEnvironment();
  const { projectId, traceId, sessionId } = useParams({ strict: false });
  useEffect(() => {
    if (projectId === undefined) return undefined;
    const variables = {
      projectId,
      traceId: traceId ?? '',
      isTrace: traceId !== undefined,
      sessionId: sessionId ?? '',
      isSession: sessionId !== undefined,
    };
    const request = fetchQuery<visitRecorderQuery>(environment, QUERY, variables).subscribe({
      next: ({ project, session }) => {
        const projectName = project.name;
        if (projectName === undefined) return;
        const own = { projectId, projectName };
        recordVisit({ kind: 'project', title: projectName, ...own });
        if (traceId !== undefined && project.trace != null) {
          recordVisit({ kind: 'trace', title: project.trace.rootSpan?.name ?? traceId, traceId, ...own });
        }
        if (sessionId !== undefined && session?.sessionId !== undefined) {
          recordVisit({ kind: 'session', title: session.sessionId, sessionId, ...own });
        }
      },
      // What is not here is not remembered; the page itself says that it is not.
      error: () => undefined,
    });
    return () => request.unsubscribe();
  }, [environment, projectId, traceId, sessionId]);
  return null;
}
