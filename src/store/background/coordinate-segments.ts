/** The keeper of segments on the threads of a database. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Coordination } from '../coordination/port.ts';
import type { StoreThreads } from '../store-threads.ts';
import { SegmentKeeper, type SegmentKeeperOptions } from '../columns/segment-keeper.ts';

/** How often it looks, and who is told what it does. */
export type SegmentKeeping = Pick<SegmentKeeperOptions, 'everyMs' | 'onBuilt' | 'onLag'>;

/** Segments as every server has them, whichever builds them. */
export interface Segments {
  /** Has all of them built anew. */
  markDue(): Promise<void>;
  /**
   * The same, and returns when none is left, whoever builds them.
   * @throws whatever goes wrong
   */
  rebuild(): Promise<void>;
}

/** Keeps segments up to date with these threads, while this server leads that. */
export function coordinateSegments(
  keeping: SegmentKeeping,
  { writer, readers, background }: StoreThreads,
  coordination: Pick<Coordination, 'lead'>,
  onError: (error: unknown) => void,
): Segments {
  let keeper: SegmentKeeper | undefined;
  const findDue = () => readers.callUnrefused('findDueSegments', []);
  const start = () => {
    const started = new SegmentKeeper({
      ...keeping,
      findDue,
      open: () => writer.call('openSegments', []),
      build: (segment, isUrgent) =>
        isUrgent ? readers.callUnrefused('buildSegment', [segment]) : background.call('buildSegment', [segment]),
      store: (plan) => writer.call('storeSegment', [plan]),
      isBusy: () => writer.pendingCount > 0,
      onError,
    });
    keeper = started;
    return {
      stop: async () => {
        await started.stop();
        // Whoever leads next says how many there are.
        keeping.onLag(0);
      },
    };
  };
  coordination.lead('columns', start);
  const markDue = () => writer.call('markSegmentsDue', []);
  return {
    markDue,
    rebuild: async () => {
      await markDue();
      // At first nobody may, or somebody else.
      while (keeper === undefined && (await findDue()).due.length > 0) await sleep(POLL_MS);
      await keeper?.catchUp();
    },
  };
}

const POLL_MS = 200;
