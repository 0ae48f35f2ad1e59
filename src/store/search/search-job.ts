/**
 * Keeps the search index up with what is stored: a reader plans, the writer stores, one small step after the other. After a restart it
 * goes on where it was.
 */
import { JobLoop } from '../jobs/job-loop.ts';
import type { IndexPlan } from './plan-index.ts';

/** The threads that do the work, and who is told of it. */
export interface SearchJobOptions {
  /** The next step; `undefined` where there is nothing to do. */
  readonly plan: (pace: SearchIndexPace) => Promise<IndexPlan | undefined>;
  /** Puts a plan into effect; says whether it changed anything. */
  readonly store: (plan: IndexPlan) => Promise<boolean>;
  /** Whether the writer has something more urgent to do. */
  readonly isBusy: () => boolean;
  readonly onStep: (step: SearchIndexStep) => void;
  readonly onError: (error: unknown) => void;
  /** How long to rest after each step, as a share of the time that it took; of one that has time, in the writer. */
  readonly restRatio: number;
  /** The same after a step that has time, while the writer has something to do: as a share of the time that planning took. */
  readonly busyRestRatio: number;
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
export function searchJob(options: SearchJobOptions): JobLoop<IndexPlan> {
  const { plan, store, isBusy, onStep, onError, restRatio, busyRestRatio } = options;
  let pace: SearchIndexPace = 'prompt';
  let busyRestMs: number | undefined;
  return new JobLoop({
    plan: async () => {
      const askedMs = performance.now();
      const step = await plan(pace);
      pace = step === undefined ? 'prompt' : paceAfter(step);
      // Asked before the step is stored: while the writer stores it, other work arrives and waits.
      busyRestMs = isBusy() ? (performance.now() - askedMs) * busyRestRatio : undefined;
      return step;
    },
    apply: async (step) => {
      if (!(await store(step))) return 'unchanged';
      const { spanCount, characterCount, pendingCount } = step;
      onStep({ spanCount, characterCount, pendingCount });
      if (step.hasMore) return 'changed';
      pace = 'prompt';
      return 'caught up';
    },
    isBusy,
    patienceMs: 250,
    // After the start there is more urgent work.
    firstMs: 1000,
    everyMs: () => 10_000,
    // Spans that arrive within that time are indexed together.
    gatherMs: 200,
    restMs: (stepMs, applyMs) => {
      if (pace === 'prompt') return Math.min(stepMs * restRatio, MAX_REST_MS);
      // The thread that plans gives way to all others, but the two halves of a core slow each other down: storing gets a core of its own
      // only while nothing is planned.
      if (busyRestMs !== undefined) return Math.min(busyRestMs, MAX_BUSY_REST_MS);
      return Math.min(applyMs * restRatio, MAX_REST_MS);
    },
    retryMs: [250, 10_000],
    onError,
    // The next server says how many wait.
    onStopped: () => onStep({ spanCount: 0, characterCount: 0, pendingCount: 0 }),
  });
}

/** What arrives is found within a moment; what had piled up, or is done again, has time. */
function paceAfter({ pendingCount, after, isMending }: IndexPlan): SearchIndexPace {
  // Until a part is mended, searches of it take long.
  const isAgain = pendingCount === 0 && after.rebuild !== null && !isMending;
  return pendingCount > MANY_SPANS || isAgain ? 'patient' : 'prompt';
}

/** As many that wait are more than a moment's. */
const MANY_SPANS = 2000;

const MAX_REST_MS = 250;

/** Planning may have waited long for a processor. */
const MAX_BUSY_REST_MS = 1000;
