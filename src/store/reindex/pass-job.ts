/**
 * Goes over all stored spans, to read them or to price them again: a reader finds what changes, the writer changes it, a few spans at a
 * time. How far it is is in its job alone: after a restart, or on another server, it goes on from there.
 */
import { AppError } from '#base/errors';
import { isDamage } from '../engine/storage-error.ts';
import { BatchSize } from '../jobs/batch-size.ts';
import { JobLoop, type StepOutcome } from '../jobs/job-loop.ts';
import type { ReindexPlan } from './plan.ts';

/** How far a pass has come. */
export interface PassProgress {
  readonly firstRowId: number;
  /** Exclusive. */
  readonly endRowId: number;
  /** Spans before it are done. */
  readonly nextRowId: number;
  readonly readCount: number;
  /** Spans that were changed. */
  readonly changedCount: number;
  /** Spans that could not be read, and stay as they were. */
  readonly failedCount: number;
}

/** A pass over all spans that were stored when it began. Times are in microseconds since the Unix epoch. */
export interface PassJob extends PassProgress {
  readonly jobId: number;
  readonly startedAtUs: number;
  /** `null` while it is under way. */
  readonly finishedAtUs: number | null;
  /** Whether nobody works on it until it is resumed: somebody paused it, or its budget is used up. */
  readonly isPaused: boolean;
}

/** How things stand. */
export interface PassState<Job extends PassJob> {
  /** Whether some spans were read by other rules than today's. */
  readonly isStale: boolean;
  /** The last pass; `null` before the first. */
  readonly job: Job | null;
}

/** The threads that do the work, and who is told of it. */
export interface PassOptions<Job extends PassJob> {
  /** What it does to spans, as `read` or `priced`: a word for the log. */
  readonly what: string;
  /** The last pass as it was saved; `null` before the first. */
  readonly load: () => Promise<Job | null>;
  /** The job that goes on where another was interrupted; the same one unless it has to start from the beginning. */
  readonly renew: (interrupted: Job) => Job | Promise<Job>;
  /** What changes of the next spans of the job. */
  readonly plan: (job: Job) => Promise<ReindexPlan>;
  /** Changes these spans in one transaction. */
  readonly apply: (spanRowIds: readonly number[]) => Promise<void>;
  /** Saves how far a job is; says whether it was as far as `before` until then. */
  readonly advance: (before: Job, after: Job) => Promise<boolean>;
  /** Whether the writer has something more urgent to do. */
  readonly isBusy: () => boolean;
  /** How long to rest after each part, as a share of the time that it took. */
  readonly restRatio: number;
  readonly onStep: (step: ReindexStep) => void;
  readonly onError: (message: string, error: unknown) => void;
}

/** What one step came to. */
export interface ReindexStep {
  readonly readCount: number;
  readonly changedCount: number;
  /** See {@link progressOf}. */
  readonly progress: number;
}

/** How far a job has come, from 0 to 1, by row ids: where many spans of one time were deleted it jumps. */
export function progressOf({ firstRowId, nextRowId, endRowId }: PassProgress): number {
  return endRowId <= firstRowId ? 1 : (nextRowId - firstRowId) / (endRowId - firstRowId);
}

/** Works on the pass that is under way, until it is finished or stopped. */
export function passJob<Job extends PassJob>(options: PassOptions<Job>): JobLoop<PassStep<Job>> {
  const { isBusy, restRatio, onStep } = options;
  const steps = new PassSteps(options);
  return new JobLoop({
    plan: () => steps.plan(),
    apply: (step) => steps.apply(step),
    isBusy,
    patienceMs: 250,
    firstMs: 0,
    everyMs: () => 30_000,
    restMs: (stepMs) => Math.min(steps.takeWorkedMs(stepMs) * restRatio, MAX_REST_MS),
    retryMs: [1000, 60_000],
    onError: (error) => {
      steps.forget();
      options.onError(`stored spans could not be ${options.what} again for now`, error);
    },
    // The next server says how far it is.
    onStopped: () => onStep({ readCount: 0, changedCount: 0, progress: 1 }),
  });
}

