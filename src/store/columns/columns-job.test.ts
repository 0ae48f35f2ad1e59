import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SegmentPlan } from './build-segment.ts';
import { columnsJob } from './columns-job.ts';

const EVERY_MS = 2000;

/** A store of which only the numbers of segments matter. */
let due: number[];
let changed: Map<number, string>;
let unopened: number;
let built: number[];
let lag: number[];
let errors: unknown[];
let isBusy: boolean;
let holds: boolean;
let failure: Error | undefined;
let broken: number | undefined;
let job: ReturnType<typeof columnsJob>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  [due, changed, unopened, built, lag, errors, isBusy, holds] = [[], new Map(), 0, [], [], [], false, true];
  [failure, broken] = [undefined, undefined];
  job = columnsJob({
    findDue: async (leftOut) => {
      if (failure !== undefined) throw failure;
      const changes = [...changed].map(([segment, state]) => ({ segment, state }));
      return {
        isAnyUnopened: unopened > 0,
        due: due.filter((segment) => !leftOut.includes(segment)),
        changed: changes,
        rowCount: due.length * 4096,
      };
    },
    open: async () => {
      due.push(unopened--);
      return unopened > 0;
    },
    build: async (segment) => {
      if (segment === broken) throw new Error('not to be built');
      return plan(segment);
    },
    store: async ({ head }) => {
      if (!holds) return false;
      due = due.filter((segment) => segment !== head.segment);
      changed.delete(head.segment);
      built.push(head.segment);
      return true;
    },
    isBusy: () => isBusy,
    onBuilt: () => undefined,
    onLag: (rows) => lag.push(rows),
    onError: (error) => errors.push(error),
    everyMs: EVERY_MS,
  });
});

afterEach(async () => {
  await job.stop();
  vi.useRealTimers();
});

describe('keeping segments', () => {
  it('opens and builds what is complete, and says what is left', async () => {
    unopened = 3;
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(built.toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
    expect(lag).toEqual([3 * 4096, 0]);
  });

  it('builds a changed segment anew once it is quiet', async () => {
    changed.set(7, 'a');
    await vi.advanceTimersByTimeAsync(2 * EVERY_MS);
    changed.set(7, 'b');
    await vi.advanceTimersByTimeAsync(2 * EVERY_MS);
    expect(built).toEqual([]);
    await vi.advanceTimersByTimeAsync(3 * EVERY_MS);
    expect(built).toEqual([7]);
  });

  it('builds one that is never quiet now and then', async () => {
    for (let look = 0; look < 40; look++) {
      changed.set(7, String(look));
      await vi.advanceTimersByTimeAsync(EVERY_MS);
    }
    expect(built).toEqual([7]);
  });

  it('waits a moment for the writer, but not for ever', async () => {
    due = [1];
    isBusy = true;
    await vi.advanceTimersByTimeAsync(EVERY_MS + 100);
    expect(built).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(built).toEqual([1]);
  });

  it('tries again at the next look where somebody else was first, or something failed', async () => {
    due = [1];
    holds = false;
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    failure = new Error('the disk is gone');
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(errors).toEqual([failure]);
    [failure, holds] = [undefined, true];
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(built).toEqual([1]);
  });

  it('builds the others where one cannot be built, which it leaves out for a while', async () => {
    due = [1, 2, 3];
    broken = 1;
    await vi.advanceTimersByTimeAsync(3 * EVERY_MS);
    expect([built, errors]).toEqual([[2, 3], [new Error('not to be built')]]);
    broken = undefined;
    await vi.advanceTimersByTimeAsync(11 * 60_000);
    expect(built).toEqual([2, 3, 1]);
  });

  it('builds all that is due when it is told to', async () => {
    due = [1, 2, 3];
    await job.catchUp();
    expect(built).toEqual([1, 2, 3]);
  });

  it('does nothing more once it is stopped', async () => {
    due = [1];
    await job.stop();
    await vi.advanceTimersByTimeAsync(5 * EVERY_MS);
    expect(built).toEqual([]);
  });
});

function plan(segment: number): SegmentPlan {
  const head = { segment, build: 0, rowCount: 1, minStartUs: 0, maxStartUs: 0, projectRowIds: [1] };
  return { head, chunks: [], changes: [], cpuSeconds: 0 };
}
