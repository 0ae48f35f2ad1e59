import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { searchJob, type SearchIndexStep, type SearchJobOptions } from './search-job.ts';
import type { IndexPlan } from './plan-index.ts';
import type { SearchProgress } from '../texts/progress.ts';

let indexer: ReturnType<typeof searchJob> | undefined;

afterEach(() => indexer?.stop());

/** An index of so many spans that wait, ten of which are indexed at a time. */
function open({ beforePlan, ...overrides }: Partial<SearchJobOptions> & { beforePlan?: () => Promise<void> } = {}) {
  const state = { next: 0, end: 0, rebuild: null as SearchProgress['rebuild'] };
  const steps: SearchIndexStep[] = [];
  const errors: unknown[] = [];
  const options: SearchJobOptions = {
    plan: async () => {
      await beforePlan?.();
      if (state.next === state.end && state.rebuild === null) return undefined;
      const next = Math.min(state.next + 10, state.end);
      const again = state.rebuild;
      const rest =
        again && again.nextRowId + 10 < again.endRowId ? { ...again, nextRowId: again.nextRowId + 10 } : null;
      return {
        ...EMPTY,
        before: { nextRowId: state.next, rebuild: again, nextSegment: 1 },
        after: { nextRowId: next, rebuild: rest },
        spanCount: next - state.next,
        pendingCount: state.end - next,
        hasMore: next < state.end || rest !== null,
      };
    },
    store: async ({ before, after }) => {
      if (before.nextRowId !== state.next) return false;
      state.next = after.nextRowId;
      state.rebuild = after.rebuild;
      return true;
    },
    isBusy: () => false,
    onStep: (step) => steps.push(step),
    onError: (error) => errors.push(error),
    restRatio: 0,
    busyRestRatio: 0,
    ...overrides,
  };
  indexer = searchJob(options);
  return { state, steps, errors, indexer };
}

const EMPTY: Omit<IndexPlan, 'before' | 'after'> = {
  isMending: false,
  clearedParts: [],
  lastQueuedId: 0,
  rows: [],
  removedRowIds: [],
  segments: [],
  times: [],
  spanCount: 0,
  failedCount: 0,
  characterCount: 0,
  pendingCount: 0,
  hasMore: false,
};

describe('keeping the index up', () => {
  it('indexes soon after something was stored, step by step, and says what waits', async () => {
    const { state, steps, indexer: opened } = open();
    state.end = 25;
    opened.wake();
    await vi.waitFor(() => expect(state.next).toBe(25));
    expect(steps.map((step) => step.pendingCount)).toEqual([15, 5, 0]);
  });

  it('is not put off by what goes on being stored', async () => {
    const { state, indexer: opened } = open();
    const storing = setInterval(() => {
      state.end++;
      opened.wake();
    }, 5);
    await vi.waitFor(() => expect(state.next).toBeGreaterThan(0), { timeout: 30_000 });
    clearInterval(storing);
  });

  it('plans anew what does not hold any more, and tries again after an error', async () => {
    let refusals = 2;
    let failures = 1;
    const opened = open({
      store: async ({ after }) => {
        if (refusals-- > 0) return false;
        if (failures-- > 0) throw new Error('disk full');
        opened.state.next = after.nextRowId;
        return true;
      },
    });
    opened.state.end = 5;
    opened.indexer.wake();
    await vi.waitFor(() => expect(opened.errors).toHaveLength(1), { timeout: 30_000 });
    opened.indexer.wake();
    await vi.waitFor(() => expect(opened.state.next).toBe(5), { timeout: 30_000 });
  });

  it('waits for the writer, but not for ever', async () => {
    const { state, indexer: opened } = open({ isBusy: () => true });
    state.end = 5;
    opened.wake();
    await vi.waitFor(() => expect(state.next).toBe(5), { timeout: 30_000 });
  });

  it('does not rest from planning what has time', async () => {
    const { state, indexer: opened } = open({ restRatio: 10, beforePlan: () => sleep(20) });
    state.end = 4200;
    opened.wake();
    // With rests, these steps would take nine seconds.
    await vi.waitFor(() => expect(state.next).toBeGreaterThanOrEqual(400), { timeout: 6000 });
  });

  it('rests from planning what has time while somebody stores', async () => {
    const plannedMs: number[] = [];
    const { state, indexer: opened } = open({
      busyRestRatio: 2,
      isBusy: () => true,
      beforePlan: async () => {
        plannedMs.push(performance.now());
        await sleep(200);
      },
    });
    state.end = 4200;
    opened.wake();
    await vi.waitFor(() => expect(plannedMs.length).toBeGreaterThanOrEqual(3), { timeout: 30_000 });
    const [, second = 0, third = 0] = plannedMs;
    // Planning, patience with the writer, and the rest; 450 ms without it.
    expect(third - second).toBeGreaterThan(700);
  });

  it('does not rest for what arrives while a step is stored', async () => {
    let isStored = false;
    const opened = open({
      busyRestRatio: 100,
      isBusy: () => isStored,
      beforePlan: async () => {
        isStored = false;
        await sleep(20);
      },
      store: async ({ after }) => {
        opened.state.next = after.nextRowId;
        isStored = true;
        return true;
      },
    });
    opened.state.end = 4200;
    opened.indexer.wake();
    // With rests, these steps would take a second each.
    await vi.waitFor(() => expect(opened.state.next).toBeGreaterThanOrEqual(400), { timeout: 10_000 });
  });

  it('goes through a pass over everything that somebody began', async () => {
    const { state, indexer: opened } = open();
    state.rebuild = { nextRowId: 0, endRowId: 40 };
    opened.wake();
    await vi.waitFor(() => expect(state.rebuild).toBeNull(), { timeout: 30_000 });
  });
});
