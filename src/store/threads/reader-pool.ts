/** Reader threads seen from the main thread: each read goes to the one with the least to do. */
import { AppError } from '#base/errors';
import { Thread, type ThreadOptions } from './thread.ts';

/** Of one thread; one connection can bring tens of thousands of requests at once. */
const MAX_PENDING_CALLS = 500;

/** Reader threads, wherever they read. */
export interface Readers {
  /** The answer of a handler of theirs. */
  call(method: string, parameters: readonly unknown[]): Promise<unknown>;
}

/** A bounded number of reader threads. */
export class ReaderPool {
  readonly #threads: readonly Thread[];

  constructor(size: number, options: ThreadOptions) {
    this.#threads = Array.from({ length: size }, () => new Thread(options));
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  /**
   * The answer of the handler, from whichever thread has the least to do.
   * @throws AppError `resource_exhausted` while too many calls wait for every thread
   */
  call(method: string, parameters: readonly unknown[]): Promise<unknown> {
    const idle = this.#findIdlest();
    if (idle.pendingCount >= MAX_PENDING_CALLS) {
      return Promise.reject(
        new AppError('resource_exhausted', 'Too many requests wait to be read for already. Try again later.', {
          retryAfterSeconds: 1,
        }),
      );
    }
    return idle.call(method, parameters);
  }

  /**
   * Like {@link call}, for short questions of the server's own work: they wait where a request is refused. All go to one
   * thread, so that a server that nobody asks anything needs no other.
   */
  async callUnrefused(method: string, parameters: readonly unknown[]): Promise<unknown> {
    return this.#threads[0]?.call(method, parameters);
  }

  /** One that does not run yet, and takes memory from then on, only where every other has two calls at once. */
  #findIdlest(): Thread {
    const workOf = (thread: Thread) => thread.pendingCount + (thread.isRunning ? 0 : 1);
    return this.#threads.reduce((least, thread) => (workOf(thread) < workOf(least) ? thread : least));
  }
}
