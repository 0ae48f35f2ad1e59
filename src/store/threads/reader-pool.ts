/** Reader threads seen from the main thread: each read goes to the one with the least to do. */
import { currentSignal } from '#base/cancellation';
import { AppError } from '#base/errors';
import { Semaphore } from '#base/semaphore';
import type { AnswerOf, CallHandlers, MethodOf } from './rpc.ts';
import { Thread, type ThreadOptions } from './thread.ts';

/** Of one thread; one connection can bring tens of thousands of requests at once. */
const MAX_PENDING_CALLS = 500;

/**
 * Of one caller at a time: as many as keep every reader busy. Lists within lists ask for a thousand pages at once, which
 * would make all other callers wait, or be refused.
 */
const MAX_CALLS_OF_ONE = 4;

/** A bounded number of reader threads. */
export class ReaderPool<Handlers extends CallHandlers> {
  readonly #threads: readonly [Thread<Handlers>, ...Thread<Handlers>[]];
  /** By what ends the work for a caller. */
  readonly #turns = new WeakMap<AbortSignal, Semaphore>();

  constructor(size: number, options: ThreadOptions) {
    const others = Array.from({ length: size - 1 }, () => new Thread<Handlers>(options));
    this.#threads = [new Thread(options), ...others];
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  /**
   * The answer of the handler, from whichever thread has the least to do. Calls of one caller wait for each other where they
   * are many.
   * @throws AppError `resource_exhausted` while too many calls wait for every thread
   */
  call<Method extends MethodOf<Handlers>>(
    method: Method,
    parameters: Parameters<Handlers[Method]>,
  ): Promise<AnswerOf<Handlers, Method>> {
    const signal = currentSignal();
    if (signal === undefined) return this.#callIdlest(method, parameters);
    let turns = this.#turns.get(signal);
    if (turns === undefined) {
      turns = new Semaphore(MAX_CALLS_OF_ONE);
      this.#turns.set(signal, turns);
    }
    return turns.run(() => this.#callIdlest(method, parameters));
  }

  #callIdlest<Method extends MethodOf<Handlers>>(
    method: Method,
    parameters: Parameters<Handlers[Method]>,
  ): Promise<AnswerOf<Handlers, Method>> {
    const idle = this.#findIdlest();
    if (idle.pendingCount >= MAX_PENDING_CALLS) {
      return Promise.reject(
        new AppError('resource_exhausted', 'Too many read requests are already waiting. Try again later.', {
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
  async callUnrefused<Method extends MethodOf<Handlers>>(
    method: Method,
    parameters: Parameters<Handlers[Method]>,
  ): Promise<AnswerOf<Handlers, Method>> {
    return this.#threads[0].call(method, parameters);
  }

  /** One that does not run yet, and takes memory from then on, only where every other has two calls at once. */
  #findIdlest(): Thread<Handlers> {
    const workOf = (thread: Thread<Handlers>) => thread.pendingCount + (thread.isRunning ? 0 : 1);
    return this.#threads.reduce((least, thread) => (workOf(thread) < workOf(least) ? thread : least));
  }
}
