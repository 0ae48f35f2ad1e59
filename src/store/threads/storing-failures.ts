/** What readiness knows of requests that were not stored. */
import { AppError } from '#base/errors';

/**
 * Remembers for a while why the latest request was not stored: only the next request that is stored shows that the reason is gone. If the
 * reason was damage, it stays as long as the server knows of damage to the database.
 */
export class StoringFailures {
  readonly #isDamaged: () => boolean;
  readonly #now: () => number;
  #latest: { readonly error: AppError; readonly at: number } | null = null;

  constructor(isDamaged: () => boolean, now = Date.now) {
    this.#isDamaged = isDamaged;
    this.#now = now;
  }

  /** The outcome of storing a request. */
  async watch<T>(storing: Promise<T>): Promise<T> {
    try {
      const result = await storing;
      this.#latest = null;
      return result;
    } catch (error) {
      if (isOfStorage(error)) this.#latest = { error, at: this.#now() };
      throw error;
    }
  }

  /** Why the latest was not stored; `null` where it was, or that is long ago. */
  latest(): string | null {
    if (this.#latest === null) return null;
    const { error, at } = this.#latest;
    const isOver = error.reason === 'damage' ? !this.#isDamaged() : this.#now() - at >= REMEMBERED_MS;
    return isOver ? null : error.message;
  }
}

const REMEMBERED_MS = 60_000;

function isOfStorage(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'unavailable' || error.code === 'insufficient_storage');
}
