/** When a thread does what nobody waits for: once its callers have been quiet for a while, and step by step. */

/** What is done, and when. */
export interface RestOptions {
  /** One step; `isIdle` where nothing was done since the step before. Returns whether something is left to do. */
  readonly step: (isIdle: boolean) => Promise<boolean>;
  /** How long callers must have been quiet, and the time between two steps; a tenth of it while nothing else is done. */
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
}

/** Steps as long as there is something to do; it does not keep the thread from ending. */
export class RestTimer {
  readonly #options: RestOptions;
  #timer: NodeJS.Timeout | undefined;
  #awaitedAt = Number.NEGATIVE_INFINITY;
  #hasWorked = false;
  #isClosed = false;

  constructor(options: RestOptions) {
    this.#options = options;
  }

  /** To be called after each piece of work. @param isAwaited whether a caller waited for it, who may come again */
  noteWork(isAwaited: boolean): void {
    this.#hasWorked = true;
    if (isAwaited) this.#awaitedAt = performance.now();
    this.#arm();
  }

  /** No further step. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #arm(afterMs = this.#options.everyMs): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => void this.#tick(), afterMs).unref();
  }

  async #tick(): Promise<void> {
    const { step, everyMs, onError } = this.#options;
    const isQuiet = performance.now() - this.#awaitedAt >= everyMs;
    const isIdle = isQuiet && !this.#hasWorked;
    let isLeft = true;
    if (isQuiet) {
      this.#hasWorked = false;
      isLeft = await step(isIdle).catch((error: unknown) => {
        onError(error);
        return false;
      });
    }
    this.#timer = undefined;
    // The last step is one before which nothing was done, and which left nothing.
    if (isLeft || !isIdle || this.#hasWorked) this.#arm(isIdle && isLeft ? everyMs / 10 : everyMs);
  }
}
