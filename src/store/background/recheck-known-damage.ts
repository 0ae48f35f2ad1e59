/** Reads again what is known to be damaged, so that what was mended is forgotten. */
import type { Damage } from '../engine/damage.ts';
import { JobLoop } from '../jobs/job-loop.ts';
import type { DamageRegister } from '../status/damage-register.ts';

/** Who reads, and what is known. */
export interface RecheckOptions {
  readonly register: Pick<DamageRegister, 'startRecheck' | 'settle'>;
  readonly recheck: (damage: Damage) => Promise<Damage | null>;
  readonly onError: (error: unknown) => void;
}

/**
 * Runs until it is stopped, and reads nothing while nothing is known to be damaged. It is to be woken when something is found: what can
 * be made again is whole soon after. What stays damaged is read less and less often.
 */
export function recheckKnownDamage({ register, recheck, onError }: RecheckOptions): JobLoop<Damage> {
  let waiting: Damage[] = [];
  let roundCount = 0;
  return new JobLoop({
    plan: async () => {
      if (waiting.length === 0) {
        waiting = [...register.startRecheck()];
        roundCount = waiting.length === 0 ? 0 : roundCount + 1;
      }
      return waiting.shift();
    },
    apply: async (damage) => {
      const rest = await recheck(damage);
      const isSame = (other: Damage) => placeOf(other) !== undefined && placeOf(other) === placeOf(damage);
      const same = waiting.filter(isSame);
      waiting = waiting.filter((other) => !isSame(other));
      register.settle(damage, rest);
      // A look that ended early goes on after a rest: on a busy machine each gets a few milliseconds of processor time.
      if (rest?.recheckedTo !== undefined) waiting.push(rest, ...same);
      if (rest === null) {
        for (const other of same) register.settle(other, null);
        roundCount = 1;
      }
      return waiting.length === 0 ? 'caught up' : 'changed';
    },
    isBusy: () => false,
    patienceMs: 0,
    everyMs: () => Math.min(FIRST_MS * 2 ** roundCount, LONGEST_MS),
    gatherMs: FIRST_MS,
    restMs: (tookMs) => tookMs * REST_RATIO,
    retryMs: [FIRST_MS, LONGEST_MS],
    onError,
  });
}

/** What one reading tells all of: a part of the search index, or all tables where it is not known which are damaged. */
function placeOf({ kind, part, index, spanRowIds }: Damage): number | 'tables' | undefined {
  return kind === 'database' && index === undefined && spanRowIds === undefined ? 'tables' : part;
}

const FIRST_MS = 2000;
const LONGEST_MS = 60_000;
/** A tenth of the time: what is known to be damaged is mended sooner than other damage is found. */
const REST_RATIO = 9;
