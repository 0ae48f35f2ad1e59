/**
 * Ascending whole numbers in few bits: few of them as varints of their distances, more as a Rice code of these, which is a bitmap where
 * they are dense.
 * @see https://en.wikipedia.org/wiki/Golomb_coding
 */
import { ByteReader, type ByteWriter } from './bytes.ts';

/** So many take fewer bytes as varints. */
const FEW = 3;

/** Of the mean distance, what leaves the quotients short: the natural logarithm of two. */
const SHARE_OF_MEAN = Math.LN2;

/** Writes the numbers, or so many of them. */
export function writePostings(writer: ByteWriter, numbers: ArrayLike<number>, count = numbers.length): void {
  writer.writeVarint(count);
  let before = -1;
  if (count <= FEW) {
    for (let at = 0; at < count; at++) {
      const number = numbers[at] as number;
      writer.writeVarint(number - before - 1);
      before = number;
    }
    return;
  }
  const mean = ((numbers[count - 1] as number) + 1 - count) / count;
  const bits = Math.max(0, Math.floor(Math.log2(Math.max(1, mean * SHARE_OF_MEAN))));
  writer.writeByte(bits);
  const mask = (1 << bits) - 1;
  let [held, heldCount] = [0, 0];
  for (let at = 0; at < count; at++) {
    const number = numbers[at] as number;
    const distance = number - before - 1;
    before = number;
    for (let quotient = distance >>> bits; quotient > 0; quotient--) {
      held |= 1 << heldCount;
      if (++heldCount === 8) {
        writer.writeByte(held);
        held = 0;
        heldCount = 0;
      }
    }
    // The zero that ends the quotient, and the rest: at most 7 + 1 + 24 bits.
    held |= (distance & mask) << (heldCount + 1);
    heldCount += bits + 1;
    for (; heldCount >= 8; heldCount -= 8) {
      writer.writeByte(held & 0xff);
      held >>>= 8;
    }
  }
  if (heldCount > 0) writer.writeByte(held);
}

/** Reads what {@link writePostings} wrote. */
export function readPostings(bytes: Uint8Array): Int32Array {
  const numbers = new NumberList();
  appendPostings(numbers, bytes, 0);
  return numbers.take();
}

/** Numbers that become ever more. */
export class NumberList {
  numbers = new Int32Array(16);
  count = 0;

  /** Makes room for so many more. */
  reserve(count: number): void {
    const needed = this.count + count;
    if (needed <= this.numbers.length) return;
    const grown = new Int32Array(Math.max(needed, 2 * this.numbers.length));
    grown.set(this.numbers.subarray(0, this.count));
    this.numbers = grown;
  }

  take(): Int32Array {
    return this.numbers.subarray(0, this.count);
  }
}

/**
 * Adds what {@link writePostings} wrote from a place of the bytes on.
 * @param renumbered what becomes of each number; one that becomes negative is left out
 */
export function appendPostings(into: NumberList, bytes: Uint8Array, start: number, renumbered?: Int32Array): void {
  const reader = new ByteReader(bytes);
  reader.at = start;
  const count = reader.readVarint();
  into.reserve(count);
  const { numbers } = into;
  const isFew = count <= FEW;
  const bits = isFew ? 0 : reader.readByte();
  const mask = (1 << bits) - 1;
  let [held, heldCount, before, place, end] = [0, 0, -1, reader.at, into.count];
  for (let left = count; left > 0; left--) {
    let distance = 0;
    if (isFew) distance = reader.readVarint();
    else {
      let quotient = 0;
      for (;;) {
        if (heldCount === 0) {
          held = bytes[place++] as number;
          heldCount = 8;
        }
        const isEnd = (held & 1) === 0;
        held >>>= 1;
        heldCount--;
        if (isEnd) break;
        quotient++;
      }
      for (; heldCount < bits; heldCount += 8) held |= (bytes[place++] as number) << heldCount;
      distance = (quotient << bits) | (held & mask);
      held >>>= bits;
      heldCount -= bits;
    }
    before += distance + 1;
    const number = renumbered === undefined ? before : (renumbered[before] as number);
    if (number >= 0) numbers[end++] = number;
  }
  into.count = end;
}
