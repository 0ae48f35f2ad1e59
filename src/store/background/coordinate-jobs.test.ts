import { ANONYMOUS } from '#domain/caller';
import { expect, it, onTestFinished } from 'vitest';
import { Gate } from '#base/gate';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { coordinateAlone } from '../coordination/alone.ts';
import { cancelJob, findRunningJobs, pauseJob, resumeJob } from '../jobs/job-rows.ts';
import { openTestWriter, spansOf } from '../logs/write/open-writer.fixture.ts';
import { passJob } from '../reindex/pass-job.ts';
import { advanceReindex, beginReindex, loadReindexState } from '../reindex/state.ts';
import { coordinateJobs } from './coordinate-jobs.ts';

const SPANS = 500;

/** A pass over stored spans that takes one of them at a step, with the jobs as a server has them. */
async function open() {
  const { db, writer } = await openTestWriter();
  // As in the writer's thread: what uses the connection runs alone.
  const gate = new Gate();
  const change: typeof writer.change = (work) => gate.run(() => writer.change(work));
  const spans = Array.from({ length: SPANS }, (_, place) => ({ traceId: traceId(1), spanId: spanId(place + 1) }));
  await writer.write([spansOf(spans)]);
  const counts = { plans: 0 };
  const loadState = () => gate.run(() => loadReindexState(db));
  const coordination = coordinateAlone(
    () => gate.run(() => findRunningJobs(db)),
    (message, cause) => {
      throw new Error(message, { cause });
    },
  );
  onTestFinished(() => coordination.close());
  coordination.serve('reindex', () =>
    passJob({
      what: 'read',
      load: async () => (await loadState()).job,
      renew: (interrupted) => interrupted,
      plan: async ({ nextRowId }) => {
        counts.plans += 1;
        return { nextRowId: nextRowId + 1, readCount: 1, changedRowIds: [], failedCount: 0 };
      },
      apply: async () => undefined,
      advance: (before, after) => change((under) => advanceReindex(under.db, before, after)),
      isBusy: () => false,
      restRatio: 1,
      onStep: () => undefined,
      onError: (message, cause) => {
        throw new Error(message, { cause });
      },
    }),
  );
  const jobs = coordinateJobs(
    {
      pauseJob: (_caller, { id }) => change((under) => pauseJob(under.db, id)),
      resumeJob: (_caller, { id }, budget) => change((under) => resumeJob(under.db, id, budget)),
      cancelJob: (_caller, { id }) => change((under) => cancelJob(under.db, id, 1)),
    },
    coordination,
  );
  const begun = await change((under) => beginReindex(under.db, 0));
  coordination.announce('reindex');
  const readCount = async () => (await loadState()).job?.readCount ?? 0;
  await expect.poll(readCount, { interval: 5 }).toBeGreaterThan(3);
  return { jobs, coordination, counts, readCount, job: { id: begun.jobId, kind: 'reindex' } as const };
}

it('pauses a job within a second, and resumes it where it was', async () => {
  const { jobs, coordination, readCount, job } = await open();
  const pausedAt = performance.now();
  expect(await jobs.pause(ANONYMOUS, job)).toBe(true);
  const paused = await readCount();
  await expect.poll(() => coordination.isRunning('reindex'), { interval: 5 }).toBe(false);
  expect(performance.now() - pausedAt).toBeLessThan(1000);
  expect(await readCount()).toBe(paused);
  expect(await jobs.resume(ANONYMOUS, job)).toBe(true);
  await expect.poll(readCount, { interval: 5 }).toBe(SPANS);
});

it('cancels a job within a second, and no step of it holds any more', async () => {
  const { jobs, coordination, readCount, job } = await open();
  const cancelledAt = performance.now();
  expect(await jobs.cancel(ANONYMOUS, job)).toBe(true);
  const done = await readCount();
  await expect.poll(() => coordination.isRunning('reindex'), { interval: 5 }).toBe(false);
  expect(performance.now() - cancelledAt).toBeLessThan(1000);
  expect([await readCount(), await jobs.resume(ANONYMOUS, job)]).toEqual([done, false]);
  expect(done).toBeLessThan(SPANS);
});

it('works no longer on a job whose budget is used up, until it is resumed', async () => {
  const { jobs, counts, readCount, job } = await open();
  await jobs.pause(ANONYMOUS, job);
  const paused = await readCount();
  expect(await jobs.resume(ANONYMOUS, job, { spans: 5 })).toBe(true);
  await expect.poll(readCount, { interval: 5 }).toBeGreaterThanOrEqual(paused + 5);
  const [done, plans] = [await readCount(), counts.plans];
  expect(await jobs.pause(ANONYMOUS, job)).toBe(false);
  // What it knew of the job is one step old at most; then it finds that the job is paused.
  for (let look = 0; look < 100; look++) expect(await readCount()).toBe(done);
  expect(counts.plans - plans).toBeLessThanOrEqual(1);
  expect(await jobs.resume(ANONYMOUS, job, { spans: 10 * SPANS })).toBe(true);
  await expect.poll(readCount, { interval: 5 }).toBe(SPANS);
});
