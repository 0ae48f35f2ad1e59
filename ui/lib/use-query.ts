// oxlint-disable-next-line no-restricted-imports -- Every other place reads by the hook below.
import { useLazyLoadQuery } from 'react-relay';
import type { FetchPolicy, GraphQLTaggedNode, OperationType, VariablesOf } from 'relay-runtime';
import { useAttempt } from './attempt.ts';

/** See {@link useQuery}. */
export interface QueryOptions {
  /** Relay's own, `store-or-network`, unless given. */
  readonly fetchPolicy?: FetchPolicy;
  /** Another one asks again, as the policy says. */
  readonly version?: number | string;
}

/**
 * Reads what a region shows, which waits for it. With each attempt of the region it asks again: Relay keeps a failure, and
 * would answer a retry by it.
 */
export function useQuery<Query extends OperationType>(
  query: GraphQLTaggedNode,
  variables: VariablesOf<Query>,
  { version = 0, fetchPolicy }: QueryOptions = {},
): Query['response'] {
  return useLazyLoadQuery<Query>(query, variables, { fetchKey: `${version}.${useAttempt()}`, fetchPolicy });
}
