/** PostgreSQL's binary COPY format: https://www.postgresql.org/docs/current/sql-copy.html#id-1.9.3.55.9.4 */
import type { ColumnValue } from '../schema/column-value.ts';
import { StorageError } from '../engine/storage-error.ts';
import { TYPE } from './types.ts';

/** A column of the rows. */
export interface CopyColumn {
  readonly name: string;
  /** The object id of its type. */
  readonly type: number;
}

/**
 * Writes rows in the format: chunks of about a megabyte. `columns` are those of the rows, in their order.
 * @throws StorageError `statement` for a value that the column cannot hold; nothing was sent then
 */
export function encodeRows(
  columns: readonly CopyColumn[],
  rows: readonly Readonly<Record<string, ColumnValue>>[],
): readonly Buffer[] {
  const out = new CopyBuffer();
  out.bytes(HEADER);
  const writers = columns.map(writerOf);
  for (const row of rows) {
    out.int16(writers.length);
    let place = 0;
    for (const value of Object.values(row)) {
      const write = writers[place];
      if (value === null) out.int32(NULL);
      else write?.(out, value);
      place += 1;
    }
    if (place !== writers.length)
      throw new StorageError('statement', 'a row has other columns than the first', undefined);
    out.endRow();
  }
  out.int16(END);
  return out.chunks();
}

/** Signature, flags, length of an extension. */
const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const NULL = -1;
const END = -1;

type WriteValue = (out: CopyBuffer, value: Exclude<ColumnValue, null>) => void;

function writerOf(column: CopyColumn): WriteValue {
  const { name, type } = column;
  const refuse = (value: ColumnValue): never => {
    throw new StorageError('statement', `the column ${name} cannot hold ${describeValue(value)}`, undefined);
  };
  switch (type) {
    case TYPE.int8:
      return (out, value) => {
        if (typeof value === 'number' && Number.isSafeInteger(value)) out.int8(value);
        else if (typeof value === 'bigint' && BigInt.asIntN(64, value) === value) out.bigint(value);
        else if (Number.isNaN(value)) out.int32(NULL);
        else refuse(value);
      };
    case TYPE.int4:
    case TYPE.int2: {
      const [bytes, most] = type === TYPE.int4 ? [4, 0x7fff_ffff] : [2, 0x7fff];
      return (out, value) => {
        if (typeof value !== 'number' || !Number.isInteger(value) || value > most || value < -most - 1)
          return refuse(value);
        out.int32(bytes);
        if (bytes === 4) out.int32(value);
        else out.int16(value);
      };
    }
    case TYPE.float8:
      return (out, value) => {
        if (typeof value !== 'number') return refuse(value);
        // As SQLite does.
        if (Number.isNaN(value)) out.int32(NULL);
        else out.float8(value);
      };
    case TYPE.text:
      return (out, value) => {
        if (typeof value !== 'string' || value.includes('\0')) return refuse(value);
        out.text(value);
      };
    case TYPE.bytea:
      return (out, value) => {
        if (!(value instanceof Uint8Array)) return refuse(value);
        out.int32(value.length);
        out.bytes(value);
      };
    default:
      throw new StorageError(
        'statement',
        `the column ${name} has a type that rows are not loaded into: ${type}`,
        undefined,
      );
  }
}

/** Never a text itself, which is somebody's data. */
function describeValue(value: ColumnValue): string {
  if (typeof value === 'string') return value.includes('\0') ? 'text with NUL' : 'text';
  return value instanceof Uint8Array ? 'bytes' : String(value);
}

/** Grows as it is written; numbers are big-endian. */
class CopyBuffer {
  #buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  #length = 0;
  readonly #full: Buffer[] = [];

  int16(value: number): void {
    this.#reserve(2);
    this.#length = this.#buffer.writeInt16BE(value, this.#length);
  }

  int32(value: number): void {
    this.#reserve(4);
    this.#length = this.#buffer.writeInt32BE(value, this.#length);
  }

  /** With its length. */
  int8(value: number): void {
    this.#reserve(12);
    const buffer = this.#buffer;
    buffer.writeInt32BE(8, this.#length);
    buffer.writeInt32BE(Math.floor(value / 2 ** 32), this.#length + 4);
    this.#length = buffer.writeUInt32BE(value >>> 0, this.#length + 8);
  }

  /** With its length. */
  bigint(value: bigint): void {
    this.#reserve(12);
    this.#buffer.writeInt32BE(8, this.#length);
    this.#length = this.#buffer.writeBigInt64BE(value, this.#length + 4);
  }

  /** With its length. */
  float8(value: number): void {
    this.#reserve(12);
    this.#buffer.writeInt32BE(8, this.#length);
    this.#length = this.#buffer.writeDoubleBE(value, this.#length + 4);
  }

  /** With its length. */
  text(value: string): void {
    this.#reserve(4 + value.length * MAX_BYTES_A_UNIT);
    const length = this.#buffer.write(value, this.#length + 4, 'utf8');
    this.#buffer.writeInt32BE(length, this.#length);
    this.#length += 4 + length;
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#buffer.set(value, this.#length);
    this.#length += value.length;
  }

  /** Rows are not torn apart. */
  endRow(): void {
    if (this.#length < CHUNK_BYTES - ROOM_LEFT_BYTES) return;
    this.#full.push(this.#buffer.subarray(0, this.#length));
    this.#buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    this.#length = 0;
  }

  chunks(): readonly Buffer[] {
    return [...this.#full, this.#buffer.subarray(0, this.#length)];
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + bytes));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

const CHUNK_BYTES = 1 << 20;
const ROOM_LEFT_BYTES = 1 << 16;

/** Of UTF-8, for one unit of UTF-16. */
const MAX_BYTES_A_UNIT = 3;
