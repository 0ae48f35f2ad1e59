/** Sets of rows of a batch or segment, a bit each. */

/** A growing set of places below the number of rows. */
export class RowSet {
  readonly bits: Uint8Array;

  /** @param bits {@link bytesOf} the number of rows */
  constructor(bits: Uint8Array) {
    this.bits = bits;
  }

  /** An empty set of places below that number. */
  static of(rowCount: number): RowSet {
    return new RowSet(new Uint8Array(bytesOf(rowCount)));
  }

  add(row: number): void {
    this.bits[row >> 3] = (this.bits[row >> 3] as number) | (1 << (row & 7));
  }

  has(row: number): boolean {
    return ((this.bits[row >> 3] as number) & (1 << (row & 7))) !== 0;
  }

  addAll(other: RowSet): void {
    const { bits } = other;
    for (let place = 0; place < bits.length; place++)
      this.bits[place] = (this.bits[place] as number) | (bits[place] as number);
  }

  /** The places, ascending. */
  toRows(): Uint16Array {
    const rows: number[] = [];
    for (let place = 0; place < this.bits.length; place++) {
      for (let rest = this.bits[place] as number; rest !== 0; rest &= rest - 1)
        rows.push(place * 8 + (31 - Math.clz32(rest & -rest)));
    }
    return Uint16Array.from(rows);
  }
}

/** Bytes of a set of places below that number. */
export function bytesOf(rowCount: number): number {
  return Math.ceil(rowCount / 8);
}
