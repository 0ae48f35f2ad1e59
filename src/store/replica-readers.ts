/** Readers of a replica, in front of those of the primary: what only reads is theirs as long as the replica can be used. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { errorMessage } from '#base/errors';
import { isReadOnly } from '#base/read-only';
import { StorageError } from './engine/storage-error.ts';
import type { ReaderCalls } from './reader-calls.ts';
import type { ReaderPool } from './threads/reader-pool.ts';
import type { Callable } from './threads/remote-port.ts';
import type { AnswerOf, MethodOf } from './threads/rpc.ts';

/** Who hears of a replica. */
export interface ReplicaWatcher {
  /** Called for each read, with who answers it. */
  onRead(server: 'replica' | 'primary'): void;
  /** How long the replica took to have what the primary had, in milliseconds. */
  onLag(milliseconds: number): void;
  /** Called when reads go to the replica from now on. */
  onUsed(): void;
  /** Called when they go to the primary from now on, also at the start. */
  onUnused(reason: string): void;
}

/** A replica as `openDatabase` is told of it. */
export interface ReplicaOptions extends ReplicaWatcher {
  /** Starts a thread that reads from it. */
  readonly spawnReader: () => Worker;
}

/**
 * Asks the replica, and the primary where that fails. Whether the replica can be used is tried all the time, so that reads come back to
 * it by themselves.
 */
export class ReplicaReaders implements Callable<ReaderCalls> {
  readonly #primary: ReaderPool<ReaderCalls>;
  readonly #replica: ReaderPool<ReaderCalls>;
  readonly #watcher: ReplicaWatcher;
  /** Give up calls that wait for the replica, so that the primary is asked. */
  readonly #waiting = new Set<(error: unknown) => void>();
  readonly #closing = new AbortController();
  readonly #watching: Promise<void>;
  /** Ends the pause before the next look. */
  #pause = new AbortController();
  #isUsed = false;
  /** What was told last. */
  #told: 'used' | 'unused' | undefined;

  /** `replica` is closed with this, `primary` is not. */
  constructor(primary: ReaderPool<ReaderCalls>, replica: ReaderPool<ReaderCalls>, watcher: ReplicaWatcher) {
    this.#primary = primary;
    this.#replica = replica;
    this.#watcher = watcher;
    this.#watching = this.#watch();
  }

  async call<Method extends MethodOf<ReaderCalls>>(
    method: Method,
    parameters: Parameters<ReaderCalls[Method]>,
  ): Promise<AnswerOf<ReaderCalls, Method>> {
    if (!isReadOnly()) return this.#primary.call(method, parameters);
    if (this.#isUsed) {
      try {
        const answer = await this.#callReplica(method, parameters);
        this.#watcher.onRead('replica');
        return answer;
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
        if (error.fault === 'unavailable') this.#doubt();
      }
    }
    this.#watcher.onRead('primary');
    return this.#primary.call(method, parameters);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#replica.close();
    await this.#watching;
  }

  #callReplica<Method extends MethodOf<ReaderCalls>>(
    method: Method,
    parameters: Parameters<ReaderCalls[Method]>,
  ): Promise<AnswerOf<ReaderCalls, Method>> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      void this.#replica
        .call(method, parameters)
        .then(resolve, reject)
        .finally(() => this.#waiting.delete(reject));
    });
  }

  /** It is not used until it was looked at, which is done at once. */
  #doubt(): void {
    this.#isUsed = false;
    this.#pause.abort();
  }

  async #watch(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      this.#pause = new AbortController();
      await this.#look();
      const signal = AbortSignal.any([this.#closing.signal, this.#pause.signal]);
      await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    try {
      this.#watcher.onLag(await this.#replica.callUnrefused('measureLag', []));
      this.#isUsed = true;
      if (this.#told !== 'used') this.#watcher.onUsed();
      this.#told = 'used';
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#isUsed = false;
      for (const giveUp of this.#waiting) giveUp(new StorageError('unavailable', 'the replica was given up', error));
      if (this.#told !== 'unused') this.#watcher.onUnused(errorMessage(error));
      this.#told = 'unused';
    }
  }
}

/** A statement on each server; it also says how far behind the replica is. */
const LOOK_EVERY_MS = 2000;
