import { HeldJobs } from '../jobs/held-jobs.ts';
import type { JobId } from '../jobs/job.ts';
import type { Coordination } from './port.ts';

/**
 * That of a server that has its data for itself: it holds every job that is under way, and tells nobody.
 * @param findJobs those that are neither paused nor over
 */
export function coordinateAlone(
  findJobs: () => Promise<readonly JobId[]>,
  onError: (message: string, error: unknown) => void,
): Coordination {
  const held = new HeldJobs(onError);
  let isClosed = false;
  let looking: Promise<void> | undefined;
  let isAsked = false;
  let retry: NodeJS.Timeout | undefined;
  let retryMs = FIRST_RETRY_MS;
  const look = async () => {
    while (isAsked && !isClosed) {
      isAsked = false;
      try {
        const jobs = await findJobs();
        if (isClosed) break;
        held.hold(jobs);
        retryMs = FIRST_RETRY_MS;
        // One that was resumed meanwhile is begun again when its last step has ended.
        if (held.stoppingIds.length > 0) void held.stopped().then(lookSoon);
      } catch (error) {
        if (isClosed) break;
        onError('jobs could not be checked', error);
        retry = setTimeout(lookSoon, retryMs).unref();
        retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
      }
    }
    looking = undefined;
  };
  const lookSoon = () => {
    isAsked = true;
    looking ??= Promise.resolve().then(look);
  };
  return {
    serve: (kind, begin) => {
      held.serve(kind, begin);
      lookSoon();
    },
    isRunning: (kind) => held.isRunning(kind),
    wake: (kind) => void held.wake(kind),
    announce: lookSoon,
    tell: () => undefined,
    onMessage: () => undefined,
    outdated: Promise.withResolvers<string>().promise,
    close: async () => {
      isClosed = true;
      clearTimeout(retry);
      await looking;
      held.hold([]);
      await held.stopped();
    },
  };
}

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;
