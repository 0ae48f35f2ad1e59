import { useNavigate } from '@tanstack/react-router';
import { ListPlus } from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import { graphql, usePaginationFragment } from 'react-relay';
import type { queueItems_queue$key } from '#ui/__generated__/queueItems_queue.graphql.ts';
import type { queueItemsPageQuery } from '#ui/__generated__/queueItemsPageQuery.graphql.ts';
import type { queueItemsQuery } from '#ui/__generated__/queueItemsQuery.graphql.ts';
import type { queueItemsRemoveMutation } from '#ui/__generated__/queueItemsRemoveMutation.graphql.ts';
import { deleteWithUndo } from '#ui/components/delete-with-undo.ts';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { usePendingDeletions } from '#ui/lib/pending-deletions.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { useMay } from '#ui/lib/viewer.ts';
import { useCommit } from '../deletion/use-commit.ts';
import { SettingsTable } from '../settings/settings-table.tsx';
import settingsStyles from '../settings/settings.module.css';
import { ItemCard, type Item, itemColumns } from './queue-item-cells.tsx';
import styles from './queue-page.module.css';
import { type QueueRows, rowsName } from './queue-words.ts';

const PAGE_SIZE = 100;

const ITEMS = graphql`
  fragment queueItems_queue on AnnotationQueue
  @refetchable(queryName: "queueItemsPageQuery")
  @argumentDefinitions(
    first: { type: "Int", defaultValue: 100 }
    after: { type: "String" }
    state: { type: "AnnotationQueueItemState" }
  ) {
    items(first: $first, after: $after, state: $state) @connection(key: "queueItems_items") {
      edges {
        node {
          id
          state
          completedCount
          addedAt
          heldBy {
            username
          }
          target {
            __typename
            ... on Span {
              id
              name
              input {
                truncatedValue
              }
              trace {
                traceId
                project {
                  id
                  name
                }
              }
            }
            ... on Trace {
              traceId
              rootSpan {
                name
                input {
                  truncatedValue
                }
              }
              project {
                id
                name
              }
            }
            ... on ProjectSession {
              id
              sessionId
              firstInput {
                truncatedValue
              }
              project {
                id
                name
              }
            }
          }
        }
      }
    }
  }
`;

const QUERY = graphql`
  query queueItemsQuery($queueId: ID!, $state: AnnotationQueueItemState) {
    node(id: $queueId) {
      ... on AnnotationQueue @alias(as: "queue") {
        ...queueItems_queue @arguments(state: $state)
      }
    }
  }
`;

const REMOVE = graphql`
  mutation queueItemsRemoveMutation($queueId: ID!, $itemIds: [ID!]!) {
    removeAnnotationQueueItems(queueId: $queueId, itemIds: $itemIds) {
      id
    }
  }
`;

type State = Item['state'] | 'ALL';

const STATES = [
  { id: 'ALL', label: 'All' },
  { id: 'WAITING', label: 'Waiting' },
  { id: 'HELD', label: 'In review' },
  { id: 'DONE', label: 'Done' },
] as const satisfies readonly { readonly id: State; readonly label: string }[];

interface QueueItemsProps {
  readonly queueId: string;
  readonly rows: QueueRows;
  /** Another number reads again. */
  readonly version: number;
  readonly onChanged: () => void;
}

/** The items of a queue, in its order. */
export function QueueItems(props: QueueItemsProps) {
  const [state, setState] = useState<State>('ALL');
  return (
    <section className={styles.items} aria-label="Items">
      <div className={settingsStyles.toolbar}>
        <SegmentedControl label="State" items={STATES} selectedKey={state} onSelectionChange={setState} />
      </div>
      <Suspense fallback={<ProgressLine isActive label="Loading items" />}>
        <ItemTable key={state} state={state} {...props} />
      </Suspense>
    </section>
  );
}

function ItemTable({ queueId, rows, state, version, onChanged }: QueueItemsProps & { readonly state: State }) {
  const navigate = useNavigate();
  const mayChange = useMay('write');
  const remove = useCommit<queueItemsRemoveMutation>(REMOVE);
  const pending = usePendingDeletions();
  const { node } = useQuery<queueItemsQuery>(
    QUERY,
    { queueId, state: state === 'ALL' ? null : state },
    { version, fetchPolicy: 'store-and-network' },
  );
  const { data, hasNext, isLoadingNext, loadNext } = usePaginationFragment<queueItemsPageQuery, queueItems_queue$key>(
    ITEMS,
    node.queue,
  );
  const items = useMemo(
    () => (data?.items.edges ?? []).map(({ node }) => node).filter(({ id }) => !pending.has(id)),
    [data, pending],
  );
  const columns = useMemo(() => {
    const onRemove = ({ id }: Item) =>
      deleteWithUndo({
        ids: [id],
        what: 'The item',
        run: () => remove({ queueId, itemIds: [id] }).then(onChanged),
      });
    return itemColumns(rows, mayChange ? onRemove : undefined);
  }, [rows, mayChange, remove, queueId, onChanged]);
  return (
    <SettingsTable
      name="queue-items"
      label="Items"
      columns={columns}
      rows={items}
      useRow={asItIs}
      renderCard={(item) => <ItemCard item={item} />}
      hasNext={hasNext}
      isLoading={isLoadingNext}
      onNearEnd={() => hasNext && !isLoadingNext && loadNext(PAGE_SIZE)}
      onOpen={(item) => {
        if (mayChange) void navigate({ to: '/queues/$queueId/review', params: { queueId }, search: { item } });
      }}
    >
      {items.length > 0 ? undefined : <NoItems state={state} rows={rows} />}
    </SettingsTable>
  );
}

function NoItems({ state, rows }: { readonly state: State; readonly rows: QueueRows }) {
  if (state !== 'ALL') return <EmptyState title="No item is in this state" />;
  return (
    <EmptyState icon={ListPlus} title="The queue is empty">
      Select {rowsName(rows).toLowerCase()} in a project and press <kbd>q</kbd>, or add a rule.
    </EmptyState>
  );
}

function asItIs(item: Item): Item {
  return item;
}
