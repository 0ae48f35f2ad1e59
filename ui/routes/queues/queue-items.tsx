import { Link, useNavigate } from '@tanstack/react-router';
import { ListPlus, Trash2 } from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { queueItems_queue$data, queueItems_queue$key } from '#ui/__generated__/queueItems_queue.graphql.ts';
import type { queueItemsPageQuery } from '#ui/__generated__/queueItemsPageQuery.graphql.ts';
import type { queueItemsQuery } from '#ui/__generated__/queueItemsQuery.graphql.ts';
import type { queueItemsRemoveMutation } from '#ui/__generated__/queueItemsRemoveMutation.graphql.ts';
import { IconButton } from '#ui/components/button.tsx';
import type { TableColumn } from '#ui/components/data-table/table-column.ts';
import { deleteWithUndo } from '#ui/components/delete-with-undo.ts';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { useAttempt } from '#ui/components/error-boundary.tsx';
import { Name } from '#ui/components/name.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { usePendingDeletions } from '#ui/lib/pending-deletions.ts';
import { useMay } from '#ui/lib/viewer.ts';
import { useCommit } from '../deletion/use-commit.ts';
import { SettingsTable } from '../settings/settings-table.tsx';
import settingsStyles from '../settings/settings.module.css';
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
              }
              project {
                id
                name
              }
            }
            ... on ProjectSession {
              id
              sessionId
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

type Item = queueItems_queue$data['items']['edges'][number]['node'];
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
  const { node } = useLazyLoadQuery<queueItemsQuery>(
    QUERY,
    { queueId, state: state === 'ALL' ? null : state },
    { fetchKey: `${version}.${useAttempt()}`, fetchPolicy: 'store-and-network' },
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
      Select {rowsName(rows).toLowerCase()} in a project and choose “Add to queue”, or add a rule.
    </EmptyState>
  );
}

function itemColumns(rows: QueueRows, onRemove: ((item: Item) => void) | undefined): readonly TableColumn<Item>[] {
  return [
    {
      id: 'target',
      header: rowsName(rows).replace(/s$/, ''),
      size: 240,
      grows: true,
      canHide: false,
      render: (item) => <TargetLink target={item.target} />,
    },
    { id: 'project', header: 'Project', size: 160, render: ({ target }) => <ProjectName target={target} /> },
    { id: 'state', header: 'State', size: 150, render: (item) => <ItemState item={item} /> },
    {
      id: 'reviews',
      header: 'Reviews',
      size: 84,
      align: 'end',
      render: ({ completedCount }) => completedCount,
    },
    { id: 'added', header: 'Added', size: 150, render: ({ addedAt }) => <Timestamp value={addedAt} /> },
    ...(onRemove === undefined
      ? []
      : [
          {
            id: 'actions',
            header: 'Actions',
            size: 72,
            align: 'end' as const,
            canHide: false,
            render: (item: Item) => (
              <IconButton icon={Trash2} size="sm" label="Remove from the queue" onPress={() => onRemove(item)} />
            ),
          },
        ]),
  ];
}

function ItemCard({ item }: { readonly item: Item }) {
  return (
    <div className={settingsStyles.card}>
      <div className={settingsStyles.cardHead}>
        <TargetLink target={item.target} />
      </div>
      <p className={settingsStyles.cardFacts}>
        <ProjectName target={item.target} />
        <ItemState item={item} />
      </p>
    </div>
  );
}

function ItemState({ item: { state, heldBy } }: { readonly item: Item }) {
  if (state === 'DONE') return 'Done';
  if (state === 'WAITING') return 'Waiting';
  return heldBy == null ? 'In review' : `In review by ${heldBy.username}`;
}

function ProjectName({ target }: Pick<Item, 'target'>) {
  const project = target?.__typename === 'Span' ? target.trace.project : projectOf(target);
  return <span className={settingsStyles.muted}>{project !== undefined && <Name>{project.name}</Name>}</span>;
}

function projectOf(target: Item['target']) {
  return target?.__typename === 'Trace' || target?.__typename === 'ProjectSession' ? target.project : undefined;
}

function TargetLink({ target }: Pick<Item, 'target'>) {
  switch (target?.__typename) {
    case 'Span':
      return (
        <Link
          to="/projects/$projectId/spans/$traceId"
          params={{ projectId: target.trace.project.id, traceId: target.trace.traceId }}
          search={{ selectedSpanNodeId: target.id }}
          className={settingsStyles.strong}
        >
          <Name>{target.name}</Name>
        </Link>
      );
    case 'Trace':
      return (
        <Link
          to="/projects/$projectId/traces/$traceId"
          params={{ projectId: target.project.id, traceId: target.traceId }}
          className={settingsStyles.strong}
        >
          <Name>{target.rootSpan?.name ?? target.traceId}</Name>
        </Link>
      );
    case 'ProjectSession':
      return (
        <Link
          to="/projects/$projectId/sessions/$sessionId"
          params={{ projectId: target.project.id, sessionId: target.id }}
          className={settingsStyles.strong}
        >
          <Name>{target.sessionId}</Name>
        </Link>
      );
    default:
      return <span className={settingsStyles.muted}>Deleted</span>;
  }
}

function asItIs(item: Item): Item {
  return item;
}
