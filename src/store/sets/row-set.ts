import { hashNumber } from '#base/number-set';

/**
 * A set of row ids, which mostly lie close together: 32 neighbours share a word, and a walk along them looks each word up once. Sparse ones
 * take some 40 bytes each, dense ones one or two.
 */
export class RowSet {
  /** Numbers of words plus one, each at the place of its hash or after it; 0 is free. */
  #words = new Float64Array(64);
  /** Of each word, the ids that are members. */
  #bits = new Int32Array(64);
  #wordCount = 0;
  #size = 0;
  /** Where the word that was asked for last is, and one that is not there. */
  #lastPlace = 0;
  #lastAbsent = -1;

  get size(): number {
    return this.#size;
  }

  add(rowId: number): void {
    const word = Math.floor(rowId / BITS);
    let place = this.#find(word);
    if (place === undefined) {
      if (++this.#wordCount * 2 > this.#words.length) this.#grow();
      place = placeFor(this.#words, word + 1);
      this.#words[place] = word + 1;
      this.#lastPlace = place;
      this.#lastAbsent = -1;
    }
    const bits = this.#bits[place] ?? 0;
    const added = bits | (1 << (rowId - word * BITS));
    if (added !== bits) this.#size++;
    this.#bits[place] = added;
  }

  has(rowId: number): boolean {
    const word = Math.floor(rowId / BITS);
    const place = this.#find(word);
    return place !== undefined && ((this.#bits[place] ?? 0) & (1 << (rowId - word * BITS))) !== 0;
  }

  /** How many row ids of a range are members. */
  countIn(from: number, end: number): number {
    let count = 0;
    for (let rowId = from; rowId < end; ) {
      const word = Math.floor(rowId / BITS);
      const place = this.#find(word);
      const [first, next] = [rowId - word * BITS, Math.min((word + 1) * BITS, end)];
      if (place !== undefined) count += countBits(partOf(this.#bits[place] ?? 0, first, next - word * BITS));
      rowId = next;
    }
    return count;
  }

  /** The members, in no order. */
  *[Symbol.iterator](): Generator<number> {
    for (const [place, word] of this.#words.entries()) {
      const bits = this.#bits[place] ?? 0;
      for (let bit = 0; bit < BITS; bit++) if ((bits & (1 << bit)) !== 0) yield (word - 1) * BITS + bit;
    }
  }

  #find(word: number): number | undefined {
    const member = word + 1;
    if (this.#words[this.#lastPlace] === member) return this.#lastPlace;
    if (word === this.#lastAbsent) return undefined;
    const place = placeFor(this.#words, member);
    if (this.#words[place] === member) {
      this.#lastPlace = place;
      return place;
    }
    this.#lastAbsent = word;
    return undefined;
  }

  #grow(): void {
    const [words, bits] = [this.#words, this.#bits];
    this.#words = new Float64Array(words.length * 2);
    this.#bits = new Int32Array(words.length * 2);
    for (const [from, member] of words.entries()) {
      if (member === 0) continue;
      const place = placeFor(this.#words, member);
      this.#words[place] = member;
      this.#bits[place] = bits[from] ?? 0;
    }
  }
}

const BITS = 32;

/** Where a member is, or else is to be. */
function placeFor(words: Float64Array, member: number): number {
  const mask = words.length - 1;
  let place = hashNumber(member) & mask;
  while (words[place] !== member && words[place] !== 0) place = (place + 1) & mask;
  return place;
}

/** The bits from one on and before another. */
function partOf(bits: number, from: number, end: number): number {
  return (bits >>> from) << (BITS - end + from);
}

function countBits(bits: number): number {
  let sum = bits - ((bits >>> 1) & 0x55555555);
  sum = (sum & 0x33333333) + ((sum >>> 2) & 0x33333333);
  return Math.imul((sum + (sum >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
