/**
 * Reads everything that is stored, bit by bit, and starts again a week after it has ended: a reader in the background verifies a step, the
 * writer notes how far it is. A pass takes hours, so that it costs next to nothing.
 */
import { JobLoop } from '../jobs/job-loop.ts';
import type { VerificationPlan, VerificationRest } from './plan-verification.ts';

/** How fast it goes. Times are in milliseconds. */
export interface VerificationPace {
  /** When to look for the first time after a start. */
  readonly firstMs: number;
  /** How long a pass takes at least, however little is stored. */
  readonly passMs: number;
  /** How long to rest after each step, as a multiple of the time that it took. */
  readonly restRatio: number;
}

/** The threads that do the work, and who is told of it. */
export interface VerificationOptions {
  /** The next step, or when there is one. Times are in microseconds since the Unix epoch. */
  readonly plan: (nowUs: number) => Promise<VerificationPlan | VerificationRest | undefined>;
  readonly nowUs: () => number;
  /** Notes how far it is; says whether it was where the step began. */
  readonly advance: (plan: VerificationPlan) => Promise<boolean>;
  /** Whether the writer has something more urgent to do. */
  readonly isBusy: () => boolean;
  readonly pace: VerificationPace;
  readonly onError: (error: unknown) => void;
}

/** Runs until it is stopped. */
export function verificationJob({
  plan,
  nowUs,
  advance,
  isBusy,
  pace,
  onError,
}: VerificationOptions): JobLoop<VerificationPlan> {
  let stepMs = 0;
  // An idle server does not start a reader to learn that nothing is due.
  let dueAtUs = 0;
  return new JobLoop({
    plan: async () => {
      if (nowUs() < dueAtUs) return undefined;
      const found = await plan(nowUs());
      if (found === undefined || 'after' in found) return found;
      ({ dueAtUs } = found);
      return undefined;
    },
    apply: async (step) => {
      stepMs = pace.passMs / Math.max(step.stepCount, 1);
      if (!(await advance(step))) return 'unchanged';
      return step.after.position === null ? 'caught up' : 'changed';
    },
    isBusy,
    patienceMs: 2000,
    firstMs: pace.firstMs,
    everyMs: () => LOOK_MS,
    restMs: (tookMs) => Math.max(tookMs * pace.restRatio, stepMs),
    retryMs: [1000, 600_000],
    onError,
  });
}

/** How often to look whether a pass is due. */
const LOOK_MS = 10 * 60_000;
