/**
 * Deletes and moves, from the main thread of any server. The writer hides in short transactions while the caller waits; what is
 * hidden is erased in the background by whichever server leads that.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, systemCaller } from '#domain/caller';
import type { TouchedProject } from '../engine/touched-project.ts';
import type { Deletion, DeletionRequest, TraceSelection } from './deletion.ts';
import { hideAll } from './hide-all.ts';
import type { DeletedTraces, TelemetryRemover } from './port.ts';
import type { DeletionCalls } from './writer-calls.ts';

/** Who does the work, and who is told of it. */
export interface RemoverOptions {
  readonly writer: Pick<DeletionCalls, 'deleteProject' | 'beginDeletion' | 'hideNext' | 'deleteSpan' | 'moveTraces'>;
  /** There is something to erase, or spans have to follow a moved trace. */
  readonly wakeEraser: () => void;
  /** Where something that is shown is another now. */
  readonly onTouched: (touched: readonly TouchedProject[]) => void;
}

/** Hides and moves at once, and waits a moment for the rest where that is little. */
export class Remover implements TelemetryRemover {
  readonly #options: RemoverOptions;
  readonly #caller: Caller;
  readonly #waiting: Set<Waiter>;

  constructor(options: RemoverOptions, caller = systemCaller('removal'), waiting = new Set<Waiter>()) {
    this.#options = options;
    this.#caller = caller;
    this.#waiting = waiting;
  }

  /** The same for somebody, whose doing it is then. */
  for(caller: Caller): Remover {
    return new Remover(this.#options, caller, this.#waiting);
  }

  async deleteProject(projectRowId: number): Promise<boolean> {
    const deleted = await this.#options.writer.deleteProject(this.#caller, projectRowId);
    if (deleted === undefined) return false;
    this.#options.onTouched(deleted.touched);
    this.#options.wakeEraser();
    return true;
  }

  deleteTraces(projectRowId: number, selection: TraceSelection): Promise<DeletedTraces | undefined> {
    return this.delete({ projectRowId, selection, reason: 'request', policyRowId: null });
  }

  /** Deletes traces, whoever wants it. */
  async delete(request: DeletionRequest): Promise<DeletedTraces | undefined> {
    const { writer, onTouched } = this.#options;
    const begun = await writer.beginDeletion(this.#caller, request);
    if (begun === undefined) return undefined;
    const { traceCount, spanCount } = await this.#waitFor(begun.rowId, async (erased) => {
      const hidden = await hideAll(begun, writer, onTouched);
      await this.#eraseIfSmall(hidden, erased);
      return hidden;
    });
    return { traceCount, spanCount };
  }

  async deleteSpan(spanRowId: number): Promise<boolean> {
    const { writer, onTouched } = this.#options;
    for (;;) {
      const deleted = await writer.deleteSpan(this.#caller, spanRowId);
      if (deleted === undefined) return false;
      if (deleted.state === 'begun') continue;
      if (deleted.state === 'gone') onTouched(deleted.touched);
      else {
        const { deletion, touched } = deleted.part;
        if (touched.length > 0) onTouched(touched);
        await this.#waitFor(deletion.rowId, (erased) => this.#eraseIfSmall(deletion, erased));
      }
      return true;
    }
  }

  async moveTraces(
    traceRowIds: readonly number[],
    projectRowId: number,
  ): Promise<{ readonly traceCount: number } | undefined> {
    const moved = await this.#options.writer.moveTraces(this.#caller, traceRowIds, projectRowId);
    if (moved === undefined) return undefined;
    const { traceCount, touched } = moved;
    if (touched.length > 0) {
      this.#options.onTouched(touched);
      await this.#waitFor(null, (arrived) => {
        this.#options.wakeEraser();
        return waitPatiently(arrived);
      });
    }
    return { traceCount };
  }

  /** A deletion is erased; with `null`, the spans of all moved traces have followed. */
  noteErased(deletionRowId: number | null): void {
    for (const waiter of this.#waiting) {
      if (waiter.deletionRowId === deletionRowId) waiter.resolve();
    }
  }

  /** Whoever deletes little finds the disk as it was without it; what is much is erased without being waited for. */
  async #eraseIfSmall({ state, spanCount }: Deletion, erased: Promise<void>): Promise<void> {
    if (state === 'finished') return;
    this.#options.wakeEraser();
    if (spanCount <= MAX_SMALL_SPANS) await waitPatiently(erased);
  }

  async #waitFor<T>(deletionRowId: number | null, work: (erased: Promise<void>) => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter = { deletionRowId, resolve };
    this.#waiting.add(waiter);
    try {
      return await work(promise);
    } finally {
      this.#waiting.delete(waiter);
    }
  }
}

interface Waiter {
  readonly deletionRowId: number | null;
  readonly resolve: () => void;
}

/** No longer than a caller should. */
async function waitPatiently(done: Promise<void>): Promise<void> {
  const patience = new AbortController();
  const { signal } = patience;
  await Promise.race([done, sleep(PATIENCE_MS, undefined, { signal, ref: false }).catch(() => undefined)]);
  patience.abort();
}

/** A deletion of no more spans is erased before it is answered, unless that takes longer than a moment. */
const MAX_SMALL_SPANS = 2000;
const PATIENCE_MS = 1000;
