/** Compacts traces that have been quiet for a while: readers plan, the writer swaps. While anything waits for the writer it does nothing. */
import { JobLoop } from '../jobs/job-loop.ts';
import type { NewDictionary } from './dictionaries.ts';
import type { CompactionPlan } from './plan.ts';

/** The threads that do the work, and who is told of it. */
export interface CompactionOptions {
  readonly lastBlockId: () => Promise<number>;
  readonly findQuietTraces: (lastQuietBlockId: number) => Promise<readonly number[]>;
  readonly plan: (traceRowId: number) => Promise<CompactionPlan>;
  /** Makes a dictionary where one is due, of what waits up to that block. */
  readonly planDictionary: (lastQuietBlockId: number) => Promise<NewDictionary | undefined>;
  readonly addDictionary: (dictionary: NewDictionary) => Promise<void>;
  /** Puts plans into effect in one transaction; says of each whether it changed anything. */
  readonly swap: (plans: readonly CompactionPlan[]) => Promise<readonly boolean[]>;
  /** Whether the writer has something more urgent to do. */
  readonly isBusy: () => boolean;
  readonly onCompacted: (plan: Pick<CompactionPlan, 'bytesBefore' | 'bytesAfter' | 'cpuSeconds'>) => void;
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
      const changed = await options.swap(plans);
      for (const [place, plan] of plans.entries()) {
        if (changed[place] === true && countItems(plan) > 0) options.onCompacted(plan);
      }
      return changed.includes(true) ? 'changed' : 'unchanged';
    },
    isBusy,
    patienceMs: 0,
    everyMs: () => everyMs,
    restMs: () => 0,
    retryMs: [everyMs, everyMs],
    onError,
  });
}

/** Knows what was there a while ago, which has been quiet since. */
class Planner {
  readonly #options: CompactionOptions;
  /** The last block at a time, oldest first. */
  readonly #marks: { readonly at: number; readonly blockId: number }[] = [];

  /** Blocks that cannot be read, and were named once. */
  readonly #told = new Set<number>();

  /** What was looked at for a dictionary. */
  #learntUpTo: number | undefined;

  constructor(options: CompactionOptions) {
    this.#options = options;
  }

  /** What one swap takes. */
  async plan(): Promise<readonly CompactionPlan[] | undefined> {
    const { findQuietTraces, isBusy, plan, planDictionary, addDictionary } = this.#options;
    const lastQuietBlockId = await this.#findLastQuietBlock();
    if (lastQuietBlockId === undefined) return undefined;
    if (lastQuietBlockId !== this.#learntUpTo) {
      const dictionary = await planDictionary(lastQuietBlockId);
      if (dictionary !== undefined) await addDictionary(dictionary);
      this.#learntUpTo = lastQuietBlockId;
    }
    const plans: CompactionPlan[] = [];
    let itemCount = 0;
    for (const trace of await findQuietTraces(lastQuietBlockId)) {
      if (isBusy()) return undefined;
      const planned = await plan(trace);
      this.#tellOfUnreadable(planned);
      plans.push(planned);
      itemCount += countItems(planned);
      if (itemCount >= ITEMS_A_SWAP || plans.length >= PLANS_A_SWAP) break;
    }
    return plans.length === 0 || isBusy() ? undefined : plans;
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

  #tellOfUnreadable({ traceRowId, spans, records }: CompactionPlan): void {
    const blockIds = [...spans.unreadableBlockIds, ...records.unreadableBlockIds].filter((id) => !this.#told.has(id));
    if (blockIds.length === 0) return;
    if (this.#told.size > MAX_TOLD) this.#told.clear();
    for (const id of blockIds) this.#told.add(id);
    this.#options.onError(new Error(`blocks ${blockIds.join(', ')} of trace ${traceRowId} cannot be read`));
  }
}

/** Spans and log records that are moved. */
function countItems({ spans, records }: CompactionPlan): number {
  return [...spans.packed, ...records.packed].reduce((sum, { rowIds }) => sum + rowIds.length, 0);
}

/** One swap is one sync; more in it would hold up an acknowledgement for longer than a few milliseconds. */
const ITEMS_A_SWAP = 300;
const PLANS_A_SWAP = 50;

const MAX_TOLD = 10_000;
