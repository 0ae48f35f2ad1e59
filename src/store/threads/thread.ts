/** A worker thread seen from the main thread: calls go in, promises come out, and a thread that dies is replaced. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transferable, Worker } from 'node:worker_threads';
import { type Asker, currentAsker } from '#base/asker';
import { currentSignal } from '#base/cancellation';
import { AppError, errorMessage } from '#base/errors';
import { MemoryRoom } from '#base/memory-room';
import type { Damage } from '../engine/damage.ts';
import {
  type AnswerMessage,
  type AnswerOf,
  type CallHandlers,
  type CallMessage,
  type CancelMessage,
  type DamageMessage,
  type LogMessage,
  type MethodOf,
  toError,
} from './rpc.ts';
import type { RoomAnswer, RoomMessage } from './thread-room.ts';
import { WorkerRoom, type WorkerRooms } from './worker-room.ts';

interface PendingCall {
  readonly method: string;
  readonly asker: Asker | undefined;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** How a thread is started and who hears when one dies. */
export interface ThreadOptions {
  /** Starts the worker; called again after one has died. */
  readonly spawn: () => Worker;
  readonly onDeath: (reason: string) => void;
  readonly onLog: (line: LogMessage['log']) => void;
  /** Hears of damage that the thread found. */
  readonly onDamage?: (damage: Damage) => void;
  /** Hears of each answer how long the thread did nothing else for it at a time. */
  readonly onAnswered?: (method: string, asker: Asker | undefined, longestTurnMs: number) => void;
  /** Milliseconds without a call after which the worker is ended, to be started again by the next; it stays if absent. */
  readonly endAfterIdleMs?: number;
  /** Where the worker takes room for what it reads; without bounds if absent. */
  readonly rooms?: WorkerRooms;
}

/** Why a call failed, for logs and for whoever starts the server: the death of the thread where that is why. */
export function causeOf(error: unknown): string {
  return errorMessage(error instanceof AppError ? (error.cause ?? error) : error);
}

/** A worker that answers calls; `Handlers` is what it serves. */
export class Thread<Handlers extends CallHandlers> {
  readonly #options: ThreadOptions;
  readonly #pending = new Map<number, PendingCall>();
  #worker: Worker | undefined;
  #lastId = 0;
  #isClosed = false;
  /** Threads that died one after the other without an answer, and until when no other is started. */
  #failedStarts = 0;
  #notBefore = 0;
  #hasAnswered = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** Whether it has a worker now. */
  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /** Calls that wait for their answer. */
  get pendingCount(): number {
    return this.#pending.size;
  }

  /**
   * The answer of the worker's handler. Buffers in `transfer` are moved to it.
   * @throws AppError as the handler threw it; `unavailable` when the thread dies or is closed before it answers, or dies
   * each time it is started; what the signal of the caller says when that ends, of which the handler hears
   */
  call<Method extends MethodOf<Handlers>>(
    method: Method,
    parameters: Parameters<Handlers[Method]>,
    transfer: readonly Transferable[] = [],
  ): Promise<AnswerOf<Handlers, Method>> {
    // What the worker serves under that name is what the type says of it.
    return this.#send(method, parameters, transfer) as Promise<AnswerOf<Handlers, Method>>;
  }

