import { useEffect, useState } from 'react';
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay';
import type { useLinkedSpansQuery } from '#ui/__generated__/useLinkedSpansQuery.graphql.ts';

const LINKS = graphql`
  query useLinkedSpansQuery($id: ID!) {
    node(id: $id) {
      ... on Span {
        links {
          spanId
          traceId
        }
      }
    }
  }
`;

/** Somebody who passes by wants nothing; and the details, which say the links too, are mostly there by then. */
const SETTLE_MS = 400;

const NONE: ReadonlySet<string> = new Set();

/** Ids of the spans of a trace that a span names in its links. They lie in what the span sent, so only one is asked. */
export function useLinkedSpans(traceId: string, spanNodeId: string | undefined): ReadonlySet<string> {
  const environment = useRelayEnvironment();
  const [found, setFound] = useState({ of: spanNodeId, spanIds: NONE });
  useEffect(() => {
    if (spanNodeId === undefined) return undefined;
    let reading: { unsubscribe(): void } | undefined;
    const timer = setTimeout(() => {
      const known = { fetchPolicy: 'store-or-network' } as const;
      reading = fetchQuery<useLinkedSpansQuery>(environment, LINKS, { id: spanNodeId }, known).subscribe({
        next: ({ node }) => {
          const links = node.links?.filter((link) => link.traceId === traceId) ?? [];
          setFound({ of: spanNodeId, spanIds: new Set(links.map(({ spanId }) => spanId)) });
        },
        // Marks are an extra: without them the tree is as good, and the details say what failed.
        error: () => undefined,
      });
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      reading?.unsubscribe();
    };
  }, [environment, traceId, spanNodeId]);
  return found.of === spanNodeId ? found.spanIds : NONE;
}
