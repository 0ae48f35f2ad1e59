import { setTimeout as sleep } from 'node:timers/promises';
import type { Coordination } from '../coordination/port.ts';
import type { StoreThreads } from '../store-threads.ts';
import { SearchIndexer, type SearchIndexerOptions } from '../search/indexer.ts';
import { planWhereIdle } from '../search/plan-where-idle.ts';

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
  { writer, readers, background }: StoreThreads,
  coordination: Coordination,
  onError: (error: unknown) => void,
): SearchIndex {
  const plan = planWhereIdle({
    planAmongReads: (bounds) => readers.callUnrefused('planSearchIndex', [bounds]),
    planInBackground: (bounds) => background.call('planSearchIndex', [bounds]),
    isBackgroundBusy: () => background.pendingCount > 0,
  });
  coordination.lead('search', () => {
    const indexer = new SearchIndexer({
      ...indexing,
      plan,
      store: (plan) => writer.call('storeSearchIndex', [plan]),
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
      while ((await writer.call('searchProgress', [])).rebuild !== null) await sleep(POLL_MS);
    },
  };
}

const POLL_MS = 200;
