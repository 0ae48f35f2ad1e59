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

/** Of the trace before: those of a project mostly have tags, or have none. */
let hadTags = false;

/**
 * The tags of a trace are those of its root, which lie in what the root sent: they are read once, when it is known.
 * @param rootName of the root; null as long as it has not arrived
 * @returns undefined while they are read, where the trace before had some
 */
export function useTraceTags(traceNodeId: string | undefined, rootName: string | null): readonly string[] | undefined {
  const environment = useRelayEnvironment();
  const [found, setFound] = useState<Found>({ of: undefined, tags: NONE });
  const hasRoot = rootName !== null;
  useEffect(() => {
    if (traceNodeId === undefined || !hasRoot) return undefined;
    const known = { fetchPolicy: 'store-or-network' } as const;
    const reading = fetchQuery<useTraceTagsQuery>(environment, TAGS, { id: traceNodeId }, known).subscribe({
      next: ({ node }) => {
        const tags = [...new Set(node.rootSpan?.tags)];
        hadTags = tags.length > 0;
        setFound({ of: traceNodeId, tags });
      },
      // Without them every span says its own.
      error: () => setFound({ of: traceNodeId, tags: NONE }),
    });
    return () => reading.unsubscribe();
  }, [environment, traceNodeId, hasRoot]);
  if (found.of === traceNodeId) return found.tags;
  return hasRoot && hadTags ? undefined : NONE;
}

/** What was read, and of which trace. */
interface Found {
  readonly of: string | undefined;
  readonly tags: readonly string[];
}
