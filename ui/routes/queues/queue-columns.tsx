import { Link } from '@tanstack/react-router';
import { Count } from '#ui/components/count.tsx';
import type { TableColumn } from '#ui/components/data-table/table-column.ts';
import { Name } from '#ui/components/name.tsx';
import { formatExact } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import cellStyles from '../project/cells.module.css';
import settingsStyles from '../settings/settings.module.css';
import { ProgressBar } from './progress-bar.tsx';
import { type QueueRows, rowsName } from './queue-words.ts';

/** A queue in the table of all. */
export interface QueueRow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null | undefined;
  readonly rows: QueueRows;
  readonly reviewsPerItem: number;
  readonly progress: {
    readonly itemCount: number;
    readonly doneCount: number;
    readonly waitingForMeCount: number;
  };
  readonly createdBy: { readonly username: string } | null | undefined;
}

/** The columns of the table of queues. */
export const QUEUE_COLUMNS: readonly TableColumn<QueueRow>[] = [
  { id: 'name', header: 'Name', size: 220, grows: true, canHide: false, render: (row) => <QueueName row={row} /> },
  { id: 'rows', header: 'Rows', size: 90, render: ({ rows }) => rowsName(rows) },
  { id: 'progress', header: 'Done', size: 220, grows: true, render: ({ progress }) => <ProgressBar {...progress} /> },
  {
    id: 'waiting',
    header: 'Waiting for you',
    size: 120,
    align: 'end',
    render: ({ progress }) => <Count value={progress.waitingForMeCount} />,
  },
  {
    id: 'reviews',
    header: 'Reviews per item',
    size: 120,
    align: 'end',
    render: ({ reviewsPerItem }) => <Count value={reviewsPerItem} />,
  },
  {
    id: 'description',
    header: 'Description',
    size: 200,
    grows: true,
    render: ({ description }) => <span className={settingsStyles.muted}>{revealHidden(description ?? '')}</span>,
  },
  {
    id: 'createdBy',
    header: 'Created by',
    size: 130,
    render: ({ createdBy }) => (
      <span className={settingsStyles.muted}>{createdBy == null ? '' : revealHidden(createdBy.username)}</span>
    ),
  },
];

/** A queue where there is no room for columns. */
export function renderQueueCard(row: QueueRow) {
  return (
    <div className={settingsStyles.card}>
      <div className={settingsStyles.cardHead}>
        <QueueName row={row} />
      </div>
      <ProgressBar {...row.progress} />
      <p className={settingsStyles.cardFacts}>
        <span>{rowsName(row.rows)}</span>
        <span>{formatExact(row.progress.waitingForMeCount)} waiting for you</span>
      </p>
    </div>
  );
}

function QueueName({ row: { id, name } }: { readonly row: QueueRow }) {
  return (
    <Link
      to="/queues/$queueId"
      params={{ queueId: id }}
      className={cellStyles.link}
      title={revealHidden(name)}
      tabIndex={-1}
    >
      <Name>{name}</Name>
    </Link>
  );
}
