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

  it('decodes a million attributes', () => {
    const attribute = [0x4a, 9, 0x0a, 3, 0x6b, 0x65, 0x79, 0x12, 2, 0x10, 1];
    const bytes = new Uint8Array(attribute.length * 1_000_000);
    for (let at = 0; at < bytes.length; at += attribute.length) bytes.set(attribute, at);
    const { attributes } = decodeGoodSpan(bytes);
    expect(attributes).toHaveLength(1_000_000);
    expect(attributes[999_999]).toEqual({ key: 'key', value: true } satisfies KeyValue);
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
