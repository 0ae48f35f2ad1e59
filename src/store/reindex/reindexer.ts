/**
 * Reads stored spans anew by today's rules, from the main thread: readers find what changes, the writer changes it, a few
 * spans at a time. It gives way to whatever else the writer has to do, and goes on after a restart where it was.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#base/errors';
import { NORMALIZER_VERSION } from '#normalize/version';
import type { ReindexPlan } from './plan.ts';
import type { ReindexJob, ReindexState } from './state.ts';

/** The threads that do the work, and who is told of it. */
export interface ReindexerOptions {
  readonly load: () => Promise<ReindexState>;
  readonly newJob: () => Promise<ReindexJob>;
  readonly plan: (fromRowId: number, endRowId: number) => Promise<ReindexPlan>;
  /** Reads these spans anew in one transaction, and saves the job with it where one is given. */
  readonly apply: (spanRowIds: readonly number[], job: ReindexJob | null) => Promise<void>;
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
export function progressOf({ firstRowId, nextRowId, endRowId }: ReindexJob): number {
  return endRowId <= firstRowId ? 1 : (nextRowId - firstRowId) / (endRowId - firstRowId);
}

/** Runs at most one job at a time. */
export class Reindexer {
  readonly #options: ReindexerOptions;
  readonly #stopping = new AbortController();
  #state: ReindexState = { isStale: false, job: null };
  #running: Promise<void> | undefined;
  /** Spans that one transaction reads anew, by how long it took. */
  #spansAtOnce = FIRST_SPANS_AT_ONCE;

  constructor(options: ReindexerOptions) {
    this.#options = options;
  }

  /** How things stand: the job under way, or the last one. */
  get state(): ReindexState {
    return this.#state;
  }

  /** Learns how things stand, and goes on with a job that was interrupted. To be called once, before anything else. */
  async resume(): Promise<ReindexState> {
    this.#state = await this.#options.load();
    const { job } = this.#state;
    if (job !== null && job.finishedAtUs === null) this.#run(job);
    return this.#state;
  }

  /** Begins a job, or joins the one that is under way. */
  async start(): Promise<ReindexJob> {
    const { job } = this.#state;
    if (this.#running !== undefined && job !== null) return job;
    const begun = await this.#options.newJob();
    await this.#options.apply([], begun);
    // Somebody else may have begun one meanwhile.
    if (this.#running === undefined) this.#run(begun);
    return this.#state.job ?? begun;
  }

  /** Resolves when nothing is under way. */
  async finished(): Promise<void> {
    await this.#running;
  }

  /** Begins nothing more, and returns when what was begun is done. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  #run(job: ReindexJob): void {
    this.#state = { ...this.#state, job };
    this.#running = this.#work(job)
      .catch((error: unknown) => {
        if (!this.#stopping.signal.aborted) this.#options.onError('stored spans could not be read anew', error);
      })
      .finally(() => {
        this.#running = undefined;
      });
  }

  async #work(interrupted: ReindexJob): Promise<void> {
    // What was read by the rules of another version has to be read once more.
    let job = interrupted.version === NORMALIZER_VERSION ? interrupted : await this.#options.newJob();
    let retryMs = FIRST_RETRY_MS;
    while (job.finishedAtUs === null && !this.#stopping.signal.aborted) {
      const startedMs = performance.now();
      const next = await this.#attempt(job);
      if (next === undefined) {
        await this.#pause(retryMs);
        retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
        continue;
      }
      job = next;
      retryMs = FIRST_RETRY_MS;
      this.#state = { isStale: this.#state.isStale && job.finishedAtUs === null, job };
      await this.#pause(Math.min((performance.now() - startedMs) * this.#options.restRatio, MAX_PAUSE_MS));
    }
  }

  /** The job after the next part; `undefined` where something failed, which often passes. */
  async #attempt(job: ReindexJob): Promise<ReindexJob | undefined> {
    try {
      const plan = await this.#options.plan(job.nextRowId, job.endRowId);
      const failedCount = plan.failedCount + (await this.#applyAll(plan.changedRowIds));
      const next: ReindexJob = {
        ...job,
        nextRowId: plan.nextRowId,
        readCount: job.readCount + plan.readCount,
        changedCount: job.changedCount + plan.changedRowIds.length,
        failedCount: job.failedCount + failedCount,
        finishedAtUs: plan.nextRowId >= job.endRowId ? Date.now() * 1000 : null,
      };
      await this.#options.apply([], next);
      this.#options.onStep({
        readCount: plan.readCount,
        changedCount: plan.changedRowIds.length,
        progress: progressOf(next),
      });
      return next;
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#options.onError('stored spans could not be read anew for now', error);
      return undefined;
    }
  }

  /** How many of the spans could not be read anew. */
  async #applyAll(rowIds: readonly number[]): Promise<number> {
    let failedCount = 0;
    for (let start = 0; start < rowIds.length; ) {
      const part = rowIds.slice(start, start + this.#spansAtOnce);
      start += part.length;
      await this.#giveWay();
      const startedMs = performance.now();
      failedCount += await this.#apply(part);
      const tookMs = performance.now() - startedMs;
      const fitting = Math.floor((part.length * MAX_APPLY_MS) / Math.max(tookMs, 1));
      this.#spansAtOnce = Math.min(Math.max(fitting, MIN_SPANS_AT_ONCE), 2 * this.#spansAtOnce, MAX_SPANS_AT_ONCE);
    }
    return failedCount;
  }

  /** Together, and where that fails each alone. */
  async #apply(rowIds: readonly number[]): Promise<number> {
    try {
      await this.#options.apply(rowIds, null);
      return 0;
    } catch (error) {
      // What AppErrors say is of the storage, not of these spans.
      if (error instanceof AppError) throw error;
      const [first] = rowIds;
      if (rowIds.length === 1) {
        this.#options.onError(`span ${first} could not be read anew`, error);
        return 1;
      }
    }
    let failedCount = 0;
    for (const rowId of rowIds) failedCount += await this.#apply([rowId]);
    return failedCount;
  }

  /** Waits while the writer is busy, but not for ever: a server that is always busy is read anew all the same. */
  async #giveWay(): Promise<void> {
    for (let waited = 0; waited < MAX_WAIT_MS && this.#options.isBusy(); waited += WAIT_MS) await this.#pause(WAIT_MS);
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => undefined);
  }
}

/** How long a transaction may hold up an acknowledgement. */
const MAX_APPLY_MS = 20;

/** Alone a span takes seventeen times what it takes among a hundred, most of it for the transaction. */
const MIN_SPANS_AT_ONCE = 10;
const FIRST_SPANS_AT_ONCE = 20;
const MAX_SPANS_AT_ONCE = 200;

const WAIT_MS = 5;
const MAX_WAIT_MS = 250;
const MAX_PAUSE_MS = 500;
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;
