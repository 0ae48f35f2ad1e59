/**
 * Erases what is hidden and lets spans follow moved traces, from the main thread of the server that leads that: a reader plans,
 * the writer erases a few spans at a time and gives way to whatever else it has to do. How far it is is in the database: after
 * a restart, or on another server, it goes on from there.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LedJob } from '../coordination/port.ts';
import type { TouchedProject } from '../engine/touched-project.ts';
import type { Deletion } from './deletion.ts';
import { hideAll } from './hide-all.ts';
import type { SpanPlace } from './move-traces.ts';
import type { ErasePart, RemovalPlan } from './removal-plan.ts';
import type { DeletionCalls } from './writer-calls.ts';

/** The threads that do the work, and who is told of it. */
export interface EraserOptions {
  readonly writer: Pick<DeletionCalls, 'hideNext' | 'erase' | 'advanceDeletion' | 'moveNextSpans' | 'giveBackPages'>;
  readonly plan: (maxSpans: number) => Promise<RemovalPlan | undefined>;
  /** Whether the writer has something more urgent to do. */
  readonly isBusy: () => boolean;
  /** How long to rest after each step, as a share of the time that it took the writer. */
  readonly restRatio: number;
  /** Where something that is shown is another now. */
  readonly onTouched: (touched: readonly TouchedProject[]) => void;
  readonly onErased: (spanCount: number) => void;
  /** Told when the spans of a deletion are erased; with `null`, when those of all moved traces have followed. */
  readonly onAllErased: (deletionRowId: number | null) => void;
  /** Told when nothing is left to be done for a deletion. */
  readonly onFinished: (deletion: Deletion) => void;
  readonly onError: (message: string, error: unknown) => void;
}

/** Looks when it is woken, and runs at most one step at a time. */
export class Eraser implements LedJob {
  readonly #options: EraserOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #isWoken = false;
  /** Spans that go in one transaction, by how long it takes. */
  #spansAtOnce = FIRST_SPANS_AT_ONCE;
  /** How far the trace has been followed that is being moved. */
  #moved: { readonly traceRowId: number; readonly after: SpanPlace } | undefined;
  /** Whether any was since that was told. */
  #isAnyMoved = false;
  /** How long the last step kept the writer. */
  #writerMs = 0;

  constructor(options: EraserOptions) {
    this.#options = options;
  }

  wake(): void {
    this.#isWoken = true;
    if (this.#running !== undefined || this.#stopping.signal.aborted) return;
    this.#running = this.#work().finally(() => {
      this.#running = undefined;
      // Something may have been begun after the last look.
      if (this.#isWoken) this.wake();
    });
  }

  /** Resolves when nothing is under way. */
  async finished(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #work(): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    while (!this.#stopping.signal.aborted) {
      this.#isWoken = false;
      this.#writerMs = 0;
      try {
        const plan = await this.#options.plan(this.#spansAtOnce);
        if (plan === undefined || !('movedTraceRowId' in plan)) this.#tellMoved();
        if (plan === undefined && !this.#isWoken) return;
        if (plan !== undefined) await this.#follow(plan);
        retryMs = FIRST_RETRY_MS;
        await this.#pause(Math.min(this.#writerMs * this.#options.restRatio, MAX_PAUSE_MS));
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        this.#options.onError('what was deleted or moved could not be put away for now', error);
        await this.#pause(retryMs);
        retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
      }
      await this.#giveWay();
    }
  }

  async #follow(plan: RemovalPlan): Promise<void> {
    if ('movedTraceRowId' in plan) return this.#followMoved(plan.movedTraceRowId);
    const { writer, onTouched, onAllErased } = this.#options;
    const { deletion, part, isIndexed } = plan;
    if (deletion.state === 'hiding') await hideAll(deletion, writer, onTouched);
    else if (deletion.state === 'shrinking') await this.#shrink(deletion, isIndexed);
    else if (part !== null) await this.#erase(deletion, part);
    else {
      onAllErased(deletion.rowId);
      await writer.advanceDeletion(deletion.rowId, 'shrinking');
    }
  }

  async #followMoved(traceRowId: number): Promise<void> {
    this.#isAnyMoved = true;
    const before = this.#moved?.traceRowId === traceRowId ? this.#moved.after : null;
    const step = () => this.#options.writer.moveNextSpans(traceRowId, before, this.#spansAtOnce);
    const { after } = await this.#timed(step);
    this.#moved = after === null ? undefined : { traceRowId, after };
  }

  #tellMoved(): void {
    if (this.#isAnyMoved) this.#options.onAllErased(null);
    this.#isAnyMoved = false;
  }

  async #erase(deletion: Deletion, part: ErasePart): Promise<void> {
    const isErased = await this.#timed(() => this.#options.writer.erase(deletion, part));
    if (isErased) this.#options.onErased(part.spanRowIds.length + part.wholeTraceSpanRowIds.length);
  }

  /** Gives back what is free by now, and waits for what the search index frees. */
  async #shrink(deletion: Deletion, isIndexed: boolean): Promise<void> {
    const startedMs = performance.now();
    const left = await this.#options.writer.giveBackPages(PAGES_A_STEP);
    this.#writerMs += performance.now() - startedMs;
    if (left > 0) return;
    if (isIndexed) {
      for (let waited = 0; waited < INDEX_WAIT_MS && !this.#isWoken; waited += WOKEN_MS) await this.#pause(WOKEN_MS);
      return;
    }
    await this.#options.writer.advanceDeletion(deletion.rowId, 'finished');
    this.#options.onFinished({ ...deletion, state: 'finished', finishedAtUs: Date.now() * 1000 });
  }

  /** As many spans the next time as this time would have fitted. */
  async #timed<T>(work: () => Promise<T>): Promise<T> {
    const startedMs = performance.now();
    const result = await work();
    const tookMs = performance.now() - startedMs;
    this.#writerMs += tookMs;
    const fitting = Math.floor((this.#spansAtOnce * STEP_MS) / Math.max(tookMs, 1));
    this.#spansAtOnce = Math.min(Math.max(fitting, MIN_SPANS_AT_ONCE), 2 * this.#spansAtOnce, MAX_SPANS_AT_ONCE);
    return result;
  }

  /** Waits while the writer is busy, but not for ever: a server that is always busy erases all the same. */
  async #giveWay(): Promise<void> {
    for (let waited = 0; waited < MAX_WAIT_MS && this.#options.isBusy(); waited += WAIT_MS) await this.#pause(WAIT_MS);
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => undefined);
  }
}

/** How long a transaction may hold up an acknowledgement. */
const STEP_MS = 15;

/** Fewer take hardly less time: most of it is the transaction's own. Measured: 75 µs of processor time for each span. */
const FIRST_SPANS_AT_ONCE = 100;
const MIN_SPANS_AT_ONCE = 100;
const MAX_SPANS_AT_ONCE = 500;

/** Pages that one step moves. */
const PAGES_A_STEP = 100;

/** How often to look whether the search index has forgotten what was erased, and how soon something new goes first. */
const INDEX_WAIT_MS = 2000;
const WOKEN_MS = 50;

const WAIT_MS = 5;
const MAX_WAIT_MS = 100;
const MAX_PAUSE_MS = 500;
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;
