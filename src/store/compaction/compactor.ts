/**
 * Compacts traces that have been quiet for a while, from the main thread: readers plan, the writer swaps. It gives way to
 * whatever else the writer has to do.
 */
import type { LedJob } from '../coordination/port.ts';
import type { CompactionPlan } from './plan.ts';

/** The threads that do the work, and who is told of it. */
export interface CompactorOptions {
  readonly lastBlockId: () => Promise<number>;
  readonly findQuietTraces: (lastQuietBlockId: number) => Promise<readonly number[]>;
  readonly plan: (traceRowId: number) => Promise<CompactionPlan>;
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
export class Compactor implements LedJob {
  readonly #options: CompactorOptions;
  /** The last block at a time, oldest first: what was there a while ago has been quiet since. */
  readonly #marks: { readonly at: number; readonly blockId: number }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: CompactorOptions) {
    this.#options = options;
    this.#schedule();
  }

  /** Begins nothing more, and returns when what was begun is done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #schedule(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#look()
        .catch((error: unknown) => this.#options.onError(error))
        .finally(() => this.#schedule());
    }, this.#options.everyMs);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const now = performance.now();
    this.#marks.push({ at: now, blockId: await this.#options.lastBlockId() });
    const quiet = this.#marks.findLast((mark) => now - mark.at >= this.#options.quietMs);
    if (quiet === undefined) return;
    this.#marks.splice(0, this.#marks.indexOf(quiet));
    for (;;) {
      const traces = await this.#options.findQuietTraces(quiet.blockId);
      const isAnyDone = await this.#compact(traces);
      if (traces.length === 0 || !isAnyDone) return;
    }
  }

  #tellOfUnreadable({ traceRowId, spans, records }: CompactionPlan): void {
    const blockIds = [...spans.unreadableBlockIds, ...records.unreadableBlockIds];
    if (blockIds.length === 0) return;
    this.#options.onError(new Error(`blocks ${blockIds.join(', ')} of trace ${traceRowId} cannot be read`));
  }

  /** Whether anything came of it: where nothing did, looking again at once would find the same. */
  async #compact(traces: readonly number[]): Promise<boolean> {
    let isAnyDone = false;
    let plans: CompactionPlan[] = [];
    for (const [index, trace] of traces.entries()) {
      if (this.#isStopped || this.#options.isBusy()) return false;
      const planned = await this.#options.plan(trace);
      plans.push(planned);
      this.#tellOfUnreadable(planned);
      const itemCount = plans.reduce((sum, plan) => sum + countItems(plan), 0);
      if (itemCount < ITEMS_A_SWAP && plans.length < PLANS_A_SWAP && index < traces.length - 1) continue;
      const changed = await this.#options.swap(plans);
      isAnyDone ||= changed.includes(true);
      for (const [at, plan] of plans.entries()) {
        if (changed[at] && countItems(plan) > 0) this.#options.onCompacted(plan);
      }
      plans = [];
    }
    return isAnyDone;
  }
}

/** Spans and log records that are moved. */
function countItems({ spans, records }: CompactionPlan): number {
  return [...spans.packed, ...records.packed].reduce((sum, { rowIds }) => sum + rowIds.length, 0);
}

/** One swap is one sync; more in it would hold up an acknowledgement for longer than a few milliseconds. */
const ITEMS_A_SWAP = 300;
const PLANS_A_SWAP = 50;
