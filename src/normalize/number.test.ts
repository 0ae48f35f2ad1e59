import { describe, expect, it } from 'vitest';
import { JsonNumber, type JsonValue } from '#base/json';
import { toInteger, toNumber } from './number.ts';

describe('toInteger', () => {
  it.each<[JsonValue, number]>([
    ['12', 12],
    [' -3 ', -3],
    [12.7, 12],
    [new JsonNumber('12.0'), 12],
    [true, 1],
    [false, 0],
    [-0, 0],
  ])('reads %j as %i', (value, expected) => {
    expect(toInteger(value)).toBe(expected);
  });

  it.each<[JsonValue | undefined]>([
    ['12.7'],
    ['twelve'],
    [''],
    ['99999999999999999999'],
    [new JsonNumber('9223372036854775807')],
    [new JsonNumber('1e999')],
    [null],
    [[12]],
    [undefined],
  ])('tells that %j is no count', (value) => {
    expect(toInteger(value)).toBeUndefined();
  });
});

describe('toNumber', () => {
  it('reads numbers only', () => {
    expect([0.5, new JsonNumber('2.0'), '2', true, null].map(toNumber)).toEqual([
      0.5,
      2,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
