/** Reading beside a page: what was answered stays until there is another answer, and nothing waits for it. */
import { useCallback, useEffect, useState } from 'react';
import { fetchQuery, type GraphQLTaggedNode, useRelayEnvironment } from 'react-relay';
import type { OperationType } from 'relay-runtime';

/** What is known of an answer. */
export interface Answer<Data> {
  /** The last one; undefined before the first. */
  readonly data: Data | undefined;
  /** Why the latest question has no answer. */
  readonly error: Error | undefined;
  /** Whether an answer to the latest question is on its way. */
  readonly isLoading: boolean;
  readonly ask: () => void;
}

/**
 * Asks again whenever the variables change, or `refresh` does; what is no longer wanted is called off.
 * @param variables null: nothing is asked
 */
export function useAnswer<Query extends OperationType>(
  query: GraphQLTaggedNode,
  variables: Query['variables'] | null,
  refresh: unknown,
): Answer<Query['response']> {
  const environment = useRelayEnvironment();
  const [attempt, setAttempt] = useState(0);
  const asked = variables === null ? null : JSON.stringify(variables);
  const question = `${attempt} ${String(refresh)} ${asked}`;
  const [state, setState] = useState<State<Query['response']>>(NOTHING);

  useEffect(() => {
    if (asked === null) return;
    const reading = fetchQuery<Query>(environment, query, JSON.parse(asked) as Query['variables'], {
      networkCacheConfig: { force: true },
    }).subscribe({
      next: (data) => setState({ data, error: undefined, question }),
      error: (error: Error) => setState(({ data }) => ({ data, error, question })),
    });
    return () => reading.unsubscribe();
  }, [environment, query, asked, question]);

  const ask = useCallback(() => setAttempt((before) => before + 1), []);
  const isLoading = asked !== null && state.question !== question;
  return { data: state.data, error: isLoading ? undefined : state.error, isLoading, ask };
}

interface State<Data> {
  readonly data: Data | undefined;
  readonly error: Error | undefined;
  /** Which question this answers. */
  readonly question: string | undefined;
}

const NOTHING = { data: undefined, error: undefined, question: undefined };
