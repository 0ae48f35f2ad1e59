/**
 * Adds to review queues what their rules ask for. Once a minute each rule looks at the rows that were there at its last look: by then
 * traces have mostly arrived whole.
 */
import { isDamage } from '../engine/storage-error.ts';
import { JobLoop } from '../jobs/job-loop.ts';
import type { RuleStep } from './find-for-queues.ts';

/** What it works with. */
export interface QueueRuleOptions {
  /** Rules that have something to look at. */
  readonly findDue: () => Promise<readonly number[]>;
  /** The next step of a rule; `undefined` where it is gone. */
  readonly plan: (ruleRowId: number) => Promise<RuleStep | undefined>;
  /** Adds what a step found, and gives whether the rule has more to look at. */
  readonly apply: (step: RuleStep) => Promise<boolean>;
  readonly onError: (error: unknown) => void;
}

/** Looks once a minute, rule after rule, until it is stopped. */
export function queueRulesJob({ findDue, plan, apply, onError }: QueueRuleOptions): JobLoop<RuleStep> {
  let left: number[] | null = null;
  return new JobLoop({
    plan: async () => {
      left ??= [...(await findDue())];
      while (left[0] !== undefined) {
        // A rule that meets damage, which is noted where it is found, looks again with the next round.
        const step = await plan(left[0]).catch((error: unknown) => {
          if (!isDamage(error)) throw error;
          onError(error);
        });
        if (step !== undefined) return step;
        left.shift();
      }
      left = null;
      return undefined;
    },
    apply: async (step) => {
      const ruleRowId = left?.shift();
      if ((await apply(step)) && ruleRowId !== undefined) left?.unshift(ruleRowId);
      return 'changed';
    },
    // A step takes the writer as long as a small request does.
    isBusy: () => false,
    patienceMs: 0,
    firstMs: 0,
    everyMs: () => EVERY_MS,
    restMs: (_stepMs, applyMs) => 4 * applyMs,
    retryMs: [EVERY_MS, 10 * EVERY_MS],
    onError,
  });
}

const EVERY_MS = 60_000;
