import { describe, expect, it } from 'vitest';
import { AppError } from '#base/errors';
import { NORMALIZER_VERSION } from '#normalize/version';
import { passJob, type PassOptions, progressOf } from './pass-job.ts';
import type { ReindexJob } from './state.ts';

const NEW: ReindexJob = {
  jobId: 1,
  version: NORMALIZER_VERSION,
  firstRowId: 1,
  endRowId: 1001,
  nextRowId: 1,
  readCount: 0,
  changedCount: 0,
  failedCount: 0,
  startedAtUs: 1,
  finishedAtUs: null,
  isPaused: false,
};

/** Storage of a thousand spans of which every tenth changes, and the job that it has saved. */
function storage(first: ReindexJob | null, options: Partial<PassOptions<ReindexJob>> = {}) {
  const applied: number[] = [];
  const saved: ReindexJob[] = first === null ? [] : [first];
  const errors: string[] = [];
  const lead = () =>
    passJob<ReindexJob>({
      what: 'read',
      load: async () => saved.at(-1) ?? null,
      renew: (interrupted) => (interrupted.version === NORMALIZER_VERSION ? interrupted : NEW),
      plan: async ({ nextRowId: from, endRowId: end }) => {
        const nextRowId = Math.min(from + 200, end);
        const rowIds = Array.from({ length: nextRowId - from }, (_, place) => from + place);
        return {
          nextRowId,
          readCount: rowIds.length,
          changedRowIds: rowIds.filter((id) => id % 10 === 0),
          failedCount: 0,
        };
      },
      apply: async (rowIds) => void applied.push(...rowIds),
      advance: async (before, after) => {
        const isHeld = before === saved.at(-1);
        if (isHeld) saved.push(after);
        return isHeld;
      },
      isBusy: () => false,
      restRatio: 0,
      onStep: () => undefined,
      onError: (message) => errors.push(message),
      ...options,
    });
  return { lead, applied, saved, errors };
}

const EVERY_TENTH = Array.from({ length: 100 }, (_, place) => 10 * (place + 1));

describe('reading stored spans again', () => {
  it('goes through all of them, and saves how far it is after each part', async () => {
    const { lead, applied, saved } = storage(NEW);
    await lead().idle();
    expect(applied).toEqual(EVERY_TENTH);
    expect(saved.map(progressOf)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(saved.at(-1)).toMatchObject({ readCount: 1000, changedCount: 100, failedCount: 0 });
    expect(saved.at(-1)?.finishedAtUs).toBeGreaterThan(0);
  });

  it('begins when somebody has begun a job, and does it once', async () => {
    const { lead, applied, saved } = storage(null);
    const job = lead();
    await job.idle();
    saved.push(NEW);
    job.wake();
    job.wake();
    await job.idle();
    job.wake();
    await job.idle();
    await lead().idle();
    expect(applied).toEqual(EVERY_TENTH);
  });

  it('goes on where it was interrupted', async () => {
    const { lead, applied, saved } = storage({ ...NEW, nextRowId: 901, readCount: 900 });
    await lead().idle();
    expect(applied).toEqual([910, 920, 930, 940, 950, 960, 970, 980, 990, 1000]);
    expect(saved.at(-1)?.readCount).toBe(1000);
  });

  it('begins again where another version was interrupted', async () => {
    const { lead, applied } = storage({ ...NEW, version: NORMALIZER_VERSION - 1, nextRowId: 901 });
    await lead().idle();
    expect(applied).toEqual(EVERY_TENTH);
  });

  it('does nothing about a job that is finished', async () => {
    const { lead, applied } = storage({ ...NEW, finishedAtUs: 2 });
    await lead().idle();
    expect(applied).toEqual([]);
  });

  it('does nothing about a job that is paused', async () => {
    const { lead, applied } = storage({ ...NEW, isPaused: true });
    await lead().idle();
    expect(applied).toEqual([]);
  });

  it('goes on from where somebody else is who leads it by now', async () => {
    const other = { ...NEW, nextRowId: 801, readCount: 800 };
    const { lead, applied, saved } = storage(NEW, {
      apply: async (rowIds) => {
        if (applied.push(...rowIds) === 40) saved.push(other);
      },
    });
    await lead().idle();
    expect(applied).toEqual(EVERY_TENTH.filter((id) => id <= 400 || id > 800));
    expect(saved.at(-1)).toMatchObject({ readCount: 1000, finishedAtUs: expect.any(Number) as number });
  });

  it('leaves out a span that cannot be read again, and only that', async () => {
    const applied: number[] = [];
    const { lead, saved, errors } = storage(NEW, {
      apply: async (rowIds) => {
        if (rowIds.includes(500)) throw new Error('broken');
        applied.push(...rowIds);
      },
    });
    await lead().idle();
    expect(applied).toEqual(EVERY_TENTH.filter((id) => id !== 500));
    expect(errors).toEqual(['span 500 could not be read again']);
    expect(saved.at(-1)).toMatchObject({ failedCount: 1, readCount: 1000 });
  });

  it('tries again where the storage fails', async () => {
    let failures = 1;
    const { lead, saved, errors } = storage(NEW, {
      plan: async ({ endRowId: end }) => {
        if (failures-- > 0) throw new AppError('unavailable', 'gone for a moment');
        return { nextRowId: end, readCount: 1, changedRowIds: [], failedCount: 0 };
      },
    });
    await lead().idle();
    expect(errors).toHaveLength(1);
    expect(saved.at(-1)?.finishedAtUs).not.toBeNull();
  });

  it('waits while the writer is busy, but not for ever', async () => {
    let asked = 0;
    const { lead, applied } = storage(NEW, { isBusy: () => ++asked > 0 });
    await lead().idle();
    expect(applied).toEqual(EVERY_TENTH);
    expect(asked).toBeGreaterThan(100);
  }, 20_000);

  it('stops at the end of what was begun', async () => {
    const { lead, saved } = storage(NEW, { restRatio: 1e6 });
    await lead().stop();
    expect(saved.at(-1)?.finishedAtUs).toBeNull();
  });
});
