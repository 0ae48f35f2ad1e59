/** Reader threads seen from the main thread: each read goes to the one with the least to do. */
import type { CompiledQuery, QueryResult } from 'kysely';
import { AppError } from '#base/errors';
import type { LogBrowser } from '../logs/port.ts';
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
  get spans(): SpanStore & TelemetryBrowser & LogBrowser {
    return new Proxy({} as SpanStore & TelemetryBrowser & LogBrowser, {
      get:
        (_target, method) =>
        (...parameters: unknown[]) =>
          this.call(String(method), parameters),
    });
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

  /** Like {@link call}, for the server's own work, of which there is little: it waits where a request is refused. */
  callInBackground(method: string, parameters: readonly unknown[]): Promise<unknown> {
    return this.#findIdlest().call(method, parameters);
  }

  #findIdlest(): Thread {
    return this.#threads.reduce((least, thread) => (thread.pendingCount < least.pendingCount ? thread : least));
  }
}
