/**
 * A bound on the bytes of all requests that are not answered yet.
 *
 * Newcomers are admitted in the order of their arrival. A request that already holds bytes and asks for more goes before
 * them, and growing requests pass each other: a request that can finish frees what the others wait for. Requests that can only
 * wait for each other part when the first of them has waited long enough.
 */
import { AppError } from '#base/errors';
import type { Reservation, ExportReceiver } from './receiver.ts';

/** When a refused exporter may come again; short, because each commit frees room. */
const RETRY_AFTER_SECONDS = 1;

/** The bounds of a {@link ByteBudget}. */
export interface ByteBudgetOptions {
  readonly maxBytes: number;
  /** How long a request waits for room. */
  readonly waitMs: number;
  /** How many newcomers may wait; the next is refused at once. */
  readonly maxWaiting: number;
}

/** What one reservation asked for and was given. */
interface Share {
  requestedBytes: number;
}

interface Waiter {
  readonly share: Share;
  readonly bytes: number;
  /** Ends the wait: admitted, or refused with the error. */
  settle(error?: AppError): void;
}

/** Shares out a fixed number of bytes. A request larger than all of them is admitted when it is alone. */
export class ByteBudget implements Pick<ExportReceiver, 'reserve'> {
  readonly #options: ByteBudgetOptions;
  readonly #newcomers = new Set<Waiter>();
  readonly #growing = new Set<Waiter>();
  #inFlightBytes = 0;

  constructor(options: ByteBudgetOptions) {
    this.#options = options;
  }

  /** The bytes set aside now; never above the budget. */
  get inFlightBytes(): number {
    return this.#inFlightBytes;
  }

  async reserve(bytes: number): Promise<Reservation> {
    const share: Share = { requestedBytes: 0 };
    if (this.#newcomers.size > 0 || !this.#admit(share, bytes)) {
      if (this.#newcomers.size >= this.#options.maxWaiting) {
        throw new AppError('resource_exhausted', 'Too many requests are already waiting for room. Try again later.', {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      }
      await this.#wait(this.#newcomers, share, bytes);
    }
    return {
      grow: async (more) => {
        if (!this.#admit(share, more)) await this.#wait(this.#growing, share, more);
      },
      [Symbol.dispose]: () => this.#release(share),
    };
  }

  /** What a request of that many bytes takes from the budget. */
  #charge(requestedBytes: number): number {
    return Math.min(requestedBytes, this.#options.maxBytes);
  }

  #admit(share: Share, bytes: number): boolean {
    const requestedBytes = share.requestedBytes + bytes;
    const extraBytes = this.#charge(requestedBytes) - this.#charge(share.requestedBytes);
    if (this.#inFlightBytes + extraBytes > this.#options.maxBytes) return false;
    this.#inFlightBytes += extraBytes;
    share.requestedBytes = requestedBytes;
    return true;
  }

  #wait(queue: Set<Waiter>, share: Share, bytes: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = {
      share,
      bytes,
      settle: (error) => {
        clearTimeout(timer);
        queue.delete(waiter);
        if (error) reject(error);
        else resolve();
      },
    };
    const timer = setTimeout(() => {
      waiter.settle(
        new AppError('unavailable', 'The server is at capacity. Try again later.', {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        }),
      );
      // A large request at the head may have held up smaller ones.
      this.#admitWaiting();
    }, this.#options.waitMs);
    queue.add(waiter);
    return promise;
  }

  #release(share: Share): void {
    for (const waiter of this.#growing) {
      if (waiter.share === share)
        waiter.settle(new AppError('unavailable', 'The client ended the request before there was room for it.'));
    }
    this.#inFlightBytes -= this.#charge(share.requestedBytes);
    share.requestedBytes = 0;
    this.#admitWaiting();
  }

  #admitWaiting(): void {
    for (const waiter of this.#growing) {
      if (this.#admit(waiter.share, waiter.bytes)) waiter.settle();
    }
    for (const waiter of this.#newcomers) {
      if (!this.#admit(waiter.share, waiter.bytes)) return;
      waiter.settle();
    }
  }
}
