import type { SearchIndexPace } from './search-job.ts';
import type { StepBounds } from './index-step.ts';

/** Who plans steps: a thread that reads for clients too, and one that gets the processor when nobody else wants it. */
export interface Planners<Plan> {
  planAmongReads(bounds: StepBounds): Promise<Plan>;
  planInBackground(bounds: StepBounds): Promise<Plan>;
  /** Whether there is anything to plan. */
  isDue(): Promise<boolean>;
  /** Whether the thread in the background has something else to do. */
  isBackgroundBusy(): boolean;
}

/**
 * Plans in the background, so that no question waits for a step. Steps for what has just arrived are planned among the reads of
 * others while the background is busy, or gets no processor because the machine is busy. Once nothing was left to do, the background, which
 * may not run, is asked again only when there is something.
 */
export function planWhereIdle<Plan>(
  planners: Planners<Plan | undefined>,
): (pace: SearchIndexPace) => Promise<Plan | undefined> {
  let isStarvedUntilMs = 0;
  let isSettled = true;
  const plan = async (pace: SearchIndexPace) => {
    const bounds = STEPS[pace];
    const askedAtMs = performance.now();
    if (pace === 'prompt' && (planners.isBackgroundBusy() || askedAtMs < isStarvedUntilMs))
      return planners.planAmongReads({ ...bounds, mayMerge: false });
    const planned = await planners.planInBackground(bounds);
    const nowMs = performance.now();
    if (pace === 'prompt' && nowMs - askedAtMs > STARVED_MS) isStarvedUntilMs = nowMs + STARVED_FOR_MS;
    return planned;
  };
  return async (pace) => {
    if (isSettled && !(await planners.isDue())) return undefined;
    const planned = await plan(pace);
    isSettled = planned === undefined;
    return planned;
  };
}

/** A small step has work for 30 ms. */
const STARVED_MS = 500;
const STARVED_FOR_MS = 60_000;

/** A span takes some 0.1 ms: where a small step is among the reads of others, it keeps them waiting for some 20 ms. */
export const STEPS: Readonly<Record<SearchIndexPace, StepBounds>> = {
  prompt: { arrivedCount: 128, changedCount: 32, milliseconds: 30, characterCount: 512 * 1024, mayMerge: true },
  patient: {
    arrivedCount: 1024,
    changedCount: 256,
    milliseconds: 1000,
    characterCount: 4 * 1024 * 1024,
    mayMerge: true,
  },
};
