import { useNavigate, useParams } from '@tanstack/react-router';
import { Ellipsis, PenLine, Play, Trash2 } from 'lucide-react';
import { startTransition, Suspense, useState } from 'react';
import { graphql } from 'react-relay';
import type { queuePageQuery } from '#ui/__generated__/queuePageQuery.graphql.ts';
import { Button, IconButton } from '#ui/components/button.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { Menu, MenuItem, MenuTrigger } from '#ui/components/menu.tsx';
import { PageHeader } from '#ui/components/page-header.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { useMay } from '#ui/lib/viewer.ts';
import { DeleteQueueDialog } from './delete-queue-dialog.tsx';
import { useHolder } from './holder.ts';
import { QueueDialog } from './queue-dialog.tsx';
import type { EditableQueue } from './queue-form.ts';
import { QueueFacts } from './queue-facts.tsx';
import { QueueItems } from './queue-items.tsx';
import styles from './queue-page.module.css';

const QUERY = graphql`
  query queuePageQuery($queueId: ID!, $holder: String) {
    node(id: $queueId) {
      ... on AnnotationQueue @alias(as: "queue") {
        id
        name
        description
        instructions
        rows
        reviewsPerItem
        isBlind
        holdMinutes
        annotationConfigs {
          ... on Node {
            id
          }
        }
        progress {
          itemCount
          waitingForMeCount(holder: $holder)
        }
        ...queueFacts_queue
      }
    }
  }
`;

/** A review queue: what is asked, how far it is, and its items. */
export function QueuePage() {
  const { queueId } = useParams({ from: '/queues/$queueId' });
  return (
    <ErrorBoundary
      fallbackTitle="The queue could not be loaded"
      resetKey={queueId}
      missing={<EmptyState title="There is no such queue">It may have been deleted.</EmptyState>}
    >
      <Suspense fallback={<ProgressLine isActive label="Loading the queue" />}>
        <OpenQueue key={queueId} queueId={queueId} />
      </Suspense>
    </ErrorBoundary>
  );
}

function OpenQueue({ queueId }: { readonly queueId: string }) {
  const [version, setVersion] = useState(0);
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const holder = useHolder();
  const navigate = useNavigate();
  const mayChange = useMay('write');
  const { node } = useQuery<queuePageQuery>(QUERY, { queueId, holder }, { version, fetchPolicy: 'store-and-network' });
  const { queue } = node;
  const asksNothing = queue?.annotationConfigs.length === 0;
  const canReview = mayChange && queue != null && !asksNothing && queue.progress.waitingForMeCount > 0;
  const review = () => void navigate({ to: '/queues/$queueId/review', params: { queueId } });
  const reread = () => startTransition(() => setVersion((before) => before + 1));
  useShortcuts('Queue', [
    ...(canReview ? [{ keys: 'r', label: 'Review', run: review }] : []),
    ...(mayChange ? [{ keys: 'u', label: 'Edit the queue', run: () => setOpen('edit') }] : []),
  ]);
  if (queue == null) return <EmptyState title="There is no such queue">It may have been deleted.</EmptyState>;
  const { id, name, progress, rows } = queue;
  return (
    <div className={styles.page}>
      <PageHeader
        title={name}
        breadcrumbs={[{ label: 'Queues', link: { to: '/queues' } }]}
        actions={
          mayChange && (
            <>
              <MenuTrigger>
                <IconButton icon={Ellipsis} label="Queue actions" />
                <Menu label="Queue" placement="bottom end">
                  <MenuItem icon={PenLine} onAction={() => setOpen('edit')}>
                    Edit…
                  </MenuItem>
                  <MenuItem icon={Trash2} onAction={() => setOpen('delete')}>
                    Delete…
                  </MenuItem>
                </Menu>
              </MenuTrigger>
              {asksNothing ? (
                <Button variant="primary" icon={PenLine} onPress={() => setOpen('edit')}>
                  Choose questions
                </Button>
              ) : (
                <Button variant="primary" icon={Play} shortcut="r" isDisabled={!canReview} onPress={review}>
                  Review
                </Button>
              )}
            </>
          )
        }
      />
      <div className={styles.columns}>
        <QueueItems queueId={id} rows={rows} version={version} onChanged={reread} />
        <QueueFacts queue={queue} version={version} onChanged={reread} />
      </div>
      {open === 'edit' && <QueueDialog queue={toEditable(queue)} onClose={() => setOpen(undefined)} onSaved={reread} />}
      {open === 'delete' && (
        <DeleteQueueDialog
          queue={{ id, name, itemCount: progress.itemCount }}
          onClose={() => setOpen(undefined)}
          onDeleted={() => void navigate({ to: '/queues' })}
        />
      )}
    </div>
  );
}

function toEditable(queue: NonNullable<queuePageQuery['response']['node']['queue']>): EditableQueue {
  return {
    ...queue,
    description: queue.description ?? null,
    instructions: queue.instructions ?? null,
    configIds: queue.annotationConfigs.flatMap((config) => config.id ?? []),
  };
}
