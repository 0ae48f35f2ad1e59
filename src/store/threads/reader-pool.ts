/** Reader threads seen from the main thread: each read goes to the one with the least to do. */
import type { CompiledQuery, QueryResult } from 'kysely';
import { AppError } from '#base/errors';
import type { Aggregates } from '../aggregates/port.ts';
import type { LogBrowser } from '../logs/port.ts';
import type { CostReader } from '../prices/cost-port.ts';
import type { TextSearch } from '../search/port.ts';
import type { TelemetryBrowser } from '../spans/browse-port.ts';
import type { SpanStore } from '../spans/port.ts';
import { Thread, type ThreadOptions } from './thread.ts';

/** Of one thread; one connection can bring tens of thousands of requests at once. */
const MAX_PENDING_CALLS = 500;

/** A bounded number of reader threads. */
export class ReaderPool {
  readonly #threads: readonly Thread[];

  constructor(size: number, options: ThreadOptions) {
    this.#threads = Array.from({ length: size }, () => new Thread(options));
  }

  /** Runs one statement. */
  async query(query: CompiledQuery): Promise<QueryResult<unknown>> {
    return (await this.call('query', [query.sql, query.parameters])) as QueryResult<unknown>;
  }

  /** The span store of whichever thread is free. */
  get spans(): SpanStore & TelemetryBrowser & LogBrowser & CostReader {
    return this.#port<SpanStore & TelemetryBrowser & LogBrowser & CostReader>();
  }

  /** The search of whichever thread is free. */
  get search(): TextSearch {
    return this.#port<TextSearch>();
  }

  /** The aggregates of whichever thread is free. */
  get aggregates(): Aggregates {
    return this.#port<Aggregates>();
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

  /** Methods are handlers of the threads. */
  #port<Port extends object>(): Port {
    return new Proxy({} as Port, {
      get:
        (_target, method) =>
        (...parameters: unknown[]) =>
          this.call(String(method), parameters),
    });
  }
}
