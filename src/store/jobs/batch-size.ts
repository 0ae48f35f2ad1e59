/** How many items go in one transaction, so that none keeps an acknowledgement waiting for long. */

/** Bounds of a batch. */
export interface BatchBounds {
  readonly first: number;
  readonly least: number;
  readonly most: number;
  /** How long a batch may take, in milliseconds. */
  readonly fitMs: number;
}

/** Grows and shrinks with how long batches take. */
export class BatchSize {
  readonly #bounds: BatchBounds;
  #size: number;

  constructor(bounds: BatchBounds) {
    this.#bounds = bounds;
    this.#size = bounds.first;
  }

  /** Of the next batch. */
  get size(): number {
    return this.#size;
  }

  /** Does the work of so many items; the next batch has as many as would have fitted. */
  async measure<T>(itemCount: number, work: () => Promise<T>): Promise<T> {
    const { least, most, fitMs } = this.#bounds;
    const startedMs = performance.now();
    const result = await work();
    const fitting = Math.floor((itemCount * fitMs) / Math.max(performance.now() - startedMs, 1));
    this.#size = Math.min(Math.max(fitting, least), 2 * this.#size, most);
    return result;
  }
}
