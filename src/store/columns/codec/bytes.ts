/** Bytes of a chunk, written and read in order; numbers are little-endian. */

/** Grows as it is written to. */
export class ByteWriter {
  #buffer = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  byte(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = value;
  }

  /** A whole number below 2^32. */
  size(value: number): void {
    this.#reserve(4);
    this.#length = this.#buffer.writeUInt32LE(value, this.#length);
  }

  double(value: number): void {
    this.#reserve(8);
    this.#length = this.#buffer.writeDoubleLE(value, this.#length);
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#buffer.set(value, this.#length);
    this.#length += value.length;
  }

  /** What was written; valid until more is. */
  get written(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    grown.set(this.written);
    this.#buffer = grown;
  }
}

const FIRST_BYTES = 4096;

/** Reads what was written; throws where the bytes end too early. */
export class ByteReader {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  byte(): number {
    return this.#buffer.readUInt8(this.#advance(1));
  }

  size(): number {
    return this.#buffer.readUInt32LE(this.#advance(4));
  }

  double(): number {
    return this.#buffer.readDoubleLE(this.#advance(8));
  }

  /** A view of that many bytes. */
  bytes(count: number): Buffer {
    const start = this.#advance(count);
    return this.#buffer.subarray(start, start + count);
  }

  #advance(count: number): number {
    const start = this.#at;
    if (start + count > this.#buffer.length) throw new RangeError('a chunk of columns ends too early');
    this.#at = start + count;
    return start;
  }
}
