/**
 * Goes over all stored spans from the main thread, to read them anew by today's rules or to price them anew: readers find
 * what changes, the writer changes it, a few spans at a time. It gives way to whatever else the writer has to do. How far it is
 * is in the database alone: whoever leads it next, after a restart or on another server, goes on from there.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#base/errors';
import type { LedJob } from '../coordination/port.ts';
import type { ReindexPlan } from './plan.ts';

/** A pass over all spans that were stored when it began. Times are in microseconds since the Unix epoch. */
export interface PassJob {
  readonly firstRowId: number;
  /** Exclusive. */
  readonly endRowId: number;
  /** Spans before it are done. */
  readonly nextRowId: number;
  readonly readCount: number;
  /** Spans that are otherwise now than they were stored. */
  readonly changedCount: number;
  /** Spans that could not be read, and stay as they were. */
  readonly failedCount: number;
  readonly startedAtUs: number;
  /** `null` while it is under way. */
  readonly finishedAtUs: number | null;
}

/** How things stand. */
export interface PassState<Job extends PassJob> {
  /** Whether some spans were read by other rules than today's. */
  readonly isStale: boolean;
  /** The last pass; `null` before the first. */
  readonly job: Job | null;
}

/** The threads that do the work, and who is told of it. */
export interface ReindexerOptions<Job extends PassJob> {
  /** What it does to spans, as `read` or `priced`: a word for the log. */
  readonly what: string;
  /** The last pass as it was saved; `null` before the first. */
  readonly load: () => Promise<Job | null>;
  /** The job that goes on where another was interrupted; the same one unless it has to begin anew. */
  readonly renew: (interrupted: Job) => Job | Promise<Job>;
  /** What changes of the next spans of the job. */
  readonly plan: (job: Job) => Promise<ReindexPlan>;
  /** Changes these spans in one transaction. */
  readonly apply: (spanRowIds: readonly number[]) => Promise<void>;
  /** Saves how far a job is; says whether it was as before until then, and not somebody else's meanwhile. */
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
export function progressOf({ firstRowId, nextRowId, endRowId }: PassJob): number {
  return endRowId <= firstRowId ? 1 : (nextRowId - firstRowId) / (endRowId - firstRowId);
}

/** Works on the job that is under way, whenever there is one, until it is stopped. */
export class Reindexer<Job extends PassJob> implements LedJob {
  readonly #options: ReindexerOptions<Job>;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #isWoken = false;
  /** Spans that one transaction reads anew, by how long it took. */
  #spansAtOnce = FIRST_SPANS_AT_ONCE;

  constructor(options: ReindexerOptions<Job>) {
    this.#options = options;
    this.wake();
  }

  wake(): void {
    this.#isWoken = true;
    if (this.#running !== undefined || this.#stopping.signal.aborted) return;
    this.#running = this.#work().finally(() => {
      this.#running = undefined;
      // One may have been begun after the last look.
      if (this.#isWoken) this.wake();
    });
  }

  /** Resolves when nothing is under way. */
  async finished(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  #fail(what: string, error: unknown): void {
    this.#options.onError(`${what} ${this.#options.what} anew`, error);
  }

  async #work(): Promise<void> {
    let job: Job | null = null;
    let retryMs = FIRST_RETRY_MS;
    while (!this.#stopping.signal.aborted) {
      this.#isWoken = false;
      const startedMs = performance.now();
      try {
        job ??= await this.#load();
        if (job === null) return;
        job = await this.#step(job);
        retryMs = FIRST_RETRY_MS;
        await this.#pause(Math.min((performance.now() - startedMs) * this.#options.restRatio, MAX_PAUSE_MS));
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        this.#fail('for now stored spans could not be', error);
        job = null;
        await this.#pause(retryMs);
        retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
      }
    }
  }

  /** The job that is under way. */
  async #load(): Promise<Job | null> {
    for (;;) {
      const saved = await this.#options.load();
      if (saved === null || saved.finishedAtUs !== null) return null;
      const job = await this.#options.renew(saved);
      if (job === saved || (await this.#options.advance(saved, job))) return job;
    }
  }

  /** The job after its next part; `null` where it is finished, or somebody else's. */
  async #step(job: Job): Promise<Job | null> {
    const plan = await this.#options.plan(job);
    const failedCount = plan.failedCount + (await this.#applyAll(plan.changedRowIds));
    const next: Job = {
      ...job,
      nextRowId: plan.nextRowId,
      readCount: job.readCount + plan.readCount,
      changedCount: job.changedCount + plan.changedRowIds.length,
      failedCount: job.failedCount + failedCount,
      finishedAtUs: plan.nextRowId >= job.endRowId ? Date.now() * 1000 : null,
    };
    if (!(await this.#options.advance(job, next))) return null;
    this.#options.onStep({
      readCount: plan.readCount,
      changedCount: plan.changedRowIds.length,
      progress: progressOf(next),
    });
    return next.finishedAtUs === null ? next : null;
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
      await this.#options.apply(rowIds);
      return 0;
    } catch (error) {
      // What AppErrors say is of the storage, not of these spans.
      if (error instanceof AppError) throw error;
      const [first] = rowIds;
      if (rowIds.length === 1) {
        this.#fail(`span ${first} could not be`, error);
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
