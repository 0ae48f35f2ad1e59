import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { compactionJob } from './compaction-job.ts';
import type { CompactionPlan } from './plan.ts';

const QUIET_MS = 60_000;
const EVERY_MS = 10_000;

/** A database of which only the block numbers matter: each trace waits with one block. */
let waiting: Map<number, number>;
let lastBlockId: number;
let swapped: number[];
let busy: () => boolean;
let planMs: number;
let swappedWhileBusy: number;
let hold: boolean;
let errors: unknown[];
let saved: [before: number, after: number][];
let job: ReturnType<typeof compactionJob>;

/** The test alone moves the clock: nothing waits in truth. */
function untilFakedClockMoves(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  [waiting, lastBlockId, swapped, hold, errors, saved] = [new Map(), 0, [], true, [], []];
  [busy, planMs, swappedWhileBusy] = [() => false, 0, 0];
  job = compactionJob({
    lastBlockId: async () => lastBlockId,
    findQuietTraces: async (quiet) => [...waiting].filter(([, block]) => block <= quiet).map(([trace]) => trace),
    plan: async (traceRowId) => {
      if (planMs > 0) await untilFakedClockMoves(planMs);
      return plan(traceRowId);
    },
    planSettling: async (traceRowId) => plan(traceRowId),
    planDictionary: async () => undefined,
    addDictionary: async () => undefined,
    swap: async (plans) => {
      if (busy()) swappedWhileBusy++;
      if (!hold) return plans.map(() => false);
      for (const { traceRowId } of plans) {
        waiting.delete(traceRowId);
        swapped.push(traceRowId);
      }
      return plans.map(() => true);
    },
    isBusy: () => busy(),
    onCompacted: ({ bytesBefore, bytesAfter }) => saved.push([bytesBefore, bytesAfter]),
    onError: (error) => errors.push(error),
    quietMs: QUIET_MS,
    everyMs: EVERY_MS,
  });
});

afterEach(async () => {
  await job.stop();
  vi.useRealTimers();
});

describe('compaction', () => {
  const arrive = (trace: number) => waiting.set(trace, ++lastBlockId);

  it('waits until a trace has been quiet for as long as it says', async () => {
    arrive(1);
    await vi.advanceTimersByTimeAsync(QUIET_MS);
    expect(swapped).toEqual([]);
    arrive(2);
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(swapped).toEqual([1]);
    expect(saved).toEqual([[100, 10]]);
    await vi.advanceTimersByTimeAsync(QUIET_MS);
    expect(swapped).toEqual([1, 2]);
  });

  it('begins again with a trace to which something was added', async () => {
    arrive(1);
    await vi.advanceTimersByTimeAsync(QUIET_MS - EVERY_MS);
    arrive(1);
    await vi.advanceTimersByTimeAsync(3 * EVERY_MS);
    expect(swapped).toEqual([]);
    await vi.advanceTimersByTimeAsync(QUIET_MS);
    expect(swapped).toEqual([1]);
  });

  it('gives way while the writer is busy', async () => {
    arrive(1);
    busy = () => true;
    await vi.advanceTimersByTimeAsync(3 * QUIET_MS);
    expect(swapped).toEqual([]);
    busy = () => false;
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(swapped).toEqual([1]);
  });

  it('packs between requests that keep the writer busy for moments', async () => {
    for (const trace of [1, 2, 3, 4]) arrive(trace);
    await vi.advanceTimersByTimeAsync(QUIET_MS);
    // A request that takes 40 ms, ten times a second.
    busy = () => performance.now() % 100 < 40;
    planMs = 30;
    await vi.advanceTimersByTimeAsync(EVERY_MS + 2000);
    expect(swapped).toEqual([1, 2, 3, 4]);
    expect(swappedWhileBusy).toBe(0);
  });

  it('tries a plan that did not hold at the next look, not at once', async () => {
    arrive(1);
    hold = false;
    await vi.advanceTimersByTimeAsync(2 * QUIET_MS);
    hold = true;
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(swapped).toEqual([1]);
    expect(saved).toHaveLength(1);
  });

  it('tells of an error and goes on', async () => {
    const fault = new Error('the disk is gone');
    vi.spyOn(waiting, 'delete').mockImplementationOnce(() => {
      throw fault;
    });
    arrive(1);
    await vi.advanceTimersByTimeAsync(QUIET_MS + 2 * EVERY_MS);
    expect(errors).toEqual([fault]);
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(swapped).toContain(1);
  });

  it('does nothing more once it is stopped', async () => {
    arrive(1);
    await job.stop();
    await vi.advanceTimersByTimeAsync(5 * QUIET_MS);
    expect(swapped).toEqual([]);
  });
});

function plan(traceRowId: number): CompactionPlan {
  const nothing = { sources: [], packed: [], bytesBefore: 0 };
  const packed = [{ data: new Uint8Array(10), rawBytes: 1000, dictionaryId: null, rowIds: [traceRowId] }];
  return {
    traceRowId,
    spans: { ...nothing, packed },
    records: nothing,
    settledBlockIds: [],
    bytesBefore: 100,
    bytesAfter: 10,
    cpuSeconds: 0,
  };
}
