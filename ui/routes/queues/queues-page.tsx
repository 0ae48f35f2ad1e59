import { useNavigate } from '@tanstack/react-router';
import { ListChecks, Plus } from 'lucide-react';
import { type Ref, Suspense, useDeferredValue, useMemo, useRef, useState } from 'react';
import { graphql } from 'react-relay';
import type { queuesPageQuery } from '#ui/__generated__/queuesPageQuery.graphql.ts';
import { Button } from '#ui/components/button.tsx';
import type { DataTableHandle } from '#ui/components/data-table/data-table.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { PageHeader } from '#ui/components/page-header.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { SearchField } from '#ui/components/search-field.tsx';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { useMay } from '#ui/lib/viewer.ts';
import { SettingsTable } from '../settings/settings-table.tsx';
import settingsStyles from '../settings/settings.module.css';
import { useHolder } from './holder.ts';
import { QUEUE_COLUMNS, type QueueRow, renderQueueCard } from './queue-columns.tsx';
import { QueueDialog } from './queue-dialog.tsx';

/** All review queues. */
export function QueuesPage() {
  const [text, setText] = useState('');
  const [isCreating, setIsCreating] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const table = useRef<DataTableHandle>(null);
  const navigate = useNavigate();
  const mayCreate = useMay('write');
  const create = () => setIsCreating(true);
  const open = (queueId: string) => void navigate({ to: '/queues/$queueId', params: { queueId } });
  useShortcuts('Queues', [
    ...(mayCreate ? [{ keys: 'c', label: 'New queue', run: create }] : []),
    { keys: '/', label: 'Search queues', run: () => field.current?.focus() },
    { keys: 'j', label: 'Next row', run: () => table.current?.step(1) },
    { keys: 'k', label: 'Previous row', run: () => table.current?.step(-1) },
  ]);
  return (
    <div className={settingsStyles.layout}>
      <PageHeader
        title="Queues"
        actions={
          mayCreate && (
            <Button variant="primary" icon={Plus} shortcut="c" onPress={create}>
              New queue
            </Button>
          )
        }
      />
      <div className={settingsStyles.toolbar}>
        <SearchField
          label="Search queues by name or description"
          inputRef={field}
          shortcut="/"
          placeholder="Search queues"
          value={text}
          onChange={setText}
          className={settingsStyles.search}
        />
      </div>
      <section className={settingsStyles.rows} aria-label="Queues">
        <ErrorBoundary fallbackTitle="The queues could not be loaded">
          <Suspense fallback={<ProgressLine isActive label="Loading queues" />}>
            <QueueList
              ref={table}
              text={text}
              onClear={() => setText('')}
              onOpen={open}
              onCreate={mayCreate ? create : undefined}
            />
          </Suspense>
        </ErrorBoundary>
      </section>
      {isCreating && <QueueDialog onClose={() => setIsCreating(false)} onSaved={open} />}
    </div>
  );
}

interface QueueListProps {
  readonly ref: Ref<DataTableHandle>;
  readonly text: string;
  readonly onClear: () => void;
  readonly onOpen: (id: string) => void;
  readonly onCreate: (() => void) | undefined;
}

function QueueList({ ref, text, onClear, onOpen, onCreate }: QueueListProps) {
  const all = useQueues();
  const search = useDeferredValue(text.trim().toLowerCase());
  const rows = useMemo(
    () => all.filter(({ name, description }) => `${name}\n${description ?? ''}`.toLowerCase().includes(search)),
    [all, search],
  );
  return (
    <SettingsTable
      ref={ref}
      name="queues"
      label="Queues"
      columns={QUEUE_COLUMNS}
      rows={rows}
      useRow={asItIs}
      renderCard={renderQueueCard}
      onOpen={onOpen}
    >
      {rows.length > 0 ? undefined : <NoRows isSearch={search !== ''} onClear={onClear} onCreate={onCreate} />}
    </SettingsTable>
  );
}

interface NoRowsProps extends Pick<QueueListProps, 'onClear' | 'onCreate'> {
  readonly isSearch: boolean;
}

function NoRows({ isSearch, onClear, onCreate }: NoRowsProps) {
  if (isSearch) {
    return (
      <EmptyState
        icon={ListChecks}
        title="No queue matches"
        action={<Button onPress={onClear}>Clear the search</Button>}
      />
    );
  }
  return (
    <EmptyState
      icon={ListChecks}
      title="No queues yet"
      action={
        onCreate !== undefined && (
          <Button variant="primary" icon={Plus} onPress={onCreate}>
            New queue
          </Button>
        )
      }
    >
      A queue holds traces, spans or sessions that people judge one after the other. Create one, then select rows in a
      project and add them, or let a rule add a share of what arrives.
    </EmptyState>
  );
}

/** The table is searched in the browser: a team has tens of queues. */
function useQueues(): readonly QueueRow[] {
  const holder = useHolder();
  const { annotationQueues } = useQuery<queuesPageQuery>(
    graphql`
      query queuesPageQuery($holder: String) {
        annotationQueues(first: 1000) {
          edges {
            node {
              id
              name
              description
              rows
              reviewsPerItem
              progress {
                itemCount
                doneCount
                waitingForMeCount(holder: $holder)
              }
              createdBy {
                username
              }
            }
          }
        }
      }
    `,
    { holder },
    { fetchPolicy: 'store-and-network' },
  );
  return useMemo(() => annotationQueues.edges.map(({ node }) => node), [annotationQueues]);
}

function asItIs(row: QueueRow): QueueRow {
  return row;
}
