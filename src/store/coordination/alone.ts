import type { Coordination, JobName, LedJob } from './port.ts';

/** That of a server that has its data for itself: it leads everything, from the first moment on, and tells nobody. */
export function coordinateAlone(): Coordination {
  const led = new Map<JobName, LedJob>();
  return {
    lead: (job, begin) => void led.set(job, begin()),
    isLeading: (job) => led.has(job),
    wake: (job) => led.get(job)?.wake?.(),
    tell: () => undefined,
    onMessage: () => undefined,
    outdated: Promise.withResolvers<string>().promise,
    close: async () => {
      const jobs = [...led.values()];
      led.clear();
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}
