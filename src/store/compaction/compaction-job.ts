/**
 * Compacts traces that have been quiet for a while: readers plan, the writer swaps. While anything waits for the writer it does nothing;
 * what was planned until then is swapped in the next free moment.
 */
import { isDamage } from '../engine/storage-error.ts';
import { JobLoop } from '../jobs/job-loop.ts';
import type { NewDictionary } from './dictionaries.ts';
import type { CompactionPlan } from './plan.ts';

/** The threads that do the work, and who is told of it. */
export interface CompactionOptions {
  readonly lastBlockId: () => Promise<number>;
  readonly findQuietTraces: (lastQuietBlockId: number) => Promise<readonly number[]>;
  readonly plan: (traceRowId: number) => Promise<CompactionPlan>;
  /** The plan for a trace that cannot be packed, and waits no more. */
  readonly planSettling: (traceRowId: number) => Promise<CompactionPlan>;
  /** Makes a dictionary where one is due, of what waits up to that block. */
  readonly planDictionary: (lastQuietBlockId: number) => Promise<NewDictionary | undefined>;
  readonly addDictionary: (dictionary: NewDictionary) => Promise<void>;
  /** Puts plans into effect in one transaction; says of each whether it changed anything. */
  readonly swap: (plans: readonly CompactionPlan[]) => Promise<readonly boolean[]>;
  /** Whether the writer has something more urgent to do. */
  readonly isBusy: () => boolean;
  readonly onCompacted: (
    plan: Pick<CompactionPlan, 'traceRowId' | 'bytesBefore' | 'bytesAfter' | 'cpuSeconds'>,
  ) => void;
  readonly onError: (error: unknown) => void;
  /** How long a trace must have been quiet. */
  readonly quietMs: number;
  /** How often to look. */
  readonly everyMs: number;
}

/** Runs until it is stopped. */
export function compactionJob(options: CompactionOptions): JobLoop<readonly CompactionPlan[]> {
  const { isBusy, everyMs, onError } = options;
  const planner = new Planner(options);
  return new JobLoop({
    plan: () => planner.plan(),
    apply: async (plans) => {
      // Looking again soon finds a moment between two requests.
      if (plans.length === 0 || isBusy()) return 'unchanged';
      const changed = await swapAroundDamage(options, plans);
      for (const plan of changed) if (countItems(plan) > 0) options.onCompacted(plan);
      return changed.length > 0 ? 'changed' : 'unchanged';
    },
    isBusy,
    patienceMs: PATIENCE_MS,
    everyMs: () => everyMs,
    restMs: () => 0,
    retryMs: [everyMs, everyMs],
    onError,
  });
}

/**
 * Swaps together; where pages that a swap must change are damaged, each plan alone, and the traces of those that still fail wait no more.
 * Returns the plans that changed something.
 */
async function swapAroundDamage(
  options: Pick<CompactionOptions, 'swap' | 'planSettling' | 'onError'>,
  plans: readonly CompactionPlan[],
): Promise<readonly CompactionPlan[]> {
  try {
    const changed = await options.swap(plans);
    return plans.filter((_, place) => changed[place] === true);
  } catch (error) {
    if (!isDamage(error)) throw error;
    const [first] = plans;
    if (first !== undefined && plans.length === 1) {
      const message = `the trace with row ID ${first.traceRowId} is not packed, since pages that hold it are damaged`;
      options.onError(new Error(message, { cause: error }));
      const settling = await options.planSettling(first.traceRowId);
      return (await options.swap([settling])).includes(true) ? [settling] : [];
    }
  }
  const changed: CompactionPlan[] = [];
  for (const plan of plans) changed.push(...(await swapAroundDamage(options, [plan])));
  return changed;
}

/** Knows what was there a while ago, which has been quiet since. */
class Planner {
  readonly #options: CompactionOptions;
  /** The last block at a time, oldest first. */
  readonly #marks: { readonly at: number; readonly blockId: number }[] = [];

  /** What was looked at for a dictionary. */
  #learntUpTo: number | undefined;

  constructor(options: CompactionOptions) {
    this.#options = options;
  }

  /** What one swap takes; without any where the writer became busy first. */
  async plan(): Promise<readonly CompactionPlan[] | undefined> {
    const { findQuietTraces, isBusy, plan } = this.#options;
    const lastQuietBlockId = await this.#findLastQuietBlock();
    if (lastQuietBlockId === undefined) return undefined;
    if (lastQuietBlockId !== this.#learntUpTo) {
      await this.#learn(lastQuietBlockId);
      this.#learntUpTo = lastQuietBlockId;
    }
    const plans: CompactionPlan[] = [];
    let itemCount = 0;
    const traces = await findQuietTraces(lastQuietBlockId);
    for (const trace of traces) {
      if (isBusy()) break;
      const planned = await plan(trace);
      plans.push(planned);
      itemCount += countItems(planned);
      if (itemCount >= ITEMS_A_SWAP || plans.length >= PLANS_A_SWAP) break;
    }
    return traces.length === 0 ? undefined : plans;
  }

  /** Damage, which is noted where it is found, keeps no trace from being packed with the dictionaries that there are. */
  async #learn(lastQuietBlockId: number): Promise<void> {
    const { planDictionary, addDictionary } = this.#options;
    try {
      const dictionary = await planDictionary(lastQuietBlockId);
      if (dictionary !== undefined) await addDictionary(dictionary);
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
  }

  async #findLastQuietBlock(): Promise<number | undefined> {
    const { lastBlockId, quietMs, everyMs } = this.#options;
    const now = performance.now();
    const last = this.#marks.at(-1);
    if (last === undefined || now - last.at >= everyMs / 2) {
      this.#marks.push({ at: now, blockId: await lastBlockId() });
    }
    const quiet = this.#marks.findLast((mark) => now - mark.at >= quietMs);
    if (quiet === undefined) return undefined;
    this.#marks.splice(0, this.#marks.indexOf(quiet));
    return quiet.blockId;
  }
}

/** Spans and log records that are moved. */
function countItems({ spans, records }: CompactionPlan): number {
  return [...spans.packed, ...records.packed].reduce((sum, { rowIds }) => sum + rowIds.length, 0);
}

/** How long a swap waits for a free moment; what was planned is planned again after that. */
const PATIENCE_MS = 250;

/** One swap is one sync; more in it would hold up an acknowledgement for longer than a few milliseconds. */
const ITEMS_A_SWAP = 300;
const PLANS_A_SWAP = 50;
