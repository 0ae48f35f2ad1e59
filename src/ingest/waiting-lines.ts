/** Who waits for room, in a line for each address, and who of them goes next. */
import type { AppError } from '#base/errors';
import type { Shares } from '#base/shares';
import type { HeldRoom } from './held-room.ts';

/** A request that waits: for its first room, or for more. */
export interface Waiter {
  readonly room: HeldRoom;
  readonly bytes: number;
  /** Ends the wait: admitted, or refused with the error. */
  settle(error?: AppError): void;
}

/** Of one address. */
class Line {
  readonly growing = new Set<Waiter>();
  readonly newcomers = new Set<Waiter>();

  get isEmpty(): boolean {
    return this.growing.size + this.newcomers.size === 0;
  }
}

/** The lines of a bounded room. */
export class WaitingLines {
  readonly #maxBytes: number;
  readonly #held: Shares;
  readonly #lines = new Map<string, Line>();
  #newcomerCount = 0;

  /** @param held what each address has of the room */
  constructor(maxBytes: number, held: Shares) {
    this.#maxBytes = maxBytes;
    this.#held = held;
  }

  get newcomerCount(): number {
    return this.#newcomerCount;
  }

  get waitingCount(): number {
    return this.#newcomerCount + this.allGrowing().length;
  }

  add(waiter: Waiter, isNewcomer: boolean): void {
    const { address } = waiter.room;
    const line = this.#lines.get(address) ?? new Line();
    this.#lines.set(address, line);
    if (isNewcomer) this.#newcomerCount++;
    (isNewcomer ? line.newcomers : line.growing).add(waiter);
  }

  has(waiter: Waiter): boolean {
    const line = this.#lines.get(waiter.room.address);
    return line !== undefined && (line.newcomers.has(waiter) || line.growing.has(waiter));
  }

  remove(waiter: Waiter): void {
    const { address } = waiter.room;
    const line = this.#lines.get(address);
    if (line === undefined) return;
    line.growing.delete(waiter);
    if (line.newcomers.delete(waiter)) this.#newcomerCount--;
    if (line.isEmpty) this.#lines.delete(address);
  }

  /** What each may have while all of those who hold or want some want more. */
  get fairShare(): number {
    let count = this.#held.holderCount;
    for (const address of this.#lines.keys()) if (this.#held.heldBy(address) === 0) count++;
    return this.#maxBytes / Math.max(1, count);
  }

  /** Whether a newcomer would pass one of an address that holds no more. */
  holdsUpNewcomer(address: string): boolean {
    if (this.#newcomerCount === 0) return false;
    const held = this.#held.heldBy(address);
    return this.#lines
      .entries()
      .some(([other, { newcomers }]) => newcomers.size > 0 && this.#held.heldBy(other) <= held);
  }

  /** Whether one of the address that wants more would take what somebody within a share waits for. */
  holdsUpGrowth(address: string): boolean {
    const { fairShare } = this;
    if (this.#held.heldBy(address) <= fairShare) return false;
    return this.#lines.keys().some((other) => this.#held.heldBy(other) <= fairShare);
  }

  /** All that want more; each waits for one growth at a time. */
  allGrowing(): readonly Waiter[] {
    return [...this.#lines.values()].flatMap(({ growing }) => [...growing]);
  }

  /** Those that want more, of addresses within their share or above it. */
  growing(isAbove: boolean): readonly Waiter[] {
    const { fairShare } = this;
    return [...this.#lines].flatMap(([address, { growing }]) =>
      growing.size > 0 && this.#held.heldBy(address) > fairShare === isAbove ? [...growing] : [],
    );
  }

  /** What a request waits for that wants more. */
  growthOf(room: HeldRoom): readonly Waiter[] {
    return [...(this.#lines.get(room.address)?.growing ?? [])].filter((waiter) => waiter.room === room);
  }

  /** The first of the address that holds least, of those within their share or above it. */
  nextNewcomer(isAbove: boolean): Waiter | undefined {
    const { fairShare } = this;
    let [next, least]: [Waiter | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
    for (const [address, { newcomers }] of this.#lines) {
      const held = this.#held.heldBy(address);
      if (held >= least || held > fairShare !== isAbove) continue;
      for (const first of newcomers.values().take(1)) [next, least] = [first, held];
    }
    return next;
  }

  /** The last newcomer of the longest line that is longer than that of the address by more than one. */
  findDisplaced(address: string): Waiter | undefined {
    let [longest, length] = [undefined as Line | undefined, (this.#lines.get(address)?.newcomers.size ?? 0) + 1];
    for (const line of this.#lines.values()) {
      if (line.newcomers.size > length) [longest, length] = [line, line.newcomers.size];
    }
    return [...(longest?.newcomers ?? [])].at(-1);
  }
}
