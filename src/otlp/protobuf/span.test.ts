import { describe, expect, it } from 'vitest';
import { encodeWithOracle } from '../../../test/oracle/otlp.ts';
import type { AnyValue, KeyValue, OtlpSpan } from '../messages.ts';
import { encodeMalformedMessage } from './malformed-message.ts';
import { decodeSpan } from './span.ts';
import { ProtobufWriter } from './writer.ts';

function decodeGoodSpan(bytes: Uint8Array): OtlpSpan {
  const span = decodeSpan(bytes);
  if ('malformed' in span) throw new Error(span.malformed);
  return span;
}

/** A span with one attribute, whose `AnyValue` has this content. */
function spanWithValue(content: readonly number[]): Uint8Array {
  const writer = new ProtobufWriter();
  writer.message(9, () => writer.bytes(2, Uint8Array.from(content)));
  return writer.finish();
}

function decodeValue(content: readonly number[]): AnyValue | undefined {
  return decodeGoodSpan(spanWithValue(content)).attributes[0]?.value;
}

/** The content of an `AnyValue` that is text below so many arrays. */
function nestedArrays(depth: number): Uint8Array {
  const writer = new ProtobufWriter();
  const lengths = Array<number>(depth).fill(0);
  writer.text(1, 'bottom');
  for (const start of lengths) {
    writer.closeMessage(1, start);
    writer.closeMessage(5, start);
  }
  return writer.finish();
}

/** How many arrays a value is below, and what is at the bottom. */
function bottomOf(value: AnyValue | undefined): { depth: number; bottom: AnyValue | undefined } {
  let depth = 0;
  let bottom = value;
  for (; Array.isArray(bottom); depth++) bottom = (bottom as readonly AnyValue[])[0];
  return { depth, bottom };
}

