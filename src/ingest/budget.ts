/**
 * A bound on the bytes of all requests that are not answered yet, shared out by address where several want room.
 *
 * Newcomers are admitted in the order of their arrival. A request that already holds bytes and asks for more goes before
 * them, and growing requests pass each other: a request that can finish frees what the others wait for. Of requests that can only
 * wait for each other, the last one is refused, so that the first one finishes.
 *
 * All of that is so among the requests of one address. Addresses that have less than their share go before those that have more, and
 * what they wait for is taken from those: from requests that have been arriving for long.
 */
import { AppError } from '#base/errors';
import { Shares } from '#base/shares';
import type { HeldRoom } from './held-room.ts';
import type { ArrivingBody, Reservation, ExportReceiver } from './receiver.ts';
import { type Waiter, WaitingLines } from './waiting-lines.ts';

/** When a refused exporter may come again; short, because each commit frees room. */
const RETRY_AFTER_SECONDS = 1;

/** Longer than an ordinary request takes to arrive. */
const SLOW_MS = 500;

/** How often one that waits looks for requests that have become slow. */
const LOOK_EVERY_MS = 100;

/** The bounds of a {@link ByteBudget}. */
export interface ByteBudgetOptions {
  readonly maxBytes: number;
  /** How long a request waits for room. */
  readonly waitMs: number;
  /** How many newcomers may wait; the next is refused at once, or the last of an address of which more wait. */
  readonly maxWaiting: number;
}

/** Shares out a fixed number of bytes. A request larger than all of them is admitted when it is alone. */
export class ByteBudget implements Pick<ExportReceiver, 'reserve'> {
  readonly #options: ByteBudgetOptions;
  readonly #held: Shares;
  readonly #lines: WaitingLines;
  /** Those that may be taken back, by address, the oldest first. */
  readonly #arriving = new Map<string, Set<HeldRoom>>();
  #inFlightBytes = 0;
  #lastPlace = 0;

  constructor(options: ByteBudgetOptions) {
    this.#options = options;
    this.#held = new Shares(options.maxBytes);
    this.#lines = new WaitingLines(options.maxBytes, this.#held);
  }

  get maxBytes(): number {
    return this.#options.maxBytes;
  }

  /** The bytes set aside now; never above the budget. */
  get takenBytes(): number {
    return this.#inFlightBytes;
  }

  /** How many wait for room. */
  get waitingCount(): number {
    return this.#lines.waitingCount;
  }

  async reserve(bytes: number, { address = '', expectedBytes }: ArrivingBody = {}): Promise<Reservation> {
    const sinceMs = performance.now();
    const place = ++this.#lastPlace;
    const room: HeldRoom = { address, expectedBytes, place, sinceMs, requestedBytes: 0, onTaken: undefined };
    if (this.#lines.holdsUpNewcomer(address) || !this.#admit(room, bytes)) {
      if (this.#lines.newcomerCount >= this.#options.maxWaiting) this.#displaceFor(address);
      await this.#wait(true, room, bytes);
    }
    return {
      grow: async (more) => {
        if (this.#lines.holdsUpGrowth(address) || !this.#admit(room, more)) await this.#wait(false, room, more);
      },
      arriving: (onTaken) => {
        room.onTaken = onTaken;
        room.sinceMs = performance.now();
        const arriving = this.#arriving.get(address) ?? new Set();
        this.#arriving.set(address, arriving.add(room));
      },
      arrived: () => this.#keep(room),
      [Symbol.dispose]: () => this.#release(room, 'The client ended the request before there was room for it.'),
    };
  }

  /** What a request of that many bytes takes from the budget. */
  #charge(requestedBytes: number): number {
    return Math.min(requestedBytes, this.#options.maxBytes);
  }

  #admit(room: HeldRoom, bytes: number): boolean {
    const requestedBytes = room.requestedBytes + bytes;
    const extraBytes = this.#charge(requestedBytes) - this.#charge(room.requestedBytes);
    if (this.#inFlightBytes + extraBytes > this.#options.maxBytes) return false;
    this.#inFlightBytes += extraBytes;
    this.#held.change(room.address, extraBytes);
    room.requestedBytes = requestedBytes;
    return true;
  }

  /** @throws AppError `resource_exhausted` where no address has more that wait */
  #displaceFor(address: string): void {
    const error = new AppError(
      'resource_exhausted',
      'Too many requests are already waiting for room. Try again later.',
      {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      },
    );
    const displaced = this.#lines.findDisplaced(address);
    if (displaced === undefined) throw error;
    displaced.settle(error);
  }

  #wait(isNewcomer: boolean, room: HeldRoom, bytes: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const endsMs = performance.now() + this.#options.waitMs;
    let timer: NodeJS.Timeout | undefined;
    const waiter: Waiter = {
      room,
      bytes,
      settle: (error) => {
        clearTimeout(timer);
        this.#lines.remove(waiter);
        if (error) reject(error);
        else resolve();
      },
    };
    const look = () => {
      const leftMs = endsMs - performance.now();
      if (leftMs <= 0) {
        waiter.settle(refusal(AT_CAPACITY));
        // A large request at the head may have held up smaller ones.
        return this.#admitWaiting();
      }
      timer = setTimeout(look, Math.min(leftMs, LOOK_EVERY_MS));
      return this.#takeBackFor(waiter);
    };
    this.#lines.add(waiter, isNewcomer);
    look();
    this.#partIfStuck();
    return promise;
  }

