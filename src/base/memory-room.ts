/**
 * A bound on the bytes that large allocations of one purpose take together, in all threads.
 *
 * Room is taken before memory is. Those that wait get it in the order in which they came, so that a large one is not passed
 * for ever. One that is larger than all of the room gets it when nobody else has any.
 */
import { AppError } from './errors.ts';

/** The bounds of a {@link MemoryRoom}. */
export interface MemoryRoomOptions {
  readonly maxBytes: number;
  /** How long those that wait do so before they are refused. */
  readonly waitMs: number;
}

/** What was taken, until it is disposed of. */
export type RoomShare = Disposable;

interface Waiter {
  readonly bytes: number;
  admit(): void;
}

/** Shares out a number of bytes. */
export class MemoryRoom {
  readonly #options: MemoryRoomOptions;
  readonly #waiting = new Set<Waiter>();
  #takenBytes = 0;

  constructor(options: MemoryRoomOptions) {
    this.#options = options;
  }

  /** The bytes that are taken now; never more than there are. */
  get takenBytes(): number {
    return this.#takenBytes;
  }

  /** Room for so many bytes if it is there now, and nobody waits for it. */
  tryTake(bytes: number): RoomShare | undefined {
    return this.#waiting.size > 0 ? undefined : this.#admit(bytes);
  }

  /** @throws AppError `unavailable` after the time that one may wait */
  async take(bytes: number): Promise<RoomShare> {
    const share = this.tryTake(bytes);
    if (share !== undefined) return share;
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        bytes,
        admit: () => {
          const admitted = this.#admit(bytes);
          if (admitted === undefined) return;
          clearTimeout(timer);
          this.#waiting.delete(waiter);
          resolve(admitted);
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(waiter);
        reject(noMemory());
        this.#admitWaiting();
      }, this.#options.waitMs);
      this.#waiting.add(waiter);
    });
  }

  #admit(bytes: number): RoomShare | undefined {
    const { maxBytes } = this.#options;
    const charged = Math.min(bytes, maxBytes);
    if (this.#takenBytes + charged > maxBytes) return undefined;
    this.#takenBytes += charged;
    let isTaken = true;
    return {
      [Symbol.dispose]: () => {
        if (!isTaken) return;
        isTaken = false;
        this.#takenBytes -= charged;
        this.#admitWaiting();
      },
    };
  }

  #admitWaiting(): void {
    for (const waiter of this.#waiting) {
      waiter.admit();
      if (this.#waiting.has(waiter)) return;
    }
  }
}

/** What is said where there is no memory for a request beside the others. */
export function noMemory(): AppError {
  return new AppError(
    'unavailable',
    'The server has no memory for this request beside those that it is answering. Try again later, or ask for less at once.',
    { retryAfterSeconds: 1 },
  );
}