const MAX_REST_MS = 500;

/** What is done of a job at once. */
export interface PassStep<Job extends PassJob> {
  readonly job: Job;
  /** Where it goes on from the beginning. */
  readonly renewed?: Job;
}

class PassSteps<Job extends PassJob> {
  readonly #options: PassOptions<Job>;
  /** Alone a span takes seventeen times what it takes among a hundred, most of it for the transaction. */
  readonly #batch = new BatchSize({ first: 20, least: 10, most: 200, fitMs: 20 });
  /** The job as it was saved last. */
  #job: Job | undefined;
  #workedMs = 0;
  #part: { readonly plan: ReindexPlan; appliedCount: number; failedCount: number } | undefined;

  constructor(options: PassOptions<Job>) {
    this.#options = options;
  }

  /** How long all steps of a plan took together, once the last of them is done; 0 until then. */
  takeWorkedMs(stepMs: number): number {
    this.#workedMs += stepMs;
    if (this.#part !== undefined) return 0;
    const workedMs = this.#workedMs;
    this.#workedMs = 0;
    return workedMs;
  }

  /** Whatever it knew may not hold. */
  forget(): void {
    this.#job = undefined;
    this.#part = undefined;
  }

  async plan(): Promise<PassStep<Job> | undefined> {
    const { load, renew, plan } = this.#options;
    if (this.#job === undefined) {
      const saved = await load();
      if (saved === null || saved.finishedAtUs !== null || saved.isPaused) return undefined;
      const renewed = await renew(saved);
      if (renewed !== saved) return { job: saved, renewed };
      this.#job = saved;
    }
    this.#part ??= { plan: await plan(this.#job), appliedCount: 0, failedCount: 0 };
    return { job: this.#job };
  }

  async apply({ job, renewed }: PassStep<Job>): Promise<StepOutcome> {
    if (renewed !== undefined) return (await this.#options.advance(job, renewed)) ? 'changed' : 'unchanged';
    const part = this.#part;
    if (part === undefined) return 'unchanged';
    const { changedRowIds } = part.plan;
    const next = changedRowIds.slice(part.appliedCount, part.appliedCount + this.#batch.size);
    if (next.length > 0) {
      part.failedCount += await this.#batch.measure(next.length, () => this.#change(next));
      part.appliedCount += next.length;
    }
    return part.appliedCount < changedRowIds.length ? 'changed' : this.#advance(job, part.plan, part.failedCount);
  }

  async #advance(job: Job, plan: ReindexPlan, failedCount: number): Promise<StepOutcome> {
    const { readCount } = plan;
    const changedCount = plan.changedRowIds.length;
    const after: Job = {
      ...job,
      nextRowId: plan.nextRowId,
      readCount: job.readCount + readCount,
      changedCount: job.changedCount + changedCount,
      failedCount: job.failedCount + plan.failedCount + failedCount,
      finishedAtUs: plan.nextRowId >= job.endRowId ? Date.now() * 1000 : null,
    };
    this.forget();
    if (!(await this.#options.advance(job, after))) return 'unchanged';
    this.#options.onStep({ readCount, changedCount, progress: progressOf(after) });
    if (after.finishedAtUs !== null) return 'finished';
    this.#job = after;
    return 'changed';
  }

  /** Together, and where that fails each alone; returns how many could not be changed. */
  async #change(rowIds: readonly number[]): Promise<number> {
    const { apply, what, onError } = this.#options;
    try {
      await apply(rowIds);
      return 0;
    } catch (error) {
      // What other AppErrors say is of the storage, not of these spans.
      if (error instanceof AppError && !isDamage(error)) throw error;
      const [first] = rowIds;
      if (rowIds.length === 1) {
        onError(`span ${first} could not be ${what} again`, error);
        return 1;
      }
    }
    let failedCount = 0;
    for (const rowId of rowIds) failedCount += await this.#change([rowId]);
    return failedCount;
  }
}
