import { describe, expect, it } from 'vitest';
import { AppError } from '#base/errors';
import { NORMALIZER_VERSION } from '#normalize/version';
import { progressOf, Reindexer, type ReindexerOptions } from './reindexer.ts';
import type { ReindexJob } from './state.ts';

const NEW: ReindexJob = {
  version: NORMALIZER_VERSION,
  firstRowId: 1,
  endRowId: 1001,
  nextRowId: 1,
  readCount: 0,
  changedCount: 0,
  failedCount: 0,
  startedAtUs: 1,
  finishedAtUs: null,
};

/** Storage of a thousand spans of which every tenth changes. */
function storage(options: Partial<ReindexerOptions> = {}) {
  const applied: number[] = [];
  const saved: ReindexJob[] = [];
  const errors: string[] = [];
  const reindexer = new Reindexer({
    load: async () => ({ isStale: true, job: null }),
    newJob: async () => NEW,
    plan: async (from, end) => {
      const nextRowId = Math.min(from + 200, end);
      const rowIds = Array.from({ length: nextRowId - from }, (_, place) => from + place);
      return {
        nextRowId,
        readCount: rowIds.length,
        changedRowIds: rowIds.filter((id) => id % 10 === 0),
        failedCount: 0,
      };
    },
    apply: async (rowIds, job) => {
      applied.push(...rowIds);
      if (job !== null) saved.push(job);
    },
    isBusy: () => false,
    restRatio: 0,
    onStep: () => undefined,
    onError: (message) => errors.push(message),
    ...options,
  });
  return { reindexer, applied, saved, errors };
}

const EVERY_TENTH = Array.from({ length: 100 }, (_, place) => 10 * (place + 1));

describe('reading stored spans anew', () => {
  it('goes through all of them, and saves how far it is after each part', async () => {
    const { reindexer, applied, saved } = storage();
    expect((await reindexer.resume()).isStale).toBe(true);
    const job = await reindexer.start();
    expect(job.finishedAtUs).toBeNull();
    await reindexer.finished();
    expect(applied).toEqual(EVERY_TENTH);
    expect(saved.map(progressOf)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(reindexer.state).toMatchObject({
      isStale: false,
      job: { readCount: 1000, changedCount: 100, failedCount: 0 },
    });
    expect(reindexer.state.job?.finishedAtUs).toBeGreaterThan(0);
  });

  it('is joined by who starts it again', async () => {
    const { reindexer, applied } = storage();
    await Promise.all([reindexer.start(), reindexer.start()]);
    await reindexer.start();
    await reindexer.finished();
    expect(applied).toEqual(EVERY_TENTH);
  });

  it('goes on where it was interrupted', async () => {
    const { reindexer, applied } = storage({
      load: async () => ({ isStale: true, job: { ...NEW, nextRowId: 901, readCount: 900 } }),
    });
    await reindexer.resume();
    await reindexer.finished();
    expect(applied).toEqual([910, 920, 930, 940, 950, 960, 970, 980, 990, 1000]);
    expect(reindexer.state.job?.readCount).toBe(1000);
  });

  it('begins anew where another version was interrupted', async () => {
    const interrupted = { ...NEW, version: NORMALIZER_VERSION - 1, nextRowId: 901 };
    const { reindexer, applied } = storage({ load: async () => ({ isStale: true, job: interrupted }) });
    await reindexer.resume();
    await reindexer.finished();
    expect(applied).toEqual(EVERY_TENTH);
  });

  it('does nothing about a job that is finished', async () => {
    const { reindexer, applied } = storage({
      load: async () => ({ isStale: false, job: { ...NEW, finishedAtUs: 2 } }),
    });
    await reindexer.resume();
    await reindexer.finished();
    expect(applied).toEqual([]);
  });

  it('leaves out a span that cannot be read anew, and only that', async () => {
    const applied: number[] = [];
    const { reindexer, errors } = storage({
      apply: async (rowIds) => {
        if (rowIds.includes(500)) throw new Error('broken');
        applied.push(...rowIds);
      },
    });
    await reindexer.start();
    await reindexer.finished();
    expect(applied).toEqual(EVERY_TENTH.filter((id) => id !== 500));
    expect(errors).toEqual(['span 500 could not be read anew']);
    expect(reindexer.state.job).toMatchObject({ failedCount: 1, readCount: 1000 });
  });

  it('tries again where the storage fails', async () => {
    let failures = 1;
    const { reindexer, errors } = storage({
      plan: async (_from, end) => {
        if (failures-- > 0) throw new AppError('unavailable', 'gone for a moment');
        return { nextRowId: end, readCount: 1, changedRowIds: [], failedCount: 0 };
      },
    });
    await reindexer.start();
    await reindexer.finished();
    expect(errors).toHaveLength(1);
    expect(reindexer.state.job?.finishedAtUs).not.toBeNull();
  });

  it('waits while the writer is busy, but not for ever', async () => {
    let asked = 0;
    const { reindexer, applied } = storage({ isBusy: () => ++asked > 0 });
    await reindexer.start();
    await reindexer.finished();
    expect(applied).toEqual(EVERY_TENTH);
    expect(asked).toBeGreaterThan(100);
  }, 20_000);

  it('stops at the end of what was begun', async () => {
    const { reindexer, saved } = storage({ restRatio: 1e6 });
    await reindexer.start();
    await reindexer.stop();
    const [last] = saved.slice(-1);
    expect(last?.finishedAtUs).toBeNull();
  });
});
