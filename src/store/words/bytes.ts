/** Bytes that are written and read one after the other. */

/** Grows as it is written to. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafeSlow(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  writeByte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.#length++] = value;
  }

  /** A whole number from 0 on, seven bits a byte, the lowest first. */
  writeVarint(value: number): void {
    let left = value;
    for (; left >= VARINT; left = Math.floor(left / VARINT)) this.writeByte((left % VARINT) + VARINT);
    this.writeByte(left);
  }

  writeBytes(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#bytes.length) this.#grow(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** A copy of what was written since the last time, in memory of its own. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = new Uint8Array(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    return taken;
  }

  /** What was written since the last time, until something else is written. */
  peek(): Uint8Array {
    const written = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return written;
  }

  #grow(by: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#length + by));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

/** Reads what a {@link ByteWriter} wrote. */
export class ByteReader {
  readonly bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  readByte(): number {
    return this.bytes[this.at++] as number;
  }

  readVarint(): number {
    const first = this.bytes[this.at] as number;
    if (first < VARINT) {
      this.at++;
      return first;
    }
    let value = 0;
    for (let factor = 1; ; factor *= VARINT) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new RangeError('The bytes end before the number does.');
      value += (byte & (VARINT - 1)) * factor;
      if (byte < VARINT) return value;
    }
  }

  readBytes(length: number): Uint8Array {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

const VARINT = 0x80;
