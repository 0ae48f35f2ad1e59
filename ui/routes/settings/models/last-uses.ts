/** When models were last called, which takes longer to find than their prices. */
import { createContext, useMemo } from 'react';
import { graphql } from 'react-relay';
import type { lastUsesQuery } from '#ui/__generated__/lastUsesQuery.graphql.ts';
import { useAnswer } from '#ui/lib/use-answer.ts';

const QUERY = graphql`
  query lastUsesQuery {
    generativeModels(first: 1000) {
      edges {
        node {
          id
          lastUsedAt
        }
      }
    }
  }
`;

/** ISO 8601 by the id of the price; undefined while it is not known. */
export type LastUses = ReadonlyMap<string, string> | undefined;

/** Given by the page to the cells of its table. */
export const LastUsesContext = createContext<LastUses>(undefined);

/** Reads them beside the table. */
export function useLastUses(changeCount: number): LastUses {
  const { data } = useAnswer<lastUsesQuery>(QUERY, {}, changeCount);
  return useMemo(
    () =>
      data &&
      new Map(
        data.generativeModels.edges.flatMap(({ node: { id, lastUsedAt } }) =>
          lastUsedAt == null ? [] : [[id, lastUsedAt] as const],
        ),
      ),
    [data],
  );
}
