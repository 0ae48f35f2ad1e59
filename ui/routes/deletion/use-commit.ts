import { useCallback } from 'react';
import { type GraphQLTaggedNode, useRelayEnvironment } from 'react-relay';
import { commitMutation, type MutationParameters } from 'relay-runtime';

/** A mutation as a promise that rejects with the server's words where it refuses. */
export function useCommit<Mutation extends MutationParameters>(
  mutation: GraphQLTaggedNode,
): (variables: Mutation['variables']) => Promise<void> {
  const environment = useRelayEnvironment();
  return useCallback(
    (variables) =>
      new Promise((resolve, reject) => {
        commitMutation<Mutation>(environment, {
          mutation,
          variables,
          onCompleted: (_, errors) => {
            const [error] = errors ?? [];
            if (error === undefined) resolve();
            else reject(new Error(error.message));
          },
          onError: reject,
        });
      }),
    [environment, mutation],
  );
}
