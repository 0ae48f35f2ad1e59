/**
 * A bound on the bytes that large allocations take together, in all threads, shared out among purposes.
 *
 * Room is taken before memory is. Each purpose has a reserve that no other purpose takes, so that none of them keeps another from
 * going on; the rest goes to those that ask first. Within a purpose, the holder that has least gets room next. Otherwise those that wait
 * get room in the order in which they came, so that a large one is not passed for ever: only what fits into its purpose's reserve passes
 * those of other purposes. An allocation that is larger than all that its purpose may take gets that much when its purpose holds nothing else. While the process is short of memory, whatever the
 * accounts say, each purpose holds small allocations, a quarter of what it may take or its reserve, but for one that holds a single larger
 * one.
 */
import { AppError } from './errors.ts';
import { Shares } from './shares.ts';

/** The bounds of a {@link MemoryRoom}. */
export interface MemoryRoomOptions {
  readonly maxBytes: number;
  /** How long those that wait do so before they are refused. */
  readonly waitMs: number;
  /** Whether the process has come close to what it may take in all; never if absent. See {@link MemoryRoom.reconsider}. */
  readonly isShort?: () => boolean;
}

/** What was taken, until it is disposed of. */
export interface RoomShare extends Disposable {
  /** Gives back all but so many bytes. */
  readonly keep: (bytes: number) => void;
}

interface Waiter {
  readonly part: RoomPart;
  readonly holder: string;
  readonly bytes: number;
  readonly admit: (share: RoomShare) => void;
  readonly refuse: (error: Error) => void;
}

/** Shares out a number of bytes. */
export class MemoryRoom {
  readonly #options: MemoryRoomOptions;
  readonly #parts: RoomPart[] = [];
  readonly #waiting = new Set<Waiter>();
  #isClosed = false;

  constructor(options: MemoryRoomOptions) {
    this.#options = options;
  }

  /** The part of another purpose, with bytes that no other purpose takes; those for whom nobody waits may wait for longer themselves. */
  part(reservedBytes = 0, waitMs = this.#options.waitMs): RoomPart {
    return this.#add(new RoomPart(this, reservedBytes, waitMs, false));
  }

  /** The part of a purpose that takes what is reserved for it, and no more: it waits for no other purpose, of which some may wait for it. */
  ownPart(reservedBytes: number): RoomPart {
    return this.#add(new RoomPart(this, reservedBytes, this.#options.waitMs, true));
  }

