import { useEffect, useState } from 'react';
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay';
import type { useDamagedSpansQuery } from '#ui/__generated__/useDamagedSpansQuery.graphql.ts';
import type { TraceSummary } from './trace-source.ts';

const DAMAGED = graphql`
  query useDamagedSpansQuery($id: ID!) {
    node(id: $id) {
      ... on Trace {
        damagedSpans {
          searchedCount
          isWhole
          spans {
            spanNodeId
            spanId
            name
            damage
          }
        }
      }
    }
  }
`;

/** The damaged spans of a trace. */
export type DamagedSpans = NonNullable<useDamagedSpansQuery['response']['node']['damagedSpans']>;

const NONE: DamagedSpans = { spans: [], searchedCount: 0, isWhole: true };

/**
 * The spans of a trace whose originals cannot be read. The server opens all originals for it, so it is asked once; and where there are any,
 * again when the trace changes, since spans that are sent again are whole.
 * @param trace undefined until it is loaded
 */
export function useDamagedSpans(trace: TraceSummary | undefined): DamagedSpans {
  const environment = useRelayEnvironment();
  const id = trace?.id;
  const [found, setFound] = useState({ of: id, damaged: NONE });
  const damaged = found.of === id ? found.damaged : NONE;
  const changing = damaged.spans.length > 0 ? trace : undefined;
  useEffect(() => {
    if (id === undefined) return undefined;
    const reading = fetchQuery<useDamagedSpansQuery>(environment, DAMAGED, { id }).subscribe({
      next: ({ node }) => setFound({ of: id, damaged: node.damagedSpans ?? NONE }),
      // The details of a damaged span say so, too.
      error: () => undefined,
    });
    return () => reading.unsubscribe();
  }, [environment, id, changing]);
  return damaged;
}
