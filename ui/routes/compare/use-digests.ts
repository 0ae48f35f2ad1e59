import { useEffect, useRef, useState } from 'react';
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay';
import type { IEnvironment } from 'relay-runtime';
import type { useDigestsQuery } from '#ui/__generated__/useDigestsQuery.graphql.ts';
import { CONTENT_PARTS, type ContentPart } from '#domain/span-contents';
import type { Forest } from '../trace/model/forest.ts';
import type { ContentDigests, DigestsById } from './model/differences.ts';

const QUERY = graphql`
  query useDigestsQuery($id: ID!, $limit: Int!, $after: String) {
    trace: node(id: $id) {
      ... on Trace {
        digests(limit: $limit, after: $after) {
          columns
          endCursor
        }
      }
    }
  }
`;

/** Spans whose contents are compared in one step of the server. */
const PAGE_SIZE = 2000;
/** How long a trace that changes is left alone before its contents are compared again. */
const LEAST_REST_MS = 2000;
/** And as many times what that took. */
const REST_FACTOR = 5;

/** What the spans of a trace hold, as digests. */
export interface DigestsState {
  readonly digests: DigestsById;
  readonly isComplete: boolean;
  readonly error: Error | undefined;
}

const NOTHING: DigestsState = { digests: new Map(), isComplete: false, error: undefined };

/**
 * Reads the digests of a trace page by page, and again when its spans change.
 * @param traceNodeId undefined as long as it is not known
 * @param forest its spans; undefined as long as not all are read
 */
export function useDigests(
  traceNodeId: string | undefined,
  forest: Forest | undefined,
): DigestsState & { readonly retry: () => void } {
  const environment = useRelayEnvironment();
  const [state, setState] = useState(NOTHING);
  const [attempt, setAttempt] = useState(0);
  const rest = useRef({ untilMs: 0 });
  const hasSpans = forest !== undefined;

  useEffect(() => {
    if (traceNodeId === undefined || !hasSpans) return undefined;
    let isWanted = true;
    const timer = setTimeout(
      () => {
        const startedMs = performance.now();
        read(environment, traceNodeId, () => isWanted, setState).then(
          () => {
            const endedMs = performance.now();
            rest.current.untilMs = endedMs + Math.max(LEAST_REST_MS, (endedMs - startedMs) * REST_FACTOR);
          },
          (error: unknown) => {
            if (isWanted) setState((before) => ({ ...before, error: toError(error) }));
          },
        );
      },
      Math.max(0, rest.current.untilMs - performance.now()),
    );
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [environment, traceNodeId, hasSpans, forest, attempt]);
  return { ...state, retry: () => setAttempt((before) => before + 1) };
}

/** Tells each page on the way, so that what is known shows. */
async function read(
  environment: IEnvironment,
  id: string,
  isWanted: () => boolean,
  tell: (state: DigestsState) => void,
): Promise<void> {
  const digests = new Map<string, ContentDigests>();
  let after: string | null = null;
  do {
    const answer: useDigestsQuery['response'] | undefined = await fetchQuery<useDigestsQuery>(
      environment,
      QUERY,
      { id, limit: PAGE_SIZE, after },
      { networkCacheConfig: { force: true } },
    ).toPromise();
    if (!isWanted()) return;
    const page: Page | undefined = answer?.trace.digests;
    if (page !== undefined) addDigests(digests, page.columns);
    after = page?.endCursor ?? null;
    tell({ digests: new Map(digests), isComplete: after === null, error: undefined });
  } while (after !== null);
}

interface Page {
  readonly columns: string;
  readonly endCursor: string | null | undefined;
}

function addDigests(digests: Map<string, ContentDigests>, columns: string): void {
  const lists = JSON.parse(columns) as Columns;
  for (const [place, rowId] of lists.rowIds.entries()) {
    const own = CONTENT_PARTS.map((part) => [part, lists[part][place] ?? null] as const);
    digests.set(btoa(`Span:${rowId}`), Object.fromEntries(own) as Record<ContentPart, string | null>);
  }
}

/** The text of `TraceDigests.columns`, parsed. */
type Columns = { readonly rowIds: readonly number[] } & Readonly<Record<ContentPart, readonly (string | null)[]>>;

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
