/** Which session an address opens that names it as its application does. */
import { fetchQuery, graphql } from 'react-relay';
import type { sessionToOpenQuery } from '#ui/__generated__/sessionToOpenQuery.graphql.ts';
import { isNodeId } from '#ui/lib/node-id.ts';
import { relayEnvironment } from '#ui/lib/relay-environment.ts';

const QUERY = graphql`
  query sessionToOpenQuery($sessionId: String!, $projectId: ID!) {
    session: getProjectSessionById(sessionId: $sessionId, projectId: $projectId) {
      id
    }
  }
`;

/** The node id of the session with this id of its own; undefined for a text that is a node id already, and if the project has none. */
export async function sessionToOpen(projectId: string, sessionId: string): Promise<string | undefined> {
  if (isNodeId('ProjectSession', sessionId) || !isNodeId('Project', projectId)) return undefined;
  const answer = await fetchQuery<sessionToOpenQuery>(relayEnvironment, QUERY, { projectId, sessionId })
    .toPromise()
    // The session's page tells what is wrong.
    .catch(() => undefined);
  return answer?.session?.id;
}