  #add(part: RoomPart): RoomPart {
    this.#parts.push(part);
    return part;
  }

  /** Lets those go on that waited because memory was short. */
  reconsider(): void {
    this.#admitWaiting();
  }

  /** From now on nobody waits: who would is refused. */
  close(): void {
    this.#isClosed = true;
    for (const waiter of this.#waiting) waiter.refuse(noMemory());
    this.#waiting.clear();
  }

  /** @internal for {@link RoomPart} */
  tryTake(part: RoomPart, bytes: number, holder: string): RoomShare | undefined {
    if (this.waitingCountOf(part) > 0) return undefined;
    return this.#admit(part, holder, bytes, this.#waiting.size > 0);
  }

  /** @internal for {@link RoomPart} */
  async take(part: RoomPart, bytes: number, signal: AbortSignal | undefined, holder: string): Promise<RoomShare> {
    signal?.throwIfAborted();
    const share = this.tryTake(part, bytes, holder);
    if (share !== undefined) return share;
    if (this.#isClosed) throw noMemory();
    const { promise, resolve, reject } = Promise.withResolvers<RoomShare>();
    const waiter: Waiter = { part, holder, bytes, admit: resolve, refuse: reject };
    const leave = (error: Error) => {
      reject(error);
      this.#waiting.delete(waiter);
      this.#admitWaiting();
    };
    const hear = () => leave(signal?.reason as Error);
    const timer = setTimeout(() => leave(noMemory()), part.waitMs);
    signal?.addEventListener('abort', hear, { once: true });
    this.#waiting.add(waiter);
    // It may go before waiters of the same purpose whose holders have more.
    this.#admitWaiting();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', hear);
    }
  }

  /** @internal for {@link RoomPart} */
  waitingCountOf(part: RoomPart): number {
    return this.#waiting.values().reduce((count, waiter) => count + (waiter.part === part ? 1 : 0), 0);
  }

  /** @internal for {@link RoomPart} */
  maxBytesOf(part: RoomPart): number {
    if (part.isOwnOnly) return part.reservedBytes;
    const others = this.#parts.reduce((sum, other) => sum + (other === part ? 0 : other.reservedBytes), 0);
    return Math.max(this.#options.maxBytes - others, part.reservedBytes);
  }

  /** @param isOwnOnly whether the reserve of the part must suffice, because others wait for the rest */
  #admit(part: RoomPart, holder: string, bytes: number, isOwnOnly: boolean): RoomShare | undefined {
    const { maxBytes, isShort } = this.#options;
    let held = Math.min(bytes, this.maxBytesOf(part));
    const taken = part.takenBytes + held;
    if (!part.isOwnOnly && !this.#fitsWhereShort(part, taken) && isShort?.() === true) return undefined;
    if (taken > part.reservedBytes) {
      const others = this.#parts.filter((other) => other !== part);
      const byOthers = others.reduce((sum, other) => sum + Math.max(other.takenBytes, other.reservedBytes), 0);
      if (isOwnOnly || taken + byOthers > maxBytes) return undefined;
    }
    part.takenBytes = taken;
    part.held.change(holder, held);
    const keep = (kept: number) => {
      if (kept >= held) return;
      part.takenBytes -= held - kept;
      part.held.change(holder, kept - held);
      held = kept;
      this.#admitWaiting();
    };
    return { keep, [Symbol.dispose]: () => keep(0) };
  }

  /** Whether the part may hold so much while memory is short. */
  #fitsWhereShort(part: RoomPart, bytes: number): boolean {
    if (bytes <= this.#smallBytesOf(part)) return true;
    return part.takenBytes === 0 && this.#parts.every((each) => each.takenBytes <= this.#smallBytesOf(each));
  }

  #smallBytesOf(part: RoomPart): number {
    return Math.max(part.reservedBytes, this.maxBytesOf(part) / SHORT_PARTS);
  }

  #admitWaiting(): void {
    const behind = new Set<RoomPart>();
    // The waiter that goes on need not be the one at the place.
    const places = Array.from(this.#waiting, ({ part }) => part);
    for (const part of places) {
      const waiter = behind.has(part) ? undefined : this.#findNext(part);
      if (waiter === undefined) continue;
      const share = this.#admit(part, waiter.holder, waiter.bytes, behind.size > 0);
      if (share === undefined) behind.add(part);
      else {
        this.#waiting.delete(waiter);
        waiter.admit(share);
      }
    }
  }

  /** The first of the waiters whose holder has least. */
  #findNext(part: RoomPart): Waiter | undefined {
    let [next, least] = [undefined as Waiter | undefined, Infinity];
    for (const waiter of this.#waiting) {
      if (waiter.part !== part || part.held.heldBy(waiter.holder) >= least) continue;
      [next, least] = [waiter, part.held.heldBy(waiter.holder)];
    }
    return next;
  }
}

/** Of what a purpose may take, one of so many is small. */
const SHORT_PARTS = 4;

/** What one purpose may take of a {@link MemoryRoom}. */
export class RoomPart {
  readonly #room: MemoryRoom;
  readonly reservedBytes: number;
  readonly waitMs: number;
  /** Whether it takes nothing beyond its reserve. */
  readonly isOwnOnly: boolean;
  /** The bytes that are taken now. The room alone changes them. */
  takenBytes = 0;
  /** By whom. The same holds for it. */
  readonly held = new Shares(Infinity);

  constructor(room: MemoryRoom, reservedBytes: number, waitMs: number, isOwnOnly: boolean) {
    this.#room = room;
    this.reservedBytes = reservedBytes;
    this.waitMs = waitMs;
    this.isOwnOnly = isOwnOnly;
  }

  /** The bytes that it may take in all. */
  get maxBytes(): number {
    return this.#room.maxBytesOf(this);
  }

  /** How many wait for room. */
  get waitingCount(): number {
    return this.#room.waitingCountOf(this);
  }

  /** Room for so many bytes if it is there now, and nobody waits for it. */
  tryTake(bytes: number, holder = ''): RoomShare | undefined {
    return this.#room.tryTake(this, bytes, holder);
  }

  /**
   * Room for so many bytes once it is there.
   * @param holder for whom, where that is one of several
   * @throws AppError `unavailable` after the time that one may wait; the reason of the signal when that ends the wait
   */
  take(bytes: number, signal?: AbortSignal, holder = ''): Promise<RoomShare> {
    return this.#room.take(this, bytes, signal, holder);
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
