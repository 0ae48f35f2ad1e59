import { setTimeout as sleep } from 'node:timers/promises';
import type { Coordination } from '../coordination/port.ts';
import type { ReaderPool } from '../threads/reader-pool.ts';
import type { Thread } from '../threads/thread.ts';
import { SearchIndexer, type SearchIndexerOptions, type SearchIndexPace } from './indexer.ts';
import type { IndexPlan, StepBounds } from './plan-index.ts';
import type { SearchProgress } from './progress.ts';

/** How fast texts are indexed, and who is told of it. */
export type SearchIndexing = Pick<SearchIndexerOptions, 'restRatio' | 'onStep'>;

/** The search index as every server has it, whichever keeps it up. */
export interface SearchIndex {
  /** Something was stored: the server that keeps it up looks soon, if it is this one. Others hear of it by themselves. */
  noteStored(): void;
  /** Begins to index everything anew, or joins what is under way. */
  rebuild(): Promise<void>;
  /** The same, and returns when nothing is left of it. */
  rebuildWholly(): Promise<void>;
}

/** Keeps the search index up with these threads, while this server leads that. */
export function coordinateSearch(
  indexing: SearchIndexing,
  {
    writer,
    readers,
    background,
  }: { readonly writer: Thread; readonly readers: ReaderPool; readonly background: Thread },
  coordination: Coordination,
  onError: (error: unknown) => void,
): SearchIndex {
  const plan = planner(readers, background);
  coordination.lead('search', () => {
    const indexer = new SearchIndexer({
      ...indexing,
      plan,
      store: (plan) => writer.call('storeSearchIndex', [plan]) as Promise<boolean>,
      isBusy: () => writer.pendingCount > 0,
      onError,
    });
    return {
      wake: () => indexer.wake(),
      stop: async () => {
        await indexer.stop();
        // Whoever leads next says how many wait.
        indexing.onStep({ spanCount: 0, characterCount: 0, pendingCount: 0 });
      },
    };
  });
  const noteStored = () => {
    if (coordination.isLeading('search')) coordination.wake('search');
  };
  // What other servers store.
  coordination.onMessage(({ kind }) => {
    if (kind === 'touched') noteStored();
  });
  const rebuild = async () => {
    await writer.call('rebuildSearchIndex', []);
    coordination.wake('search');
  };
  return {
    noteStored,
    rebuild,
    rebuildWholly: async () => {
      await rebuild();
      while (((await writer.call('searchProgress', [])) as SearchProgress).rebuild !== null) await sleep(POLL_MS);
    },
  };
}

/**
 * Plans on the thread that gives way, so that no question waits for a step; what has just arrived among the reads of others, where
 * that thread has something long to do, or does not get on because the machine is busy.
 */
function planner(readers: ReaderPool, background: Thread) {
  let isStarvedUntilMs = 0;
  return async (pace: SearchIndexPace): Promise<IndexPlan | undefined> => {
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

const POLL_MS = 200;
