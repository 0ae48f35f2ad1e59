import { useEffect, useState } from 'react';
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay';
import type { Environment } from 'relay-runtime';
import type { useSelectedCountSessionsQuery } from '#ui/__generated__/useSelectedCountSessionsQuery.graphql.ts';
import type { useSelectedCountTracesQuery } from '#ui/__generated__/useSelectedCountTracesQuery.graphql.ts';
import type { FilterGrain } from '#filter/tree';
import type { Selection } from '#ui/components/data-table/selection.ts';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import type { ListScope } from '../list-scope.ts';
import { useRowCount } from './use-row-count.ts';

const TRACES = graphql`
  query useSelectedCountTracesQuery($ids: [ID!]!) {
    nodes(ids: $ids) {
      ... on Trace {
        numSpans
      }
    }
  }
`;

const SESSIONS = graphql`
  query useSelectedCountSessionsQuery($ids: [ID!]!) {
    nodes(ids: $ids) {
      ... on ProjectSession {
        numTraces
      }
    }
  }
`;

/** How much is selected. */
export interface SelectedCount {
  /** Undefined until it is counted. */
  readonly rows: number | undefined;
  /** False where there are more than could be counted. */
  readonly isExact: boolean;
  /** What goes with the rows, once it is counted: `96 spans`. */
  readonly parts: string | undefined;
}

/** Counts the selected rows and, where they are named one by one, what they consist of. */
export function useSelectedCount(scope: ListScope, { isAll, ids }: Selection): SelectedCount {
  const found = useRowCount(scope, isAll);
  const parts = useParts(scope.grain, isAll ? NOTHING : ids);
  if (!isAll) return { rows: ids.size, isExact: true, parts };
  const rows = found && Math.max(found.count - ids.size, 0);
  return { rows, isExact: found?.isExact === true, parts: undefined };
}

const NOTHING: ReadonlySet<string> = new Set();

/** Ids that the server takes at once. */
const MAX_IDS = 1000;

function useParts(grain: FilterGrain, ids: ReadonlySet<string>): string | undefined {
  const environment = useRelayEnvironment();
  const [parts, setParts] = useState<string>();
  useEffect(() => {
    if (grain === 'span' || ids.size === 0) return undefined;
    let isWanted = true;
    countParts(environment, grain, [...ids])
      .then((count) => {
        const noun = grain === 'trace' ? 'spans' : 'traces';
        if (isWanted) setParts(`${formatExact(count)} ${nounOf(count, noun)}`);
      })
      // Without this number the window still says what goes.
      .catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [environment, grain, ids]);
  return parts;
}

async function countParts(
  environment: Environment,
  grain: 'trace' | 'session',
  ids: readonly string[],
): Promise<number> {
  let count = 0;
  for (let start = 0; start < ids.length; start += MAX_IDS) {
    const some = ids.slice(start, start + MAX_IDS);
    if (grain === 'trace') {
      const read = await fetchQuery<useSelectedCountTracesQuery>(environment, TRACES, { ids: some }).toPromise();
      for (const node of read?.nodes ?? []) count += node?.numSpans ?? 0;
    } else {
      const read = await fetchQuery<useSelectedCountSessionsQuery>(environment, SESSIONS, { ids: some }).toPromise();
      for (const node of read?.nodes ?? []) count += node?.numTraces ?? 0;
    }
  }
  return count;
}
