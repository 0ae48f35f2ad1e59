/** Who holds how much of something bounded. */
export class Shares {
  readonly #room: number;
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor(room: number) {
    this.#room = room;
  }

  /** How many hold something. */
  get holderCount(): number {
    return this.#held.size;
  }

  /** What all hold. */
  get total(): number {
    return this.#total;
  }

  /** What nobody holds. */
  get free(): number {
    return this.#room - this.#total;
  }

  heldBy(holder: string): number {
    return this.#held.get(holder) ?? 0;
  }

  /** Notes what the holder took, or gave back where it is negative. */
  change(holder: string, amount: number): void {
    const held = this.heldBy(holder) + amount;
    if (held === 0) this.#held.delete(holder);
    else this.#held.set(holder, held);
    this.#total += amount;
  }

  /**
   * Whether the holder may take so much more. It may hold twice what is free: alone two thirds of the room, beside another that wants
   * as much two fifths, so that there is always some left for the next caller.
   */
  leavesRoom(holder: string, amount: number): boolean {
    return this.heldBy(holder) + amount <= FREE_SHARE * (this.free - amount);
  }
}

const FREE_SHARE = 2;
