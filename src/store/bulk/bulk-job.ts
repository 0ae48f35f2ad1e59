/** Does a bulk action in the background: a reader finds the rows, the writer notes them and then does what is wanted, some at a time. */
import { AppError } from '#base/errors';
import { BatchSize } from '../jobs/batch-size.ts';
import { JobLoop, type StepOutcome } from '../jobs/job-loop.ts';
import { isStorageFailure } from '../engine/storage-error.ts';
import type { TouchedProject } from '../engine/touched-project.ts';
import type { BulkJob } from './bulk-action.ts';
import type { BulkPlan } from './choose-rows.ts';
import type { BulkStep } from './steps.ts';
import type { BulkCalls } from './writer-calls.ts';

/** The threads that do the work, and who is told of it. */
export interface BulkJobOptions {
  readonly writer: BulkCalls;
  /** The next step; `undefined` where there is none. */
  readonly plan: () => Promise<BulkPlan | undefined>;
  /** Whether the writer has something more urgent to do. */
  readonly isBusy: () => boolean;
  /** How long to rest after each step, as a share of the time that it took the writer. */
  readonly restRatio: number;
  /** Told where something changed that is shown. */
  readonly onTouched: (touched: readonly TouchedProject[]) => void;
  /** Told when the job is over: what it hid can be erased, and spans of moved traces may have to follow. */
  readonly onOver: () => void;
  readonly onError: (message: string, error: unknown) => void;
}

/** Works on one action, until it is over or stopped. */
export function bulkJob(options: BulkJobOptions): JobLoop<BulkPlan> {
  const { isBusy, restRatio, onError } = options;
  const steps = new BulkSteps(options);
  return new JobLoop({
    plan: options.plan,
    apply: (plan) => steps.apply(plan),
    isBusy,
    patienceMs: 100,
    firstMs: 0,
    everyMs: () => 30_000,
    restMs: (_stepMs, applyMs) => Math.min(applyMs * restRatio, MAX_REST_MS),
    retryMs: [1000, 60_000],
    onError: (error) => onError('a bulk action could not go on for now', error),
    onStopped: options.onOver,
  });
}

const MAX_REST_MS = 500;

class BulkSteps {
  readonly #options: BulkJobOptions;
  readonly #batch = new BatchSize({ first: 200, least: 100, most: 1000, fitMs: 15 });
  /** Rows that are yet to be tried alone, since they failed together. */
  #aloneCount = 0;

  constructor(options: BulkJobOptions) {
    this.#options = options;
  }

  async apply(plan: BulkPlan): Promise<StepOutcome> {
    const { onTouched } = this.#options;
    const step = await this.#take(plan);
    if (step.touched.length > 0) onTouched(step.touched);
    return step.outcome;
  }

  #take(plan: BulkPlan): Promise<BulkStep> {
    const { writer } = this.#options;
    const { id, progress } = plan.job;
    switch (plan.next) {
      case 'note':
        return writer.noteChosen(id, progress, plan.chosen);
      case 'sample':
        return writer.sampleNext(id, progress, plan.lastRank);
      case 'act':
        return this.#act(plan.job);
      case 'fail':
        return writer.failBulkAction(id, plan.fault);
      default:
        return plan satisfies never;
    }
  }

  /** Together, and where that fails each alone: one bad row costs itself. */
  async #act({ id: jobId, progress }: BulkJob): Promise<BulkStep> {
    const { writer, onError } = this.#options;
    if (this.#aloneCount === 0) {
      const most = this.#batch.size;
      try {
        return await this.#batch.measure(most, () => writer.actOnNext(jobId, most));
      } catch (error) {
        if (isOfStorage(error)) throw error;
        this.#aloneCount = most;
      }
    }
    this.#aloneCount--;
    try {
      return await writer.actOnNext(jobId, 1);
    } catch (error) {
      if (isOfStorage(error)) throw error;
      onError('a bulk action leaves out a row', error);
      return writer.refuseNext(jobId, progress);
    }
  }
}

/** Whether it says something of the storage, not of the rows. */
function isOfStorage(error: unknown): boolean {
  return error instanceof AppError || isStorageFailure(error);
}
