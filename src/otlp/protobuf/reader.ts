import { AppError } from '#base/errors';
import { TextCache } from './text-cache.ts';

/**
 * A cursor over one protobuf message that checks every bound before it reads.
 *
 * A nested message narrows the cursor to itself: `enter` returns the outer end, which goes back into `leave`.
 * Every read throws AppError `invalid_argument` where the bytes are not protobuf, and the message says at which byte.
 * @see https://protobuf.dev/programming-guides/encoding/
 */
export class ProtobufReader {
  /** Where the next read starts. */
  position = 0;
  /** Where the message being read ends. */
  end: number;
  readonly #bytes: Uint8Array;
  readonly #buffer: Buffer;
  readonly #view: DataView;
  #high = 0;
  #memoryBytesLeft = MAX_DECODED_BYTES;
  #weightLeft = MAX_WEIGHT;

  constructor(bytes: Uint8Array) {
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.byteLength;
  }

  /** Narrows the cursor to the length-delimited message that starts here; returns the end of the outer one. */
  enter(): number {
    const length = this.readLength();
    const outerEnd = this.end;
    this.end = this.position + length;
    return outerEnd;
  }

  /** Widens the cursor to the outer message again, behind the nested one. */
  leave(outerEnd: number): void {
    this.position = this.end;
    this.end = outerEnd;
  }

  /**
   * Counts memory that a decoded value takes, so that a small body of many empty messages cannot fill the heap.
   * @throws AppError `too_large`
   */
  charge(bytes: number): void {
    this.#memoryBytesLeft -= bytes;
    if (this.#memoryBytesLeft < 0) {
      throw new AppError(
        'too_large',
        'The request contains too many spans, records, attributes or values. Send smaller batches.',
      );
    }
  }

  /** What comes next is a span, log record, resource or scope, whose values are weighed for themselves. */
  startWeighing(): void {
    this.#weightLeft = MAX_WEIGHT;
  }

  /** What was weighed since. */
  get weight(): number {
    return MAX_WEIGHT - this.#weightLeft;
  }

  /**
   * Weighs a part of a span, log record, resource or scope: 1 is a value of a list.
   * @throws AppError `invalid_argument` where it has more than can be read again
   */
  weigh(weight: number): void {
    this.#weightLeft -= weight;
    if (this.#weightLeft < 0) throw new AppError('invalid_argument', TOO_MANY_VALUES);
  }

  /** The field number in the upper bits, the wire type in the lower three. */
  readTag(): number {
    const start = this.position;
    const tag = this.#readVarint();
    if (this.#high !== 0 || tag < 8) this.#fail('a field number is out of range', start);
    return tag;
  }

  /** The low 32 bits of a varint, unsigned. */
  readUint32(): number {
    return this.#readVarint();
  }

  /** The low 32 bits of a varint, signed; enums are read so. */
  readInt32(): number {
    return this.#readVarint() | 0;
  }

  readBool(): boolean {
    return (this.#readVarint() | this.#high) !== 0;
  }

  readInt64(): bigint {
    const low = this.#readVarint();
    return this.#high === 0 ? BigInt(low) : BigInt.asIntN(64, (BigInt(this.#high >>> 0) << 32n) | BigInt(low));
  }

  readFixed32(): number {
    const start = this.#advance(4);
    return this.#view.getUint32(start, true);
  }

  readFixed64(): bigint {
    const start = this.#advance(8);
    return this.#view.getBigUint64(start, true);
  }

  readDouble(): number {
    const start = this.#advance(8);
    return this.#view.getFloat64(start, true);
  }

  /** A view of the bytes, not a copy. */
  readBytes(): Uint8Array {
    const length = this.readLength();
    const start = this.#advance(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** Text; bytes that are not UTF-8 become U+FFFD. */
  readText(): string {
    const length = this.readLength();
    const start = this.#advance(length);
    return length === 0 ? '' : this.#buffer.toString('utf8', start, start + length);
  }

  /** Text that is likely to have been read before, such as an attribute's key. */
  readRepeatedText(): string {
    const length = this.readLength();
    const start = this.#advance(length);
    return TEXTS.get(this.#buffer, start, start + length);
  }

  /** A length that fits into the message being read. */
  readLength(): number {
    const start = this.position;
    const length = this.#readVarint();
    if (this.#high !== 0 || length > this.end - this.position) this.#fail(`a length runs past the end`, start);
    return length;
  }

  /** Passes over the value of a field that is not known, groups included. */
  skip(tag: number): void {
    if ((tag & 7) !== START_GROUP) return this.#skipScalar(tag);
    const open = [tag >>> 3];
    while (open.length > 0) {
      const start = this.position;
      const inner = this.readTag();
      if ((inner & 7) === START_GROUP) {
        if (open.push(inner >>> 3) > MAX_GROUP_DEPTH) this.#fail('groups are nested too deep', start);
      } else if ((inner & 7) === END_GROUP) {
        if (open.pop() !== inner >>> 3) this.#fail('a group ends that did not start', start);
      } else {
        this.#skipScalar(inner);
      }
    }
  }

  /** A view of the bytes between two positions. */
  slice(start: number, end: number): Uint8Array {
    return this.#bytes.subarray(start, end);
  }

  #skipScalar(tag: number): void {
    switch (tag & 7) {
      case VARINT:
        this.#readVarint();
        return;
      case FIXED64:
        this.#advance(8);
        return;
      case LENGTH_DELIMITED:
        this.#advance(this.readLength());
        return;
      case FIXED32:
        this.#advance(4);
        return;
      default:
        this.#fail(`wire type ${tag & 7} is not allowed here`, this.position);
    }
  }

  #advance(length: number): number {
    const start = this.position;
    if (length > this.end - start) this.#fail(`${length} bytes run past the end`, start);
    this.position = start + length;
    return start;
  }

  /** The low 32 bits of a varint; the others go to `#high`. */
  #readVarint(): number {
    const bytes = this.#bytes;
    const start = this.position;
    const first = bytes[start] ?? 0;
    this.#high = 0;
    if (first < 0x80 && start < this.end) {
      this.position = start + 1;
      return first;
    }
    let low = 0;
    for (let index = 0; index < MAX_VARINT_BYTES; index++) {
      if (start + index >= this.end) this.#fail('a varint runs past the end', start);
      const byte = bytes[start + index] ?? 0;
      if (index < 5) low |= (byte & 0x7f) << (7 * index);
      if (index === 4) this.#high = (byte & 0x7f) >>> 4;
      else if (index > 4) this.#high |= (byte & 0x7f) << (7 * index - 32);
      if (byte < 0x80) {
        this.position = start + index + 1;
        return low >>> 0;
      }
    }
    return this.#fail('a varint is longer than ten bytes', start);
  }

  #fail(problem: string, position: number): never {
    throw new AppError('invalid_argument', `Not valid protobuf at byte ${position}: ${problem}.`);
  }
}

const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const START_GROUP = 3;
const END_GROUP = 4;
const FIXED32 = 5;

const MAX_VARINT_BYTES = 10;
const MAX_GROUP_DEPTH = 100;
/** What the decoded form of one request may take, by estimate: eight times the default limit of a body. */
const MAX_DECODED_BYTES = 512 * 2 ** 20;

/**
 * What one span, log record, resource or scope may weigh: a thousand vectors of four thousand numbers. It is decoded, read and
 * shown as a whole.
 */
const MAX_WEIGHT = 2 ** 22;

const TOO_MANY_VALUES =
  'There are too many values. A span, log record, resource or scope may have four million values in lists, a million attributes, or a quarter of a million events and links.';

const TEXTS = new TextCache();
