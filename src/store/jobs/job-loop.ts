/**
 * The loop that every job runs in, on the main thread of the server that holds it: a reader plans a step, the writer applies it.
 * When to look, to give way, to rest and to try again is decided here, once.
 */
import type { RunningJob } from './job.ts';

/** What applying a step came to. */
export type StepOutcome =
  /** Something is otherwise than before, and there may be more to do. */
  | 'changed'
  /** The same, and nothing more for now. */
  | 'caught up'
  /** The plan no longer held, or changed nothing. This is never progress: looking again at once would find the same. */
  | 'unchanged'
  /** The job is over. */
  | 'finished';

/** The work of a job, and its pace. Times are in milliseconds. */
export interface JobLoopOptions<Plan> {
  /** The next step; `undefined` where there is nothing to do. It only reads: a loop that is stopped does not wait for it. */
  readonly plan: () => Promise<Plan | undefined>;
  readonly apply: (plan: Plan) => Promise<StepOutcome>;
  /** Whether the writer has something more urgent to do. */
  readonly isBusy: () => boolean;
  /** How long a step waits for a moment in which it has not; after that it is applied all the same. */
  readonly patienceMs: number;
  /** How soon to look for the first time; as often as later if absent. */
  readonly firstMs?: number;
  /** How often to look where nobody wakes the job. */
  readonly everyMs: () => number;
  /** How long to gather work when it is woken. */
  readonly gatherMs?: number;
  /** How long to rest after a step that took so long: as a whole, and in the writer alone. */
  readonly restMs: (stepMs: number, applyMs: number) => number;
  /** How long to wait after an error: twice as long each time, up to the second. After a step that changed nothing it begins with less. */
  readonly retryMs: readonly [first: number, longest: number];
  readonly onError: (error: unknown) => void;
  /** Called when the loop has ended. */
  readonly onStopped?: () => void;
}

/** Runs until it is stopped, or its job is over. */
export class JobLoop<Plan> implements RunningJob {
  readonly #options: JobLoopOptions<Plan>;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  /** Ends the wait for something to do. */
  #waiting = new AbortController();
  #isWoken = false;
  #isIdle = false;
  #hasEnded = false;
  #whenIdle = Promise.withResolvers<void>();
  #whenFailed = newFailure();

  constructor(options: JobLoopOptions<Plan>) {
    this.#options = options;
    this.#running = this.#run().finally(() => {
      this.#hasEnded = true;
      this.#setIdle(true);
      options.onStopped?.();
    });
  }

  wake(): void {
    this.#isWoken = true;
    if (this.#isIdle && !this.#hasEnded) this.#setIdle(false);
    this.#waiting.abort();
  }

  /** Begins nothing more, and returns when the step that is being applied is done. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Resolves when there is nothing to do, or the loop has ended. */
  async idle(): Promise<void> {
    while (!this.#isIdle) await this.#whenIdle.promise;
  }

  /**
   * Looks now, and resolves when there is nothing left to do.
   * @throws whatever goes wrong meanwhile, which is tried again later
   */
  async catchUp(): Promise<void> {
    const failed = this.#whenFailed.promise;
    this.wake();
    await Promise.race([this.idle(), failed]);
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #run(): Promise<void> {
    const { firstMs, everyMs, onError, retryMs } = this.#options;
    const [firstRetryMs, longestRetryMs] = retryMs;
    let waitMs = 0;
    await this.#wait(firstMs ?? everyMs());
    while (!this.#isStopped) {
      this.#isWoken = false;
      const outcome = await this.#step().catch((error: unknown) => {
        if (!this.#isStopped) onError(error);
        this.#whenFailed.reject(error);
        this.#whenFailed = newFailure();
        return 'failed' as const;
      });
      if (outcome === 'finished') return;
      if (outcome === 'failed' || outcome === 'unchanged') {
        waitMs = Math.max(2 * waitMs, outcome === 'failed' ? firstRetryMs : UNCHANGED_MS);
        await this.#pause(Math.min(waitMs, longestRetryMs));
      } else {
        waitMs = 0;
        if (outcome !== 'changed') await this.#wait(everyMs());
      }
    }
  }

  async #step(): Promise<StepOutcome | 'idle'> {
    const { plan: findStep, apply, restMs } = this.#options;
    const plannedMs = performance.now();
    const plan = await this.#unlessStopped(findStep());
    if (plan === undefined || this.#isStopped) return 'idle';
    await this.#giveWay();
    if (this.#isStopped) return 'idle';
    const appliedMs = performance.now();
    const outcome = await apply(plan);
    const nowMs = performance.now();
    if (outcome === 'changed') await this.#pause(restMs(nowMs - plannedMs, nowMs - appliedMs));
    return outcome;
  }

  /** What is found, or `undefined` once the loop is stopped. */
  async #unlessStopped(finding: Promise<Plan | undefined>): Promise<Plan | undefined> {
    const stopped = Promise.withResolvers<undefined>();
    const end = () => stopped.resolve(undefined);
    this.#stopping.signal.addEventListener('abort', end);
    try {
      return await Promise.race([finding, stopped.promise]);
    } finally {
      this.#stopping.signal.removeEventListener('abort', end);
    }
  }

  /** Waits while the writer is busy, but not for ever: a server that is always busy does its work all the same. */
  async #giveWay(): Promise<void> {
    const { patienceMs, isBusy } = this.#options;
    for (let waited = 0; waited < patienceMs && isBusy(); waited += WAIT_MS) await this.#pause(WAIT_MS);
  }

  /** Waits until it is time to look, or it was woken a moment ago. */
  async #wait(ms: number): Promise<void> {
    if (!this.#isWoken && ms > 0) {
      this.#waiting = new AbortController();
      this.#setIdle(true);
      await this.#pause(ms, this.#waiting.signal);
      this.#setIdle(false);
    }
    // What goes on waking it does not put it off.
    if (this.#isWoken) await this.#pause(this.#options.gatherMs ?? 0);
  }

  #setIdle(isIdle: boolean): void {
    if (isIdle === this.#isIdle) return;
    this.#isIdle = isIdle;
    if (isIdle) this.#whenIdle.resolve();
    else this.#whenIdle = Promise.withResolvers();
  }

  /** Ends early when the loop is stopped. */
  async #pause(ms: number, until?: AbortSignal): Promise<void> {
    if (ms <= 0 || this.#isStopped) return;
    const stopped = this.#stopping.signal;
    const signal = until === undefined ? stopped : AbortSignal.any([stopped, until]);
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, Math.min(ms, MAX_TIMER_MS));
      timer.unref();
      signal.addEventListener('abort', end);
    });
  }
}

/** Nobody may wait for it. */
function newFailure(): PromiseWithResolvers<never> {
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined);
  return failure;
}

const WAIT_MS = 5;

/** Most of those that changed nothing were overtaken: by another server, or by what arrived. */
const UNCHANGED_MS = 20;

/** Longer timers fire at once. */
const MAX_TIMER_MS = 0x7fffffff;