  #send(method: string, parameters: readonly unknown[], transfer: readonly Transferable[]): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(new AppError('unavailable', 'The server is stopping.'));
    if (this.#worker === undefined && performance.now() < this.#notBefore) {
      const retryAfterSeconds = Math.ceil((this.#notBefore - performance.now()) / 1000);
      return Promise.reject(new AppError('unavailable', UNFINISHED, { retryAfterSeconds }));
    }
    clearTimeout(this.#idleTimer);
    const signal = currentSignal();
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    this.#worker ??= outsideOfCalls(() => this.#start());
    const id = ++this.#lastId;
    const asker = currentAsker();
    const message: CallMessage = { id, method, parameters, isCancellable: signal !== undefined, asker };
    const answer = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { method, asker, resolve, reject }));
    if (signal !== undefined) this.#cancelWith(signal, id, answer);
    try {
      this.#worker.postMessage(message, transfer);
    } catch (error) {
      this.#settle(id)?.reject(
        new Error(`the call ${method} cannot be sent: ${errorMessage(error)}`, { cause: error }),
      );
    }
    return answer;
  }

  /** Lets the worker finish what it was called for, has it close, and ends it. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    clearTimeout(this.#idleTimer);
    const closing = this.#worker === undefined ? undefined : this.#send('close', [], []);
    this.#isClosed = true;
    // One that dies on its way out is closed too, and what comes after it must be closed as well.
    await closing?.catch((error: unknown) =>
      this.#options.onLog({ level: 'error', message: 'a worker thread died while closing', stack: causeOf(error) }),
    );
    await this.#worker?.terminate();
  }

  /** Ends the worker whatever it does or waits for, its start included; calls are refused. For one that only reads. */
  async abandon(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
    await this.#worker?.terminate();
  }

  #cancelWith(signal: AbortSignal, id: number, answer: Promise<unknown>): void {
    const worker = this.#worker;
    const cancel = () => {
      this.#settle(id)?.reject(signal.reason as Error);
      worker?.postMessage({ cancelledId: id } satisfies CancelMessage);
    };
    signal.addEventListener('abort', cancel, { once: true });
    const forget = () => signal.removeEventListener('abort', cancel);
    answer.then(forget, forget);
  }

  #start(): Worker {
    const worker = this.#options.spawn();
    this.#hasAnswered = false;
    const { rooms = UNBOUNDED } = this.#options;
    const held = new WorkerRoom(rooms, (answer) => worker.postMessage(answer satisfies RoomAnswer));
    worker.on('message', (message: AnswerMessage | LogMessage | DamageMessage | RoomMessage) => {
      if ('log' in message) return this.#options.onLog(message.log);
      if ('damage' in message) return this.#options.onDamage?.(message.damage);
      if ('roomId' in message || 'freedRoomId' in message) return held.hear(message);
      this.#hasAnswered = true;
      const call = this.#settle(message.id);
      if (call !== undefined) this.#options.onAnswered?.(call.method, call.asker, message.longestTurnMs);
      if ('error' in message) call?.reject(toError(message.error));
      else call?.resolve(message.result);
    });
    worker.on('error', (error) => this.#bury(worker, errorMessage(error)));
    worker.on('exit', (code) => {
      held[Symbol.dispose]();
      this.#bury(worker, `it ended with code ${code}`);
    });
    return worker;
  }

  #settle(id: number): PendingCall | undefined {
    const call = this.#pending.get(id);
    this.#pending.delete(id);
    if (this.#pending.size === 0 && this.#options.endAfterIdleMs !== undefined)
      this.#idleTimer = setTimeout(() => this.#rest(), this.#options.endAfterIdleMs).unref();
    return call;
  }

  /** Ends the worker; the next call starts another. */
  #rest(): void {
    const worker = this.#worker;
    if (worker === undefined || this.#pending.size > 0 || this.#isClosed) return;
    this.#worker = undefined;
    // What has nothing to do has nothing open but its connection, which ends with it.
    void worker.terminate();
  }

  /** Whether its work was done is unknown, so every waiting caller is told to try again. */
  #bury(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#failedStarts = this.#hasAnswered ? 0 : this.#failedStarts + 1;
    // The first is replaced at once; what cannot even open its file must not be tried again and again without a pause.
    const pauseMs = this.#failedStarts < 2 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** this.#failedStarts, LONGEST_PAUSE_MS);
    this.#notBefore = performance.now() + pauseMs;
    for (const call of this.#pending.values()) {
      call.reject(
        new AppError('unavailable', UNFINISHED, {
          cause: new Error(reason),
          retryAfterSeconds: 1,
        }),
      );
    }
    this.#pending.clear();
    if (!this.#isClosed) this.#options.onDeath(reason);
  }
}

/** A worker reports outside of the call that started it: the signal of that call may have been aborted. */
const outsideOfCalls = AsyncLocalStorage.snapshot();

const unbounded = new MemoryRoom({ maxBytes: Infinity, waitMs: 0 }).part();
const UNBOUNDED: WorkerRooms = { batches: unbounded, innerBatches: unbounded, originals: unbounded };

const UNFINISHED = 'The request could not be completed; try again.';
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 10_000;
