import { expect, it, onTestFinished } from 'vitest';
import type { JobId } from '../jobs/job.ts';
import { coordinateAlone } from './alone.ts';

it('runs the jobs of a server that has its data for itself, also of those that are started, paused and resumed later', async () => {
  const log: string[] = [];
  let jobs: readonly JobId[] = [{ id: 1, kind: 'search' }];
  let failures = 1;
  const coordination = coordinateAlone(
    async () => {
      if (failures-- > 0) throw new Error('the thread died');
      return jobs;
    },
    (message) => log.push(message),
  );
  for (const kind of ['search', 'reindex'] as const) {
    coordination.serve(kind, (id) => ({
      wake: () => log.push(`wake ${id}`),
      stop: async () => void log.push(`stop ${id}`),
    }));
  }
  await expect.poll(() => coordination.isRunning('search')).toBe(true);
  expect(log).toEqual(['jobs could not be checked']);
  coordination.wake('search');
  jobs = [{ id: 2, kind: 'reindex' }];
  coordination.announce('reindex');
  await expect.poll(() => coordination.isRunning('reindex')).toBe(true);
  expect(coordination.isRunning('search')).toBe(false);
  await coordination.close();
  expect(log.slice(1)).toEqual(['wake 1', 'stop 1', 'stop 2']);
});

it('begins a job again that was paused and resumed while its last step was under way', async () => {
  const step = Promise.withResolvers<void>();
  let begun = 0;
  let jobs: readonly JobId[] = [{ id: 1, kind: 'reindex' }];
  const coordination = coordinateAlone(
    async () => jobs,
    () => undefined,
  );
  onTestFinished(() => coordination.close());
  coordination.serve('reindex', () => {
    begun += 1;
    return { wake: () => undefined, stop: () => (begun === 1 ? step.promise : Promise.resolve()) };
  });
  await expect.poll(() => begun).toBe(1);
  jobs = [];
  coordination.announce('reindex');
  await expect.poll(() => coordination.isRunning('reindex')).toBe(false);
  jobs = [{ id: 1, kind: 'reindex' }];
  coordination.announce('reindex');
  step.resolve();
  await expect.poll(() => begun).toBe(2);
});
