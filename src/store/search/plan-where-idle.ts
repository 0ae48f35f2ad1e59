import type { ReaderPool } from '../threads/reader-pool.ts';
import type { Thread } from '../threads/thread.ts';
import type { SearchIndexPace } from './indexer.ts';
import type { IndexPlan, StepBounds } from './plan-index.ts';

/**
 * Plans on the thread that gives way, so that no question waits for a step; what has just arrived among the reads of others, where
 * that thread has something long to do, or does not get on because the machine is busy.
 */
export function planWhereIdle(
  readers: Pick<ReaderPool, 'callUnrefused'>,
  background: Pick<Thread, 'call' | 'pendingCount'>,
): (pace: SearchIndexPace) => Promise<IndexPlan | undefined> {
  let isStarvedUntilMs = 0;
  return async (pace) => {
    const parameters = [STEPS[pace]];
    const askedAtMs = performance.now();
    if (pace === 'prompt' && (background.pendingCount > 0 || askedAtMs < isStarvedUntilMs))
      return (await readers.callUnrefused('planSearchIndex', parameters)) as IndexPlan | undefined;
    const plan = (await background.call('planSearchIndex', parameters)) as IndexPlan | undefined;
    const nowMs = performance.now();
    if (pace === 'prompt' && nowMs - askedAtMs > STARVED_MS) isStarvedUntilMs = nowMs + STARVED_FOR_MS;
    return plan;
  };
}

/** A small step has work for 30 ms. */
const STARVED_MS = 500;
const STARVED_FOR_MS = 60_000;

/** A span takes some 0.2 ms to read: where a small step is among the reads of others, it keeps them waiting for some 20 ms. */
const STEPS: Readonly<Record<SearchIndexPace, StepBounds>> = {
  prompt: { arrivedCount: 128, changedCount: 32, milliseconds: 30 },
  patient: { arrivedCount: 256, changedCount: 128, milliseconds: 250 },
};