describe('decodeSpan', () => {
  it('replaces bytes that are not UTF-8, in keys, short and long texts alike', () => {
    const bytes = [0x61, 0xff, 0x62];
    const long = [...bytes, ...Array<number>(200).fill(0x63)];
    expect(decodeValue([0x0a, bytes.length, ...bytes])).toBe('a\uFFFDb');
    expect(decodeValue([0x0a, 0xcb, 0x01, ...long])).toBe(`a\uFFFDb${'c'.repeat(200)}`);
    expect(decodeGoodSpan(Uint8Array.from([0x4a, 5, 0x0a, 3, ...bytes])).attributes).toEqual([
      { key: 'a\uFFFDb', value: null },
    ]);
  });

  it('keeps NUL and a byte order mark in text', () => {
    expect(decodeValue([0x0a, 5, 0xef, 0xbb, 0xbf, 0x00, 0x61])).toBe('\uFEFF\0a');
  });

  it('tells integers from doubles, and the extremes of both exactly', () => {
    expect(decodeValue([0x18, 0x01])).toBe(1n);
    expect(decodeValue([0x18, ...Array<number>(9).fill(0xff), 0x01])).toBe(-1n);
    expect(decodeValue([0x18, ...Array<number>(9).fill(0x80), 0x01])).toBe(-(2n ** 63n));
    expect(decodeValue([0x18, ...Array<number>(8).fill(0xff), 0x7f])).toBe(2n ** 63n - 1n);
    expect(decodeValue([0x21, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f])).toBe(1);
    expect(decodeValue([0x21, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f])).toBeNaN();
  });

  it('reads any varint that is not zero as true, beyond 32 bits too', () => {
    expect(decodeValue([0x10, 0x00])).toBe(false);
    expect(decodeValue([0x10, 0x80, 0x80, 0x80, 0x80, 0x10])).toBe(true);
  });

  it('treats the profiling-only fields as absent', () => {
    expect(decodeValue([0x40, 0x05])).toBeNull();
    expect(decodeGoodSpan(Uint8Array.from([0x4a, 2, 0x18, 5])).attributes).toEqual([{ key: '', value: null }]);
  });

  it('passes over a known field of another wire type', () => {
    expect(decodeGoodSpan(Uint8Array.from([0x28, 0x05, 0x2a, 1, 0x61])).name).toBe('a');
  });

  it('keeps values down to level 64 and replaces deeper ones by a text', () => {
    expect(bottomOf(decodeValue([...nestedArrays(63)]))).toEqual({ depth: 63, bottom: 'bottom' });
    expect(bottomOf(decodeValue([...nestedArrays(64)]))).toEqual({
      depth: 64,
      bottom: '[nested deeper than 64 levels]',
    });
  });

  it('neither overflows the stack nor takes long on a hundred thousand levels', () => {
    const span = spanWithValue([]);
    const writer = new ProtobufWriter();
    writer.message(9, () => writer.bytes(2, nestedArrays(100_000)));
    expect(span.length).toBeLessThan(writer.length);
    expect(bottomOf(decodeGoodSpan(writer.finish()).attributes[0]?.value).depth).toBe(64);
  });

  const ATTRIBUTE = [0x4a, 9, 0x0a, 3, 0x6b, 0x65, 0x79, 0x12, 2, 0x10, 1];

  it('decodes a million attributes', () => {
    const { attributes } = decodeGoodSpan(repeat(ATTRIBUTE, 1_000_000));
    expect(attributes).toHaveLength(1_000_000);
    expect(attributes[999_999]).toEqual({ key: 'key', value: true } satisfies KeyValue);
  });

  it('decodes a thousand vectors of four thousand numbers', () => {
    const vector = repeat([0x0a, 9, 0x21, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f], 4000);
    const writer = new ProtobufWriter();
    for (let count = 0; count < 1000; count++)
      writer.message(9, () => writer.message(2, () => writer.bytes(5, vector)));
    const { attributes } = decodeGoodSpan(writer.finish());
    expect(attributes).toHaveLength(1000);
    expect(attributes[999]?.value).toHaveLength(4000);
  });

  it.each([
    ['attributes', () => repeat(ATTRIBUTE, 1_050_000)],
    ['values in a list', () => valueOf(repeat([0x0a, 0], 4_200_000))],
    ['lists in a list', () => valueOf(repeat([0x0a, 2, 0x2a, 0], 1_100_000))],
    ['events', () => repeat([0x5a, 0], 263_000)],
    ['links', () => repeat([0x6a, 0], 263_000)],
  ])('does not decode one of too many %s', (_, create) => {
    expect(decodeSpan(create())).toMatchObject({ malformed: expect.stringContaining('too many values') });
  });

  it('returns views of the message, of plain Uint8Array type', () => {
    const bytes = encodeWithOracle('Span', { traceId: Uint8Array.of(1, 2) });
    const span = decodeGoodSpan(Buffer.from(bytes));
    expect(span.bytes).toEqual(bytes);
    expect(Buffer.isBuffer(span.bytes) || Buffer.isBuffer(span.traceId)).toBe(false);
  });

  it('reads the reason out of a span that was given up before decoding', () => {
    const bytes = encodeMalformedMessage('Not a valid span: name: a string is expected.');
    expect(decodeSpan(bytes)).toEqual({ bytes, malformed: 'Not a valid span: name: a string is expected.' });
  });

  it('bounds the reason, however long the message is', () => {
    const bytes = new Uint8Array(1_000_000).fill(0x61);
    bytes[0] = 0x07;
    const span = decodeSpan(bytes);
    expect('malformed' in span && span.malformed.length).toBeLessThan(1000);
  });
});

function repeat(bytes: readonly number[], count: number): Uint8Array {
  const repeated = new Uint8Array(bytes.length * count);
  for (let at = 0; at < repeated.length; at += bytes.length) repeated.set(bytes, at);
  return repeated;
}

/** A span with one attribute, a list of these values. */
function valueOf(values: Uint8Array): Uint8Array {
  const writer = new ProtobufWriter();
  writer.message(9, () => writer.message(2, () => writer.bytes(5, values)));
  return writer.finish();
}
