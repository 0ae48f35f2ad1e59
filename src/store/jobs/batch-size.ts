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
  /** Less than `most` after a batch that had no room. */
  #ceiling: number;

  constructor(bounds: BatchBounds) {
    this.#bounds = bounds;
    this.#size = bounds.first;
    this.#ceiling = bounds.most;
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
    this.#ceiling = Math.min(Math.ceil(this.#ceiling * CEILING_GROWTH), most);
    this.#size = Math.min(Math.max(fitting, least), 2 * this.#size, this.#ceiling);
    return result;
  }

  /** Halves it, because a batch had no room; it grows back slowly. Says whether it could be halved. */
  halve(): boolean {
    if (this.#size === 1) return false;
    this.#size = Math.floor(this.#size / 2);
    this.#ceiling = this.#size;
    return true;
  }
}

/** Some eight batches pass before one of the size is tried again that had no room. */
const CEILING_GROWTH = 1.1;
