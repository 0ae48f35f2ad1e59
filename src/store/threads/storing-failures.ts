/** What readiness knows of requests that were not stored. */
import { AppError, errorMessage } from '#base/errors';

/** Remembers why the latest request was not stored, for a while: nothing says that the reason is gone but the next one that is. */
export class StoringFailures {
  readonly #now: () => number;
  #latest: { readonly message: string; readonly at: number } | null = null;

  constructor(now = Date.now) {
    this.#now = now;
  }

  /** The outcome of storing a request. */
  async watch<T>(storing: Promise<T>): Promise<T> {
    try {
      const result = await storing;
      this.#latest = null;
      return result;
    } catch (error) {
      if (isOfStorage(error)) this.#latest = { message: errorMessage(error), at: this.#now() };
      throw error;
    }
  }

  /** Why the latest was not stored; `null` where it was, or that is long ago. */
  latest(): string | null {
    return this.#latest !== null && this.#now() - this.#latest.at < REMEMBERED_MS ? this.#latest.message : null;
  }
}

const REMEMBERED_MS = 60_000;

function isOfStorage(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'unavailable' || error.code === 'insufficient_storage');
}
