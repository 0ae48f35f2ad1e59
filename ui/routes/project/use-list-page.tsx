import { type ReactNode, useMemo } from 'react';
import { fetchQuery, usePaginationFragment, useRelayEnvironment } from 'react-relay';
import type { KeyType } from 'react-relay/ReactRelayTypes.js';
import type { GraphQLTaggedNode, OperationType } from 'relay-runtime';
import type { Sort } from '#ui/components/data-table/table-column.ts';
import type { ResolvedTimeRange, TimeRange } from '#ui/lib/time-range.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { Onboarding } from '../onboarding/onboarding.tsx';
import type { Look } from './look-further.tsx';
import type { LiveSource } from './use-live-rows.ts';

/** Rows that a table reads at a time. The first page is part of the table's own query and says so there. */
const PAGE_SIZE = 100;

/** What a table is to read. */
export interface ListFetch {
  readonly projectId: string;
  /** The range as it was chosen, and in instants. */
  readonly range: TimeRange;
  readonly timeRange: ResolvedTimeRange;
  readonly sort: Sort;
  /** In the filter language; null: none. */
  readonly filter: string | null;
  /** Another one asks the server again. */
  readonly refreshCount: number;
}

/** The documents of a table. In each of them the rows of the project are called `rows`. */
interface ListDocuments {
  /** Reads the first page, with the fragment below `project.found`. */
  readonly query: GraphQLTaggedNode;
  readonly page: GraphQLTaggedNode;
  /** Reads the ids of the rows that began last. */
  readonly newest: GraphQLTaggedNode;
  /** Reads rows by their ids. */
  readonly rows: GraphQLTaggedNode;
}

interface Edges<Node> {
  readonly edges: readonly { readonly node: Node }[];
}

interface PageData<Ref> {
  readonly rows: Edges<Ref> & { readonly looked: (Look & { readonly isWhole: boolean }) | null | undefined };
}

interface ListQuery<Ref> extends OperationType {
  readonly response: {
    readonly project: {
      readonly found:
        | (KeyType<PageData<Ref>> & { readonly name: string; readonly hasTraces: boolean })
        | null
        | undefined;
    };
  };
}

interface NewestQuery extends OperationType {
  readonly response: { readonly project: { readonly rows?: Edges<{ readonly id: string }> } };
}

/** What a page of a list gives to its table. */
export interface ListPage<Ref> extends Omit<LiveSource, 'isNewestFirst'> {
  /** How to send the first trace, in place of the table, while the project has none. */
  readonly onboarding: ReactNode;
  readonly rows: readonly Ref[];
  /** Names what the rows are a list of, in whichever order. */
  readonly listKey: string;
  readonly hasNext: boolean;
  readonly loadNext: (onDone: (error: Error | null) => void) => void;
  /** How far the last page was looked for; undefined where it was looked for to its end. */
  readonly look: Look | undefined;
}

/** Reads a list of a project page by page. `shown` says which rows, `sort` in which order. */
export function useListPage<
  Query extends ListQuery<Ref>,
  Ref,
  Newest extends NewestQuery,
  Rows extends OperationType & { readonly variables: { readonly ids: readonly string[] } },
>(
  documents: ListDocuments,
  fetch: ListFetch,
  shown: Newest['variables'],
  sort: Query['variables']['sort'],
): ListPage<Ref> {
  const variables = { ...shown, sort };
  const { project } = useQuery<Query>(documents.query, variables, {
    version: fetch.refreshCount,
    fetchPolicy: 'store-and-network',
  });
  const environment = useRelayEnvironment();
  const { found } = project;
  const { data, hasNext, loadNext } = usePaginationFragment<OperationType, KeyType<PageData<Ref>>>(
    documents.page,
    found,
  );
  const { edges, looked } = data?.rows ?? {};
  return {
    onboarding: found?.hasTraces === false && <Onboarding projectId={fetch.projectId} project={found.name} />,
    rows: useMemo(() => (edges ?? []).map(({ node }) => node), [edges]),
    listKey: JSON.stringify({ ...shown, timeRange: fetch.range }),
    hasNext,
    loadNext: (onDone) => loadNext(PAGE_SIZE, { onComplete: onDone }),
    look: looked?.isWhole === false ? looked : undefined,
    readTop: () => fetchQuery<Query>(environment, documents.query, variables).toPromise(),
    readNewest: async () => {
      const read = await fetchQuery<Newest>(environment, documents.newest, shown).toPromise();
      return read?.project.rows?.edges.map(({ node }) => node.id) ?? [];
    },
    // The documents name which of these they take.
    readRows: (ids) => fetchQuery<Rows>(environment, documents.rows, { ...shown, ids }).toPromise(),
  };
}
