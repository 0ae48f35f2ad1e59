import type { Caller } from '#domain/caller';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Coordination } from '../coordination/port.ts';
import type { StoreThreads } from '../store-threads.ts';
import { searchJob, type SearchJobOptions } from '../search/search-job.ts';
import { planWhereIdle } from '../search/plan-where-idle.ts';

/** How fast texts are indexed, and who is told of it. */
export type SearchIndexing = Pick<SearchJobOptions, 'restRatio' | 'busyRestRatio' | 'onStep'>;

/** The search index as every server has it, whichever keeps it up. */
export interface SearchIndex {
  /** Something was stored: the server that keeps it up looks soon, if it is this one. Others hear of it by themselves. */
  noteStored(): void;
  /** Makes a damaged part whole, soon. */
  mend(part: number): Promise<void>;
  /** Begins to index everything again, or joins what is under way. */
  rebuild(caller: Caller): Promise<void>;
  /** The same, and returns when nothing is left of it. */
  rebuildWholly(caller: Caller): Promise<void>;
}

/** Keeps the search index up with these threads, while this server holds that job. */
export function coordinateSearch(
  indexing: SearchIndexing,
  { writer, readers, background }: StoreThreads,
  coordination: Coordination,
  onError: (error: unknown) => void,
): SearchIndex {
  const plan = planWhereIdle({
    planAmongReads: (bounds) => readers.callUnrefused('planSearchIndex', [bounds]),
    planInBackground: (bounds) => background.call('planSearchIndex', [bounds]),
    isDue: () => readers.callUnrefused('isSearchIndexDue', []),
    isBackgroundBusy: () => background.pendingCount > 0,
  });
  coordination.serve('search', () =>
    searchJob({
      ...indexing,
      plan,
      store: (step) => writer.call('storeSearchIndex', [step]),
      isBusy: () => writer.pendingCount > 0,
      onError,
    }),
  );
  const noteStored = () => {
    if (coordination.isRunning('search')) coordination.wake('search');
  };
  // What other servers store.
  coordination.onMessage(({ kind }) => {
    if (kind === 'touched') noteStored();
  });
  const rebuild = async (caller: Caller) => {
    await writer.call('rebuildSearchIndex', [caller]);
    coordination.wake('search');
  };
  return {
    noteStored,
    mend: async (part) => {
      await writer.call('suspectSearchPart', [part]);
      coordination.wake('search');
    },
    rebuild,
    rebuildWholly: async (caller) => {
      await rebuild(caller);
      while ((await writer.call('searchProgress', [])).rebuild !== null) await sleep(POLL_MS);
    },
  };
}

const POLL_MS = 200;
