import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonNumber } from '#base/json';
import type { AttributeScalar } from '#derive/narrow-attributes';
import {
  packAttribute,
  packNumbers,
  packSparse,
  packTexts,
  unpackAttribute,
  unpackNumbers,
  unpackSparse,
  unpackTexts,
} from '../segment-chunks.ts';
import { Coder } from '../coder.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { packChunk, readChunk } from './chunk.ts';

const RUNS = { numRuns: 150 };

/** Any text: halves of surrogate pairs and NUL, too. */
const text = fc.string({ unit: fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code)), maxLength: 20 });
const missing = fc.constant(undefined);

describe('chunks of columns', () => {
  it('give numbers back as they were', () => {
    const whole = (max: number) => fc.integer({ min: -max, max });
    const values = fc.oneof(
      fc.array(fc.double(), { maxLength: 50 }),
      fc.array(fc.oneof(fc.constant(NaN), whole(200)), { maxLength: 300 }),
      fc.array(whole(Number.MAX_SAFE_INTEGER), { maxLength: 50 }),
      fc.array(fc.constantFrom(0, -0, 1), { maxLength: 10 }),
      fc.tuple(whole(2 ** 50), fc.array(fc.nat({ max: 2 ** 20 }), { maxLength: 300 })).map(([start, steps]) => {
        let value = start;
        return steps.map((step) => (value += step));
      }),
      fc
        .tuple(whole(2 ** 52), fc.nat({ max: 48 }), fc.array(fc.nat(), { maxLength: 100 }))
        .map(([start, bits, parts]) => parts.map((part) => start + (part % 2 ** bits))),
    );
    fc.assert(
      fc.property(values, (numbers) => {
        const column = Float64Array.from(numbers);
        const chunk = packNumbers('start_us', column);
        expect(unpackNumbers(chunk?.data, column.length)).toEqual(column);
      }),
      RUNS,
    );
  });

  it('give texts back as they were', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(text, missing), { minLength: 1, maxLength: 60 }), (texts) => {
        const coder = new Coder<string>(texts.length);
        for (const [row, value] of texts.entries()) if (value !== undefined) coder.set(row, value);
        const { codes, values } = unpackTexts(packTexts('name', coder.column)?.data, texts.length);
        expect(Array.from(codes, (code) => values[code])).toEqual(texts);
      }),
      RUNS,
    );
  });

  it('give attributes back with their types and digits', () => {
    const scalar = fc.oneof(
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom('1', '1.0', 'true', '9007199254740993'),
      fc.constantFrom('1.0', '9007199254740993', '-0.0', '1e400').map((digits) => new JsonNumber(digits)),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(scalar, missing), { minLength: 1, maxLength: 60 }), (held) => {
        const coder = new Coder<AttributeScalar>(held.length);
        for (const [row, value] of held.entries()) if (value !== undefined) coder.set(row, value);
        const uncertain = Uint16Array.from(held.keys()).filter((row) => row % 3 === 1);
        const leftOut = uncertain.filter((row) => row % 2 === 1);
        const column = unpackAttribute(packAttribute('a.b', { ...coder.column, uncertain, leftOut }).data);
        expect(Array.from(column.codes, (code) => column.values[code])).toEqual(held);
        expect([column.uncertain, column.leftOut]).toEqual([uncertain, leftOut]);
        const rows = [...held.keys()].filter((row) => held[row] !== undefined);
        const sparse = [
          { path: 'x', rows, values: rows.map((row) => held[row] as AttributeScalar) },
          { path: 'ÿ.\u{1f600}', rows: [7], values: [1] },
        ];
        expect(unpackSparse(packSparse(sparse)?.data)).toEqual(sparse);
      }),
      RUNS,
    );
  });

  it('take as many different values as a batch has rows', () => {
    const texts = Array.from({ length: 4096 }, (_, row) => `value ${row}`);
    const coder = new Coder<string>(texts.length);
    for (const [row, value] of texts.entries()) coder.set(row, value);
    const { codes, values } = unpackTexts(packTexts('span_id', coder.column)?.data, texts.length);
    expect(Array.from(codes, (code) => values[code])).toEqual(texts);
  });

  it('are refused where they were cut', () => {
    const out = new ByteWriter();
    out.bytes(new Uint8Array(1000));
    const packed = packChunk(out.written);
    const lengthOf = (bytes: Uint8Array) => bytes.length;
    expect(readChunk(packed, lengthOf)).toBe(1000);
    expect(() => readChunk(packed.subarray(0, packed.length - 3), lengthOf)).toThrow();
    expect(() => new ByteReader(new Uint8Array(3)).size()).toThrow('ends too early');
  });
});
