import { errorMessage } from '#base/errors';
import type { Coordination } from '../coordination/port.ts';
import { type BulkJobOptions, bulkJob } from '../bulk/bulk-job.ts';
import type { StoreThreads } from '../store-threads.ts';
import type { ThreadOptions } from '../threads/thread.ts';

/** How fast bulk actions go, and who is told of what they change. */
export type BulkActing = Pick<BulkJobOptions, 'restRatio' | 'onTouched'>;

/** What is to be told of bulk actions, whichever server works on them. */
export interface BulkActionNews {
  /** One was begun, done at once, or cancelled. */
  changed(): void;
}

/** Works on bulk actions while this server holds their jobs. */
export function coordinateBulkActions(
  { restRatio, onTouched }: BulkActing,
  { writer, background }: Pick<StoreThreads, 'writer' | 'background'>,
  coordination: Pick<Coordination, 'serve' | 'announce' | 'wake'>,
  onLog: ThreadOptions['onLog'],
): BulkActionNews {
  coordination.serve('bulk', (jobId) =>
    bulkJob({
      restRatio,
      onTouched,
      writer: {
        noteChosen: (...input) => writer.call('noteChosen', input),
        sampleNext: (...input) => writer.call('sampleNext', input),
        actOnNext: (...input) => writer.call('actOnNext', input),
        refuseNext: (...input) => writer.call('refuseNext', input),
        failBulkAction: (...input) => writer.call('failBulkAction', input),
      },
      plan: () => background.call('planBulkAction', [jobId]),
      isBusy: () => writer.pendingCount > 0,
      onOver: () => coordination.wake('removal'),
      onError: (message, error) => onLog({ level: 'error', message, stack: errorMessage(error) }),
    }),
  );
  return {
    changed: () => {
      coordination.announce('bulk');
      coordination.wake('removal');
    },
  };
}
