/** Segments on the threads of a database. */
import type { Caller } from '#domain/caller';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Coordination } from '../coordination/port.ts';
import type { JobLoop } from '../jobs/job-loop.ts';
import type { StoreThreads } from '../store-threads.ts';
import { columnsJob, type ColumnsOptions } from '../columns/columns-job.ts';

/** How often it looks, and who is told what it does. */
export type SegmentKeeping = Pick<ColumnsOptions, 'everyMs' | 'onBuilt' | 'onLag'>;

/** Segments as every server has them, whichever builds them. */
export interface Segments {
  /** Has all of them built again. */
  markDue(caller: Caller): Promise<void>;
  /**
   * The same, and returns when none is left, whichever server builds them.
   * @throws whatever goes wrong
   */
  rebuild(caller: Caller): Promise<void>;
}

/** Keeps segments up to date with these threads, while this server holds that job. */
export function coordinateSegments(
  keeping: SegmentKeeping,
  { writer, readers, background }: StoreThreads,
  coordination: Pick<Coordination, 'serve'>,
  onError: (error: unknown) => void,
): Segments {
  let running: JobLoop<number> | undefined;
  const findDue = (leftOut: readonly number[]) => readers.callUnrefused('findDueSegments', [leftOut]);
  coordination.serve('columns', () => {
    running = columnsJob({
      ...keeping,
      findDue,
      open: () => writer.call('openSegments', []),
      build: (segment, isUrgent) =>
        isUrgent ? readers.callUnrefused('buildSegment', [segment]) : background.call('buildSegment', [segment]),
      store: (plan) => writer.call('storeSegment', [plan]),
      isBusy: () => writer.pendingCount > 0,
      onError,
    });
    return running;
  });
  const markDue = (caller: Caller) => writer.call('markSegmentsDue', [caller]);
  return {
    markDue,
    rebuild: async (caller) => {
      await markDue(caller);
      // At first nobody may, or another server.
      while (running === undefined && (await findDue([])).due.length > 0) await sleep(POLL_MS);
      await running?.catchUp();
    },
  };
}

const POLL_MS = 200;
