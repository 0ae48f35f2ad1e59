import { useCallback } from 'react';
import { graphql } from 'react-relay';
import type { useChangeSecretMutation } from '#ui/__generated__/useChangeSecretMutation.graphql.ts';
import { useCommit } from '../../deletion/use-commit.ts';

/** Stores a secret, or deletes it with null; rejects with the server's words where it refuses. The answer holds no value. */
export function useChangeSecret(): (key: string, value: string | null) => Promise<void> {
  const commit = useCommit<useChangeSecretMutation>(graphql`
    mutation useChangeSecretMutation($input: UpsertOrDeleteSecretsMutationInput!) {
      upsertOrDeleteSecrets(input: $input) {
        deletedIds
        upsertedSecrets {
          updatedAt
          user {
            username
          }
        }
      }
    }
  `);
  return useCallback(
    async (key, value) => {
      await commit({ input: { secrets: [{ key, value }] } });
    },
    [commit],
  );
}
