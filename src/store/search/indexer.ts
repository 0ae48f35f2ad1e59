/**
 * Keeps the search index up with what is stored, from the main thread: a reader plans, the writer stores, one small step
 * after the other. It gives way to whatever else the writer has to do, and goes on after a restart where it was.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LedJob } from '../coordination/port.ts';
import type { IndexPlan } from './plan-index.ts';

/** The threads that do the work, and who is told of it. */
export interface SearchIndexerOptions {
  /** The next step; `undefined` where there is nothing to do. */
  readonly plan: (pace: SearchIndexPace) => Promise<IndexPlan | undefined>;
  /** Puts a plan into effect; says whether it still held. */
  readonly store: (plan: IndexPlan) => Promise<boolean>;
  /** Whether the writer has something more urgent to do. */
  readonly isBusy: () => boolean;
  readonly onStep: (step: SearchIndexStep) => void;
  readonly onError: (error: unknown) => void;
  /** How long to rest after each step, as a share of the time that it took. */
  readonly restRatio: number;
}

/** Whether a step is a small one that should be done soon, or a large one that has time. */
export type SearchIndexPace = 'prompt' | 'patient';

/** What one step came to. */
export interface SearchIndexStep {
  readonly spanCount: number;
  readonly characterCount: number;
  /** Spans that wait now. */
  readonly pendingCount: number;
}

/** Runs until it is stopped. */
export class SearchIndexer implements LedJob {
  readonly #options: SearchIndexerOptions;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isCalled = false;
  /** Whether the next look is one that was called for, which nothing puts off. */
  #isSoon = false;

  constructor(options: SearchIndexerOptions) {
    this.#options = options;
    this.#schedule(FIRST_LOOK_MS);
  }

  /** Something was stored: it is looked at soon. */
  wake(): void {
    if (this.#running !== undefined) this.#isCalled = true;
    else if (!this.#isSoon) this.#schedule(GATHER_MS);
  }

  /** Begins nothing more, and returns when what was begun is done. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  #schedule(afterMs: number): void {
    if (this.#stopping.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#isSoon = afterMs === GATHER_MS;
    this.#timer = setTimeout(() => {
      this.#isCalled = false;
      this.#isSoon = false;
      this.#running = this.#work()
        .catch((error: unknown) => {
          if (!this.#stopping.signal.aborted) this.#options.onError(error);
        })
        .finally(() => {
          this.#running = undefined;
          this.#schedule(this.#isCalled ? GATHER_MS : LOOK_MS);
        });
    }, afterMs);
    this.#timer.unref();
  }

  async #work(): Promise<void> {
    let pace: SearchIndexPace = 'prompt';
    for (;;) {
      if (this.#stopping.signal.aborted) return;
      const startedMs = performance.now();
      const plan = await this.#options.plan(pace);
      if (plan === undefined) return;
      await this.#giveWay();
      if (this.#stopping.signal.aborted) return;
      const { spanCount, characterCount, pendingCount, after } = plan;
      // What arrives is found within a moment; what had piled up, or is done anew, has time.
      pace = pendingCount > MANY_SPANS || (pendingCount === 0 && after.rebuild !== null) ? 'patient' : 'prompt';
      if (await this.#options.store(plan)) {
        this.#options.onStep({ spanCount, characterCount, pendingCount });
        if (!plan.hasMore) return;
      }
      await this.#pause(Math.min((performance.now() - startedMs) * this.#options.restRatio, MAX_REST_MS));
    }
  }

  /** Waits while the writer is busy, but not for ever: a server that is always busy is searched all the same. */
  async #giveWay(): Promise<void> {
    for (let waited = 0; waited < MAX_WAIT_MS && this.#options.isBusy(); waited += WAIT_MS) await this.#pause(WAIT_MS);
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => undefined);
  }
}

/** As many that wait are more than a moment's. */
const MANY_SPANS = 2000;

/** Spans that arrive within that time are indexed together. */
const GATHER_MS = 200;

/** How soon after the start, when there is more urgent work, and how often where nobody says that something was stored. */
const FIRST_LOOK_MS = 1000;
const LOOK_MS = 10_000;

const WAIT_MS = 5;
const MAX_WAIT_MS = 250;
const MAX_REST_MS = 250;
