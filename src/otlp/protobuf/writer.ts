/**
 * Writes protobuf from back to front: the last field first, and within a message its content before its length.
 * So every length is known when its turn comes, and nothing is ever measured twice or moved.
 */
export class ProtobufWriter {
  #buffer: Buffer;
  #start: number;

  constructor(capacityBytes = 1024) {
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(16, capacityBytes));
    this.#start = this.#buffer.length;
  }

  /** How many bytes have been written. */
  get length(): number {
    return this.#buffer.length - this.#start;
  }

  /** Takes back everything that was written since `length` had that value. */
  truncate(length: number): void {
    this.#start = this.#buffer.length - length;
  }

  /** A copy of what has been written. */
  finish(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#buffer.subarray(this.#start));
  }

  /** Bytes as they are. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#start);
  }

  /** A nested message; `write` writes its content, from back to front. */
  message(field: number, write: () => void): void {
    const before = this.length;
    write();
    this.closeMessage(field, before);
  }

  /** Makes a nested message of everything that was written since `length` had that value. */
  closeMessage(field: number, lengthBefore: number): void {
    this.#varint(this.length - lengthBefore);
    this.#tag(field, 2);
  }

  bytes(field: number, value: Uint8Array): void {
    this.raw(value);
    this.#varint(value.length);
    this.#tag(field, 2);
  }

  /** Text in UTF-8; a lone surrogate becomes U+FFFD. */
  text(field: number, value: string): void {
    const length = Buffer.byteLength(value, 'utf8');
    this.#reserve(length);
    this.#buffer.write(value, this.#start, length, 'utf8');
    this.#varint(length);
    this.#tag(field, 2);
  }

  /** An unsigned number below 2^32, or a bool as 0 or 1. */
  uint32(field: number, value: number): void {
    this.#varint(value);
    this.#tag(field, 0);
  }

  /** Any integer of 64 bits; negative numbers, enums included, take ten bytes. */
  int64(field: number, value: bigint): void {
    let rest = BigInt.asUintN(64, value);
    const groups: number[] = [];
    for (; rest > 0x7fn; rest >>= 7n) groups.push(Number(rest & 0x7fn) | 0x80);
    groups.push(Number(rest));
    this.raw(Uint8Array.from(groups));
    this.#tag(field, 0);
  }

  fixed32(field: number, value: number): void {
    this.#reserve(4);
    this.#buffer.writeUInt32LE(value, this.#start);
    this.#tag(field, 5);
  }

  fixed64(field: number, value: bigint): void {
    this.#reserve(8);
    this.#buffer.writeBigUInt64LE(value, this.#start);
    this.#tag(field, 1);
  }

  double(field: number, value: number): void {
    this.#reserve(8);
    this.#buffer.writeDoubleLE(value, this.#start);
    this.#tag(field, 1);
  }

  #tag(field: number, wireType: number): void {
    this.#varint((field << 3) | wireType);
  }

  #varint(value: number): void {
    let length = 1;
    for (let rest = value >>> 7; rest !== 0; rest >>>= 7) length++;
    this.#reserve(length);
    const last = this.#start + length - 1;
    let rest = value;
    for (let at = this.#start; at < last; at++, rest >>>= 7) this.#buffer[at] = (rest & 0x7f) | 0x80;
    this.#buffer[last] = rest;
  }

  #reserve(length: number): void {
    if (length > this.#start) {
      const grown = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, this.length + length));
      const start = grown.length - this.length;
      grown.set(this.#buffer.subarray(this.#start), start);
      this.#buffer = grown;
      this.#start = start;
    }
    this.#start -= length;
  }
}
