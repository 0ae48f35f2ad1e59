/**
 * A strict reader of protobuf's wire format, written for clarity. It stands before the oracle, whose decoder passes over
 * a field of the wrong wire type and over a nested message that is longer than the one around it.
 * @see https://protobuf.dev/programming-guides/encoding/
 */
import { findOracleField } from './otlp.ts';

const TEXT = new TextDecoder('utf-8', { ignoreBOM: true });

/** One field: `content` is its value, of a message without the length in front of it. */
export interface WireField {
  readonly number: number;
  readonly wireType: number;
  readonly content: Uint8Array;
}

/** What is allowed to nest, as docs/ingestion.md says; more levels of a value are cut off. */
const MAX_GROUPS = 100;
const MAX_VALUE_LEVELS = 64;
const TOO_DEEP = `[nested deeper than ${MAX_VALUE_LEVELS} levels]`;

/** The fields of a message in their order. @throws Error where the bytes are no message */
export function readFields(bytes: Uint8Array): WireField[] {
  const fields: WireField[] = [];
  for (let at = 0; at < bytes.length; ) {
    const field = readField(bytes, at);
    fields.push(field);
    at = field.end;
  }
  return fields;
}

/** Encodes fields, so that {@link readFields} gives them back. */
export function writeFields(fields: readonly WireField[]): Uint8Array {
  const parts = fields.flatMap(({ number, wireType, content }) => {
    const tag = writeVarint(number * 8 + wireType);
    return wireType === 2 ? [tag, writeVarint(content.length), content] : [tag, content];
  });
  return new Uint8Array(Buffer.concat(parts));
}

/**
 * The message with all fields left out that its schema does not know in this form, values cut off where they are nested
 * too deep, and U+FFFD in the place of what is no UTF-8. Spans are handed to `takeSpan` and replaced by what it returns.
 * @throws Error where the bytes are no message
 */
export function cleanMessage(
  message: string,
  bytes: Uint8Array,
  takeSpan: (span: Uint8Array) => Uint8Array,
  valueLevel = 0,
): Uint8Array {
  const kept = readFields(bytes).flatMap((field): WireField[] => {
    const known = findOracleField(message, field.number);
    if (known?.wireType !== field.wireType) return [];
    if (known.isText) return [{ ...field, content: Buffer.from(TEXT.decode(field.content)) }];
    if (known.message === undefined) return [field];
    if (known.message === 'Span') return [{ ...field, content: takeSpan(field.content) }];
    const level = known.message === 'AnyValue' ? valueLevel + 1 : valueLevel;
    if (level > MAX_VALUE_LEVELS) {
      const text = { number: 1, wireType: 2, content: Buffer.from(TOO_DEEP) };
      return [{ ...field, content: writeFields([text]) }];
    }
    return [{ ...field, content: cleanMessage(known.message, field.content, takeSpan, level) }];
  });
  return writeFields(kept);
}

function readField(bytes: Uint8Array, start: number): WireField & { readonly end: number } {
  const tag = readVarint(bytes, start);
  const [number, wireType] = [tag.value >> 3n, Number(tag.value & 7n)];
  if (number < 1n || number >= 2n ** 29n) throw new Error('a field number is out of range');
  const [from, end] = findContent(bytes, Number(number), wireType, tag.end, 1);
  if (end > bytes.length) throw new Error('a field runs past the end');
  return { number: Number(number), wireType, content: bytes.subarray(from, end), end };
}

/** Where the value of a field starts and ends, its length excluded. */
function findContent(
  bytes: Uint8Array,
  number: number,
  wireType: number,
  at: number,
  groups: number,
): [number, number] {
  switch (wireType) {
    case 0:
      return [at, readVarint(bytes, at).end];
    case 1:
      return [at, at + 8];
    case 2: {
      const length = readVarint(bytes, at);
      return [length.end, length.end + Number(length.value)];
    }
    case 3:
      return [at, findGroupEnd(bytes, number, at, groups)];
    case 5:
      return [at, at + 4];
    default:
      throw new Error(`wire type ${wireType} cannot begin a field`);
  }
}

function findGroupEnd(bytes: Uint8Array, number: number, start: number, groups: number): number {
  if (groups > MAX_GROUPS) throw new Error('groups are nested too deep');
  for (let at = start; ; ) {
    const tag = readVarint(bytes, at);
    const [inner, wireType] = [Number(tag.value >> 3n), Number(tag.value & 7n)];
    if (inner < 1 || inner >= 2 ** 29) throw new Error('a field number is out of range');
    if (wireType === 4 && inner === number) return tag.end;
    [, at] = findContent(bytes, inner, wireType, tag.end, groups + 1);
    if (at > bytes.length) throw new Error('a field runs past the end');
  }
}

function readVarint(bytes: Uint8Array, start: number): { value: bigint; end: number } {
  let value = 0n;
  for (let index = 0; index < 10; index++) {
    const byte = bytes[start + index];
    if (byte === undefined) throw new Error('a varint runs past the end');
    value |= BigInt(byte & 0x7f) << BigInt(7 * index);
    if (byte < 0x80) return { value: BigInt.asUintN(64, value), end: start + index + 1 };
  }
  throw new Error('a varint is longer than ten bytes');
}

function writeVarint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return Uint8Array.from([...bytes, rest]);
}
