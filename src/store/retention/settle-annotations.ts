/**
 * Gives up annotations whose target has not arrived for too long. Those whose target is there are stored when it arrives; what one commit
 * leaves of very many is stored here. A look costs what is due, however much waits.
 */
import { findSettleable } from '../annotations/write/waiting.ts';
import { JobLoop } from '../jobs/job-loop.ts';
import type { RecordHandle } from '../records/hooks.ts';

/** How many annotations wait no longer, and how many of these are lost. */
export interface SettledCounts {
  readonly settledCount: number;
  readonly givenUpCount: number;
}

/** What it works with. */
export interface SettlingOptions {
  readonly read: RecordHandle;
  /** Stores or gives up what waits under the row ids. */
  readonly settle: (rowIds: readonly number[]) => Promise<SettledCounts>;
  /** Told of annotations that waited for an hour in vain. */
  readonly onGivenUp: (count: number) => void;
  /** Microseconds since the Unix epoch. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** Looks once a minute, until it is stopped. */
export function settlingJob({ read, settle, onGivenUp, now, onError }: SettlingOptions): JobLoop<readonly number[]> {
  return new JobLoop({
    plan: () => findSettleable(read, now()),
    apply: async (rowIds) => {
      const { settledCount, givenUpCount } = await settle(rowIds);
      if (givenUpCount > 0) onGivenUp(givenUpCount);
      return settledCount > 0 ? 'changed' : 'unchanged';
    },
    // A step takes the writer as long as a small request does.
    isBusy: () => false,
    patienceMs: 0,
    firstMs: 0,
    everyMs: () => EVERY_MS,
    restMs: (_stepMs, applyMs) => 4 * applyMs,
    retryMs: [EVERY_MS, 10 * EVERY_MS],
    onError,
  });
}

const EVERY_MS = 60_000;