  /**
   * Refuses one of those that want more where none of them could have it even if all others were done: the last one, of the address that
   * holds most among those with several, if there is one.
   */
  #partIfStuck(): void {
    const growing = this.#lines.allGrowing();
    if (growing.length < 2) return;
    let [heldBytes, leastMore] = [0, Infinity];
    const counts = new Map<string, number>();
    for (const { room, bytes } of growing) {
      const held = this.#charge(room.requestedBytes);
      heldBytes += held;
      leastMore = Math.min(leastMore, this.#charge(room.requestedBytes + bytes) - held);
      counts.set(room.address, (counts.get(room.address) ?? 0) + 1);
    }
    if (heldBytes + leastMore <= this.#options.maxBytes) return;
    const rank = ({ room: { address } }: Waiter) => (counts.get(address) === 1 ? 0 : this.#held.heldBy(address));
    const isBehind = (one: Waiter, other: Waiter) => rank(one) - rank(other) || one.room.place - other.room.place;
    growing.toSorted(isBehind).at(-1)?.settle(refusal(AT_CAPACITY));
  }

  /**
   * Takes room back from the address that has most, if that is above its share and the waiting one would not be with its whole body: two
   * bodies that exceed a share would else be taken back for each other, in turns, for ever.
   */
  #takeBackFor(waiter: Waiter): void {
    const { bytes, room } = waiter;
    const { address, requestedBytes, expectedBytes = 0 } = room;
    const wanted = this.#charge(Math.max(requestedBytes + bytes, expectedBytes)) - this.#charge(requestedBytes);
    const isWithinShare = () => this.#held.heldBy(address) + wanted <= this.#lines.fairShare;
    while (this.#lines.has(waiter) && isWithinShare()) {
      const slow = this.#findSlow();
      if (slow === undefined) return;
      const giveUp = slow.onTaken;
      this.#keep(slow);
      giveUp?.(refusal(TAKEN));
      this.#release(slow, TAKEN);
    }
  }

  /** The oldest request of the address that has most. */
  #findSlow(): HeldRoom | undefined {
    let [most, held] = [undefined as Set<HeldRoom> | undefined, this.#lines.fairShare];
    for (const [address, arriving] of this.#arriving) {
      const ofAddress = this.#held.heldBy(address);
      if (ofAddress > held) [most, held] = [arriving, ofAddress];
    }
    const oldest = most?.values().next().value;
    return oldest !== undefined && performance.now() - oldest.sinceMs >= SLOW_MS ? oldest : undefined;
  }

  /** From now on the request keeps what it has. */
  #keep(room: HeldRoom): void {
    room.onTaken = undefined;
    const arriving = this.#arriving.get(room.address);
    if (arriving?.delete(room) === true && arriving.size === 0) this.#arriving.delete(room.address);
  }

  #release(room: HeldRoom, reason: string): void {
    this.#keep(room);
    for (const waiter of this.#lines.growthOf(room)) waiter.settle(refusal(reason));
    const bytes = this.#charge(room.requestedBytes);
    this.#inFlightBytes -= bytes;
    this.#held.change(room.address, -bytes);
    room.requestedBytes = 0;
    this.#admitWaiting();
    this.#partIfStuck();
  }

  #admitWaiting(): void {
    for (const isAbove of [false, true]) {
      for (const waiter of this.#lines.growing(isAbove)) {
        if (this.#admit(waiter.room, waiter.bytes)) waiter.settle();
      }
      for (;;) {
        const waiter = this.#lines.nextNewcomer(isAbove);
        if (waiter === undefined) break;
        if (!this.#admit(waiter.room, waiter.bytes)) return;
        waiter.settle();
      }
    }
  }
}

function refusal(message: string): AppError {
  return new AppError('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

const AT_CAPACITY = 'The server is at capacity. Try again later.';
const TAKEN = 'The request arrived too slowly while other clients needed the room. Send it again.';
