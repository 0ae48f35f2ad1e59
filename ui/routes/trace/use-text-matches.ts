import { useEffect, useRef, useState } from 'react';
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay';
import type { useTextMatchesQuery } from '#ui/__generated__/useTextMatchesQuery.graphql.ts';

const MATCHES = graphql`
  query useTextMatchesQuery($traceNodeId: ID!, $text: String!, $first: Int!, $after: String) {
    trace: node(id: $traceNodeId) {
      ... on Trace {
        search(text: $text, first: $first, after: $after) {
          edges {
            node {
              span {
                spanId
              }
            }
          }
          pageInfo {
            hasNextPage
            endCursor
          }
        }
      }
    }
  }
`;

/** Of what was found in the texts of a trace. */
export interface TextMatches {
  readonly spanIds: ReadonlySet<string>;
  readonly isSearching: boolean;
  /** Texts could not be searched, or not all of them: what is found may lack some. */
  readonly isIncomplete: boolean;
}

const PAGE_SIZE = 1000;
/** More matches narrow nothing. */
const MAX_PAGES = 10;
/** While somebody types. */
const PAUSE_MS = 250;
/** Texts of spans that have just arrived are indexed within this time. */
const CHANGE_PAUSE_MS = 2000;

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Spans of a trace that hold a text anywhere, the last word of it as the beginning of one; what was found stays while
 * more of it is typed.
 * @param traceNodeId undefined as long as it is not known
 * @param text empty: nothing is looked for
 * @param version another one when spans arrived
 */
export function useTextMatches(traceNodeId: string | undefined, text: string, version: unknown): TextMatches {
  const environment = useRelayEnvironment();
  const [found, setFound] = useState({ of: '', spanIds: NOTHING, isIncomplete: false });
  const searched = useRef('');
  useEffect(() => {
    if (traceNodeId === undefined || text === '') return undefined;
    let reading: { unsubscribe(): void } | undefined;
    const spanIds = new Set<string>();
    const finish = (isIncomplete: boolean) => setFound({ of: text, spanIds, isIncomplete });
    const read = (pagesLeft: number, after: string | null) => {
      const variables = { traceNodeId, text: asBeginning(text), first: PAGE_SIZE, after };
      reading = fetchQuery<useTextMatchesQuery>(environment, MATCHES, variables).subscribe({
        next: ({ trace: { search } }) => {
          for (const { node } of search?.edges ?? []) spanIds.add(node.span.spanId);
          const next = search?.pageInfo.hasNextPage === true ? (search.pageInfo.endCursor ?? null) : null;
          if (next === null || pagesLeft === 0) finish(next !== null);
          else read(pagesLeft - 1, next);
        },
        error: () => finish(true),
      });
    };
    // Another text is looked for soon, the same one in other spans later.
    const pauseMs = searched.current === text ? CHANGE_PAUSE_MS : PAUSE_MS;
    const timer = setTimeout(() => {
      searched.current = text;
      read(MAX_PAGES - 1, null);
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      reading?.unsubscribe();
    };
  }, [environment, traceNodeId, text, version]);
  if (text === '') return { spanIds: NOTHING, isSearching: false, isIncomplete: false };
  // Matches of a longer text are among the matches of its beginning.
  const isOf = found.of !== '' && text.startsWith(found.of);
  return {
    spanIds: isOf ? found.spanIds : NOTHING,
    isSearching: traceNodeId !== undefined && found.of !== text,
    isIncomplete: found.of === text && found.isIncomplete,
  };
}

/** While it is typed the last word may go on. What holds signs of the search is left as it is. */
function asBeginning(text: string): string {
  return /^[\p{L}\p{M}\p{N}_\s]*[\p{L}\p{M}\p{N}_]{2}$/u.test(text) ? `${text}*` : text;
}
