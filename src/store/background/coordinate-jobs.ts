import type { Caller } from '#domain/caller';
import type { Coordination } from '../coordination/port.ts';
import type { JobBudget, JobId } from '../jobs/job.ts';
import { orUnavailable } from '../threads/or-unavailable.ts';
import type { WriterCalls } from '../writer-calls.ts';

/** Jobs as every server has them, whichever works on them. Each change says whether the job could be changed like that. */
export interface Jobs {
  /** Lets nobody work on the job until it is resumed. */
  pause(caller: Caller, job: JobId): Promise<boolean>;
  /** Has it go on where it was; a budget that it is given replaces the one before. */
  resume(caller: Caller, job: JobId, budget?: JobBudget): Promise<boolean>;
  /** Ends it where it is: no step of it holds any more. Standing jobs are refused. */
  cancel(caller: Caller, job: JobId): Promise<boolean>;
}

/** Changes what the writer keeps of jobs, and announces it. */
export function coordinateJobs(
  writer: Pick<WriterCalls, 'pauseJob' | 'resumeJob' | 'cancelJob'>,
  coordination: Pick<Coordination, 'announce' | 'wake'>,
): Jobs {
  const change = async (job: JobId, changed: Promise<boolean>) => {
    const isChanged = await orUnavailable(changed);
    if (isChanged) coordination.announce(job.kind);
    return isChanged;
  };
  return {
    pause: (caller, job) => change(job, writer.pauseJob(caller, job)),
    resume: async (caller, job, budget) => {
      const isResumed = await change(job, writer.resumeJob(caller, job, budget));
      // One whose budget was used up may still be held, and idle.
      if (isResumed) coordination.wake(job.kind);
      return isResumed;
    },
    cancel: (caller, job) => change(job, writer.cancelJob(caller, job)),
  };
}
