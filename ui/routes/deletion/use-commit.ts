import { useCallback } from 'react';
import { type GraphQLTaggedNode, useRelayEnvironment } from 'react-relay';
import { commitMutation, type MutationParameters } from 'relay-runtime';

/** A mutation as a promise of its answer, which rejects with the server's words where it refuses. */
export function useCommit<Mutation extends MutationParameters>(
  mutation: GraphQLTaggedNode,
): (variables: Mutation['variables']) => Promise<Mutation['response']> {
  const environment = useRelayEnvironment();
  return useCallback(
    (variables) =>
      new Promise((resolve, reject) => {
        commitMutation<Mutation>(environment, {
          mutation,
          variables,
          onCompleted: (response, errors) => {
            const [error] = errors ?? [];
            if (error === undefined) resolve(response);
            else reject(new Error(error.message));
          },
          onError: reject,
        });
      }),
    [environment, mutation],
  );
}
