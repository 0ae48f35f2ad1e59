import { beforeEach, describe, expect, it } from 'vitest';
import { openTestEngine } from '../engine/open-test-engine.fixture.ts';
import type { TestEngine } from '../engine/test-engine.fixture.ts';
import type { JobBudget } from './job.ts';
import { advanceJob, beginJob, cancelJob, findLastJob, findRunningJobs, pauseJob, resumeJob } from './job-rows.ts';

let engine: TestEngine;

beforeEach(async () => {
  engine = await openTestEngine();
});

interface At {
  readonly at: number;
}

describe('a job', () => {
  const begin = (budget?: JobBudget) =>
    beginJob(engine.db, { kind: 'reindex', input: {}, progress: { at: 0 }, nowUs: 7, ...(budget && { budget }) });
  const step = (id: number, from: number, to: number, more: { spent?: JobBudget; isLast?: boolean } = {}) => {
    const { spent = {}, isLast = false } = more;
    const end = { result: { done: 3, skipped: 2, failed: 1 }, nowUs: 9 };
    return advanceJob(engine.db, id, { at: from }, { input: {}, progress: { at: to }, spent, ...(isLast && { end }) });
  };
  const last = () => findLastJob<unknown, At>(engine.db, 'reindex');
  const runningKinds = async () => (await findRunningJobs(engine.db)).map(({ kind }) => kind);

  it('is begun once at a time, and again when it is over', async () => {
    const first = await begin();
    expect(first).toMatchObject({ kind: 'reindex', state: 'running', startedAtUs: 7, finishedAtUs: null });
    expect(await begin()).toEqual(first);
    expect(await step(first.id, 0, 5, { isLast: true })).toBe(true);
    expect(await last()).toMatchObject({ state: 'done', result: { done: 3, skipped: 2, failed: 1 }, finishedAtUs: 9 });
    expect((await begin()).id).not.toBe(first.id);
  });

  it('goes on by a step once, however often the step comes', async () => {
    const { id } = await begin();
    expect([await step(id, 0, 1), await step(id, 0, 1), await step(id, 1, 2)]).toEqual([true, false, true]);
    expect((await last())?.progress).toEqual({ at: 2 });
  });

  it('stands still while it is paused, and goes on where it was', async () => {
    const { id } = await begin();
    expect(await pauseJob(engine.db, id)).toBe(true);
    expect([await pauseJob(engine.db, id), await step(id, 0, 1)]).toEqual([false, false]);
    expect(await runningKinds()).not.toContain('reindex');
    expect(await resumeJob(engine.db, id)).toBe(true);
    expect(await runningKinds()).toContain('reindex');
    expect(await step(id, 0, 1)).toBe(true);
  });

  it('takes no step once it is cancelled', async () => {
    const { id } = await begin();
    await step(id, 0, 1);
    expect(await cancelJob(engine.db, id, 8)).toBe(true);
    expect([await step(id, 1, 2), await resumeJob(engine.db, id), await cancelJob(engine.db, id, 8)]).toEqual([
      false,
      false,
      false,
    ]);
    expect(await last()).toMatchObject({ state: 'cancelled', progress: { at: 1 }, finishedAtUs: 8 });
  });

  it('is paused when its budget is used up, until it is given another', async () => {
    const { id } = await begin({ calls: 5 });
    await step(id, 0, 1, { spent: { calls: 4 } });
    expect((await last())?.state).toBe('running');
    await step(id, 1, 2, { spent: { calls: 1 } });
    expect(await last()).toMatchObject({ state: 'paused', error: 'The budget of 5 calls is used up.' });
    await resumeJob(engine.db, id, { calls: 2 });
    await step(id, 2, 3, { spent: { calls: 1 } });
    expect(await last()).toMatchObject({ state: 'running', error: null });
  });

  it('that stands is there from the beginning, is paused and resumed, and never ends', async () => {
    expect((await runningKinds()).toSorted()).toEqual([
      'columns',
      'compaction',
      'removal',
      'retention',
      'search',
      'verification',
    ]);
    const [standing] = await findRunningJobs(engine.db);
    const id = standing?.id ?? 0;
    expect([await cancelJob(engine.db, id, 8), await pauseJob(engine.db, id)]).toEqual([false, true]);
    expect(await runningKinds()).toHaveLength(5);
    expect(await resumeJob(engine.db, id)).toBe(true);
  });
});
