import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JsonNumber, type JsonValue } from '#base/json';
import { flattenAttributes } from './attributes.ts';
import { flattenInOrder } from './flat-order.ts';
import { unflatten } from './unflatten.ts';

const anyKey = fc.oneof(
  fc
    .array(fc.constantFrom('a', 'b', '0', '1', '00', '10', '', ' '), { minLength: 1, maxLength: 4 })
    .map((segments) => segments.join('.')),
  fc.constantFrom('__proto__.x', 'x.'.repeat(65), 'output.value', 'llm.input_messages.1.message.role'),
);
const plainValue: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue[]>(
  'text',
  '',
  1,
  false,
  [],
  ['a', 2],
  new JsonNumber('1.0'),
);
const anyValue = fc.oneof(plainValue, fc.constantFrom<JsonValue[]>(null, {}, { a: 1 }, [{ b: 'c' }], [['a']]));

it('has the keys, the order and the values that a tree would have', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyKey, plainValue), { maxLength: 8 }), (entries) => {
      expect(flattenInOrder(entries)).toEqual(flattenAttributes(unflatten(entries)));
    }),
    { numRuns: 2000 },
  );
});

it('is no different from it where it answers, whatever the values', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyKey, anyValue), { maxLength: 4 }), (entries) => {
      const flat = flattenInOrder(entries);
      if (flat !== undefined) expect(flat).toEqual(flattenAttributes(unflatten(entries)));
    }),
    { numRuns: 2000 },
  );
});

it('leaves values with fields to the tree', () => {
  expect(flattenInOrder([['a', { b: 1 }]])).toBeUndefined();
  expect(flattenInOrder([['a', [{ b: 1 }]]])).toBeUndefined();
});

it('forgets orders, and finds them again', () => {
  const numbers = [...Array(600).keys()];
  for (const number of [...numbers, ...numbers]) {
    const entries: [string, JsonValue][] = [
      [`a${number}.1.b`, 'one'],
      ['c', number],
      [`a${number}.0.b`, 'zero'],
    ];
    expect(flattenInOrder(entries)).toEqual([
      [`a${number}.0.b`, 'zero'],
      [`a${number}.1.b`, 'one'],
      ['c', number],
    ]);
  }
});
