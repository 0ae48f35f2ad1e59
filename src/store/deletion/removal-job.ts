/**
 * Erases what is hidden, lets spans follow moved traces, and sweeps what jobs leave: a reader plans, the writer erases a few spans at a time. How far it is
 * is in the database: after a restart, or on another server, it goes on from there.
 */
import { BatchSize } from '../jobs/batch-size.ts';
import { isDamage, isFull } from '../engine/storage-error.ts';
import { JobLoop, type StepOutcome } from '../jobs/job-loop.ts';
import { LeftOut } from '../jobs/left-out.ts';
import type { TouchedProject } from '../engine/touched-project.ts';
import type { Deletion } from './deletion.ts';
import type { SpanPlace } from './move-traces.ts';
import type { ErasePart, LeftOutOfRemoval, RemovalPlan } from './removal-plan.ts';
import type { DeletionCalls } from './writer-calls.ts';

/** The threads that do the work, and who is told of it. */
export interface RemovalOptions {
  readonly writer: Pick<
    DeletionCalls,
    'hideNext' | 'erase' | 'advanceDeletion' | 'followTraces' | 'moveNextSpans' | 'giveBackPages' | 'sweepItems'
  >;
  readonly plan: (maxSpans: number, leftOut: LeftOutOfRemoval) => Promise<RemovalPlan | undefined>;
  /** Whether the writer has something more urgent to do. */
  readonly isBusy: () => boolean;
  /** How long to rest after each step, as a share of the time that it took the writer. */
  readonly restRatio: number;
  /** Told where something changed that is shown. */
  readonly onTouched: (touched: readonly TouchedProject[]) => void;
  readonly onErased: (spanCount: number) => void;
  /** Told when the spans of a deletion are erased; with `null`, when those of all moved traces have followed. */
  readonly onAllErased: (deletionRowId: number | null) => void;
  /** Told when nothing is left to be done for a deletion. */
  readonly onFinished: (deletion: Deletion) => void;
  readonly onError: (message: string, error: unknown) => void;
}

/** Looks when it is woken, until it is stopped. */
export function removalJob(options: RemovalOptions): JobLoop<RemovalPlan> {
  const { isBusy, restRatio, onError } = options;
  const steps = new RemovalSteps(options);
  return new JobLoop({
    plan: () => steps.plan(),
    apply: (plan) => steps.apply(plan),
    isBusy,
    patienceMs: 100,
    everyMs: () => (steps.isIndexAwaited ? INDEX_LOOK_MS : LOOK_MS),
    restMs: (_stepMs, applyMs) => Math.min(applyMs * restRatio, MAX_REST_MS),
    retryMs: [1000, 60_000],
    onError: (error) => onError('deleted or moved data could not be cleaned up for now', error),
  });
}

/** How often to look where nobody wakes it, and whether the search index has forgotten what was erased. */
const LOOK_MS = 30_000;
const INDEX_LOOK_MS = 2000;

const MAX_REST_MS = 500;

class RemovalSteps {
  readonly #options: RemovalOptions;
  /** Fewer take hardly less time: most of it is the transaction's own. Measured: 75 µs of processor time for each span. */
  readonly #batch = new BatchSize({ first: 100, least: 100, most: 500, fitMs: 15 });
  readonly #movedBatch = new BatchSize({ first: 200, least: 100, most: 2000, fitMs: 20 });
  /** How far the trace has been followed that is being moved. */
  #moved: { readonly traceRowId: number; readonly after: SpanPlace } | undefined;
  /** Whether any was since that was told. */
  #isAnyMoved = false;
  readonly #leftOut = { deletions: new LeftOut(), traces: new LeftOut() };
  /** Whether the next part is of one span, so that the damaged trace of the part before is found. */
  #isCautious = false;
  /** Whether nothing is left to do but for what the search index has yet to free. */
  isIndexAwaited = false;

  constructor(options: RemovalOptions) {
    this.#options = options;
  }

  async plan(): Promise<RemovalPlan | undefined> {
    const { deletions, traces } = this.#leftOut;
    const leftOut = { deletionRowIds: deletions.items, traceRowIds: traces.items };
    const plan = await this.#options.plan(this.#isCautious ? 1 : this.#batch.size, leftOut);
    this.isIndexAwaited = false;
    if (plan === undefined || !('movedTraceRowIds' in plan)) this.#tellMoved();
    return plan;
  }

