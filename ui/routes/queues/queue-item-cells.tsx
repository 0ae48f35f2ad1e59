import { Link } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import type { queueItems_queue$data } from '#ui/__generated__/queueItems_queue.graphql.ts';
import { IconButton } from '#ui/components/button.tsx';
import { Count } from '#ui/components/count.tsx';
import type { TableColumn } from '#ui/components/data-table/table-column.ts';
import { Name } from '#ui/components/name.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import cellStyles from '../project/cells.module.css';
import settingsStyles from '../settings/settings.module.css';
import { type QueueRows, rowsName } from './queue-words.ts';

/** An item of a queue as its table reads it. */
export type Item = queueItems_queue$data['items']['edges'][number]['node'];

/** The columns of the table of items. @param onRemove absent where the user may remove none */
export function itemColumns(
  rows: QueueRows,
  onRemove: ((item: Item) => void) | undefined,
): readonly TableColumn<Item>[] {
  return [
    {
      id: 'target',
      header: rowsName(rows).replace(/s$/, ''),
      size: 160,
      canHide: false,
      render: (item) => <TargetLink target={item.target} />,
    },
    { id: 'input', header: 'Input', size: 150, grows: true, render: ({ target }) => <Input target={target} /> },
    { id: 'project', header: 'Project', size: 120, render: ({ target }) => <ProjectName target={target} /> },
    { id: 'state', header: 'State', size: 140, render: (item) => <ItemState item={item} /> },
    {
      id: 'reviews',
      header: 'Reviews',
      size: 76,
      align: 'end',
      render: ({ completedCount }) => <Count value={completedCount} />,
    },
    { id: 'added', header: 'Added', size: 120, render: ({ addedAt }) => <Timestamp value={addedAt} /> },
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

/** An item where there is no room for columns. */
export function ItemCard({ item }: { readonly item: Item }) {
  return (
    <div className={settingsStyles.card}>
      <div className={settingsStyles.cardHead}>
        <TargetLink target={item.target} />
      </div>
      <p className={settingsStyles.cardFacts}>
        <Input target={item.target} />
      </p>
      <p className={settingsStyles.cardFacts}>
        <ProjectName target={item.target} />
        <ItemState item={item} />
      </p>
    </div>
  );
}

function Input({ target }: Pick<Item, 'target'>) {
  const text = inputOf(target);
  if (text === undefined) return null;
  return (
    <span className={settingsStyles.muted} title={revealHidden(text)}>
      <Name>{text}</Name>
    </span>
  );
}

function inputOf(target: Item['target']): string | undefined {
  switch (target?.__typename) {
    case 'Span':
      return target.input?.truncatedValue;
    case 'Trace':
      return target.rootSpan?.input?.truncatedValue;
    case 'ProjectSession':
      return target.firstInput?.truncatedValue;
    default:
      return undefined;
  }
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
          tabIndex={-1}
          className={cellStyles.link}
        >
          <Name>{target.name}</Name>
        </Link>
      );
    case 'Trace':
      return (
        <Link
          to="/projects/$projectId/traces/$traceId"
          params={{ projectId: target.project.id, traceId: target.traceId }}
          tabIndex={-1}
          className={cellStyles.link}
        >
          <Name>{target.rootSpan?.name ?? target.traceId}</Name>
        </Link>
      );
    case 'ProjectSession':
      return (
        <Link
          to="/projects/$projectId/sessions/$sessionId"
          params={{ projectId: target.project.id, sessionId: target.id }}
          tabIndex={-1}
          className={cellStyles.link}
        >
          <Name>{target.sessionId}</Name>
        </Link>
      );
    default:
      return <span className={settingsStyles.muted}>Deleted</span>;
  }
}
