/** Reads what a page shows first while its code is still on its way. */
import { fetchQuery, type GraphQLTaggedNode, type OperationType } from 'relay-runtime';
import { relayEnvironment } from './relay-environment.ts';

/** What answers within it shows no sign of waiting. */
const UNNOTICED_MS = 200;

/**
 * Asks ahead, and waits for the answer no longer than nobody notices. The page asks in its own way: it finds the answer in the
 * store, or joins what is under way. If it drew a place for rows first, React would keep that for 300 ms whenever they came.
 */
export async function preloadQuery<Query extends OperationType>(
  query: GraphQLTaggedNode,
  variables: Query['variables'],
): Promise<void> {
  const answer = fetchQuery<Query>(relayEnvironment, query, variables).toPromise();
  const patience = new Promise((resolve) => {
    setTimeout(resolve, UNNOTICED_MS);
  });
  // A failure shows where the page asks again.
  await Promise.race([answer.catch(() => undefined), patience]);
}