  /** What is damaged does not keep the rest from being erased. */
  async apply(plan: RemovalPlan): Promise<StepOutcome> {
    try {
      return await this.#apply(plan);
    } catch (error) {
      // On a full disk, there is room for less at a time.
      if (isFull(error) && 'deletion' in plan && plan.part !== null && this.#batch.halve()) return 'changed';
      if (!isDamage(error) || !('movedTraceRowIds' in plan || 'deletion' in plan)) throw error;
      this.#leaveOut(plan, error);
      // Less is left to look at, so this is progress, too.
      return 'changed';
    }
  }

  #leaveOut(plan: Extract<RemovalPlan, { movedTraceRowIds: unknown } | { deletion: unknown }>, error: unknown): void {
    const { onError } = this.#options;
    const isMove = 'movedTraceRowIds' in plan;
    const traceRowId = isMove ? plan.movedTraceRowIds[0] : (plan.part?.firstTraceRowId ?? null);
    if (!isMove && (traceRowId === null || this.#leftOut.traces.items.length >= MAX_LEFT_OUT)) {
      this.#leftOut.deletions.add(plan.deletion.rowId);
      onError(`deletion ${plan.deletion.rowId} is left out for now, because data that it erases is damaged`, error);
    } else if (traceRowId !== null && (isMove || this.#isCautious)) {
      this.#isCautious = false;
      this.#leftOut.traces.add(traceRowId);
      onError(`the trace with row ID ${traceRowId} is damaged, and is neither erased nor moved for now`, error);
    } else {
      this.#isCautious = true;
    }
  }

  async #apply(plan: RemovalPlan): Promise<StepOutcome> {
    if ('movedTraceRowIds' in plan) return this.#followMoved(plan.movedTraceRowIds);
    if ('jobLeavingItems' in plan) return this.#sweep(plan.jobLeavingItems);
    const { deletion, part, isIndexed } = plan;
    if (deletion.state === 'hiding') return this.#hide(deletion);
    if (deletion.state === 'shrinking') return this.#shrink(deletion, isIndexed);
    if (part !== null) return this.#erase(deletion, part);
    this.#options.onAllErased(deletion.rowId);
    return this.#advance(deletion, 'shrinking');
  }

  /** What a server that is gone has begun to hide. */
  async #hide(deletion: Deletion): Promise<StepOutcome> {
    const { writer, onTouched } = this.#options;
    const part = await writer.hideNext(deletion.rowId);
    if (part !== undefined && part.touched.length > 0) onTouched(part.touched);
    return 'changed';
  }

  async #sweep(jobId: number): Promise<StepOutcome> {
    return (await this.#options.writer.sweepItems(jobId)) > 0 ? 'changed' : 'unchanged';
  }

  /** Small traces together, a large one in parts. */
  async #followMoved(traceRowIds: readonly [number, ...number[]]): Promise<StepOutcome> {
    this.#isAnyMoved = true;
    const [traceRowId] = traceRowIds;
    const maxSpans = this.#movedBatch.size;
    const { writer } = this.#options;
    const follow = () => writer.followTraces(traceRowIds, maxSpans);
    const followed = await this.#movedBatch.measure(maxSpans, follow).catch((error: unknown) => {
      if (!isDamage(error)) throw error;
      return 0;
    });
    return followed > 0 ? 'changed' : this.#followInParts(traceRowId);
  }

  async #followInParts(traceRowId: number): Promise<StepOutcome> {
    const before = this.#moved?.traceRowId === traceRowId ? this.#moved.after : null;
    const { size } = this.#batch;
    const step = () => this.#options.writer.moveNextSpans(traceRowId, before, size);
    const { after } = await this.#batch.measure(size, step);
    this.#moved = after === null ? undefined : { traceRowId, after };
    return 'changed';
  }

  #tellMoved(): void {
    if (this.#isAnyMoved) this.#options.onAllErased(null);
    this.#isAnyMoved = false;
  }

  async #erase(deletion: Deletion, part: ErasePart): Promise<StepOutcome> {
    const { writer, onErased } = this.#options;
    const isErased = await this.#batch.measure(this.#batch.size, () => writer.erase(deletion, part));
    if (!isErased) return 'unchanged';
    onErased(part.spanRowIds.length + part.wholeTraceSpanRowIds.length);
    return 'changed';
  }

  /** Gives back what is free by now, and waits for what the search index frees. */
  async #shrink(deletion: Deletion, isIndexed: boolean): Promise<StepOutcome> {
    const left = await this.#options.writer.giveBackPages(PAGES_A_STEP);
    if (left > 0) return 'changed';
    if (!isIndexed) return this.#advance(deletion, 'finished');
    this.isIndexAwaited = true;
    return 'caught up';
  }

  async #advance(deletion: Deletion, state: 'shrinking' | 'finished'): Promise<StepOutcome> {
    if (!(await this.#options.writer.advanceDeletion(deletion.rowId, state))) return 'unchanged';
    if (state === 'finished') this.#options.onFinished({ ...deletion, state, finishedAtUs: Date.now() * 1000 });
    return 'changed';
  }
}

/** Damaged traces that are left out one by one; where there are more, their whole deletion is. */
const MAX_LEFT_OUT = 1000;

/** Pages that one step moves. */
const PAGES_A_STEP = 100;
