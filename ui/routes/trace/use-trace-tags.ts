import { useEffect, useState } from 'react';
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay';
import type { useTraceTagsQuery } from '#ui/__generated__/useTraceTagsQuery.graphql.ts';

const TAGS = graphql`
  query useTraceTagsQuery($id: ID!) {
    node(id: $id) {
      ... on Trace {
        rootSpan {
          tags
        }
      }
    }
  }
`;

const NONE: readonly string[] = [];

/**
 * The tags of a trace are those of its root, which lie in what the root sent: they are read once, when it is known.
 * @param rootName of the root; null as long as it has not arrived
 */
export function useTraceTags(traceNodeId: string | undefined, rootName: string | null): readonly string[] {
  const environment = useRelayEnvironment();
  const [found, setFound] = useState({ of: traceNodeId, tags: NONE });
  const hasRoot = rootName !== null;
  useEffect(() => {
    if (traceNodeId === undefined || !hasRoot) return undefined;
    const known = { fetchPolicy: 'store-or-network' } as const;
    const reading = fetchQuery<useTraceTagsQuery>(environment, TAGS, { id: traceNodeId }, known).subscribe({
      next: ({ node }) => setFound({ of: traceNodeId, tags: [...new Set(node.rootSpan?.tags)] }),
      // Without them every span says its own.
      error: () => undefined,
    });
    return () => reading.unsubscribe();
  }, [environment, traceNodeId, hasRoot]);
  return found.of === traceNodeId ? found.tags : NONE;
}
