/**
 * Reader threads seen from the main thread: each read goes to the one with the least to do. Those that keep a thread from all else for long
 * go to one thread a caller, so that another is there for what others ask.
 */
import { type Asker, asServer, currentAsker } from '#base/asker';
import { AppError } from '#base/errors';
import { Semaphore } from '#base/semaphore';
import { Shares } from '#base/shares';
import { LongCalls } from './long-calls.ts';
import type { AnswerOf, CallHandlers, MethodOf } from './rpc.ts';
import { Thread, type ThreadOptions } from './thread.ts';

/** Of all threads; one connection can bring tens of thousands of requests at once. */
const MAX_PENDING_CALLS = 1000;

/** Where one suffices, the others end after so long without a call. */
const REST_MS = 30_000;

/**
 * Of one operation at a time: as many as keep every reader busy. Lists within lists ask for a thousand pages at once, which
 * would make all others wait, or be refused.
 */
const MAX_CALLS_OF_ONE = 4;

/** What a long call counts for beside short ones: a short call had better wait for many others than for one of these. */
const LONG_WORK = 100;

/** A call that is under way and may keep its thread from all else. */
interface LongCall<Handlers extends CallHandlers> {
  readonly caller: string;
  readonly thread: Thread<Handlers>;
}

/** How a pool is run. */
export interface ReaderPoolOptions extends ThreadOptions {
  /** Whether a call of which nothing is known yet may keep a thread from all else for long; none does if absent. */
  readonly mayBeLong?: (method: string, parameters: readonly unknown[]) => boolean;
}

/** A bounded number of reader threads. */
export class ReaderPool<Handlers extends CallHandlers> {
  readonly #threads: readonly [Thread<Handlers>, ...Thread<Handlers>[]];
  /** By operation. */
  readonly #turns = new WeakMap<Asker, Semaphore>();
  /** Calls that are not answered, by caller. */
  readonly #pending = new Shares(MAX_PENDING_CALLS);

  readonly #mayBeLong: (method: string, parameters: readonly unknown[]) => boolean;
  readonly #lengths = new LongCalls();
  readonly #long = new Set<LongCall<Handlers>>();

  constructor(size: number, { mayBeLong = () => false, ...ofThreads }: ReaderPoolOptions) {
    this.#mayBeLong = mayBeLong;
    const options: ThreadOptions = {
      ...ofThreads,
      onAnswered: (method, asker, longestTurnMs) => {
        if (asker !== undefined) this.#lengths.note(asker, method, longestTurnMs);
      },
    };
    const others = Array.from(
      { length: size - 1 },
      () => new Thread<Handlers>({ ...options, endAfterIdleMs: REST_MS }),
    );
    this.#threads = [new Thread(options), ...others];
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  /**
   * The answer of the handler, from whichever thread has the least to do. Calls of one operation wait for each other where they
   * are many. The server's own are never refused, and start no other thread: nobody waits for them at the start of a server.
   * @throws AppError `resource_exhausted` while too many calls of the caller wait
   */
  call<Method extends MethodOf<Handlers>>(
    method: Method,
    parameters: Parameters<Handlers[Method]>,
  ): Promise<AnswerOf<Handlers, Method>> {
    const asker = currentAsker();
    if (asker === undefined) return this.#findIdlest(false).call(method, parameters);
    let turns = this.#turns.get(asker);
    if (turns === undefined) {
      turns = new Semaphore(MAX_CALLS_OF_ONE);
      this.#turns.set(asker, turns);
    }
    return turns.run(() => this.#callFor(asker, method, parameters));
  }

  async #callFor<Method extends MethodOf<Handlers>>(
    asker: Asker,
    method: Method,
    parameters: Parameters<Handlers[Method]>,
  ): Promise<AnswerOf<Handlers, Method>> {
    const [caller = ''] = asker.shares;
    if (!this.#pending.leavesRoom(caller, 1)) {
      throw new AppError('resource_exhausted', 'Too many of your read requests are already waiting. Try again later.', {
        retryAfterSeconds: 1,
      });
    }
    this.#pending.change(caller, 1);
    const isLong = this.#lengths.isLong(asker, method) ?? this.#mayBeLong(method, parameters);
    const thread = (isLong ? this.#findOccupied(caller) : undefined) ?? this.#findIdlest();
    const call = { caller, thread };
    if (isLong) this.#long.add(call);
    try {
      return await thread.call(method, parameters);
    } finally {
      this.#long.delete(call);
      this.#pending.change(caller, -1);
    }
  }

  /** The thread that has long calls of the caller. */
  #findOccupied(caller: string): Thread<Handlers> | undefined {
    return this.#long.values().find((call) => call.caller === caller)?.thread;
  }

  /**
   * Like {@link call}, for short questions of the server's own work, whoever gave rise to them. All go to one
   * thread, so that a server that nobody asks anything needs no other.
   */
  async callUnrefused<Method extends MethodOf<Handlers>>(
    method: Method,
    parameters: Parameters<Handlers[Method]>,
  ): Promise<AnswerOf<Handlers, Method>> {
    return asServer(() => this.#threads[0].call(method, parameters));
  }

  /** One that does not run yet, and takes memory from then on, only where every other has two calls at once. */
  #findIdlest(mayStart = true): Thread<Handlers> {
    const unstarted = mayStart ? 1 : Infinity;
    const longWorkOf = (thread: Thread<Handlers>) =>
      this.#long.values().reduce((work, call) => (call.thread === thread ? work + LONG_WORK : work), 0);
    const workOf = (thread: Thread<Handlers>) =>
      thread.pendingCount + longWorkOf(thread) + (thread.isRunning ? 0 : unstarted);
    return this.#threads.reduce((least, thread) => (workOf(thread) < workOf(least) ? thread : least));
  }
}
