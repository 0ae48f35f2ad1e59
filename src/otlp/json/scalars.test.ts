import { describe, expect, it } from 'vitest';
import { readBase64, readDouble, readEnum, readId, readInt64OrDouble, readInteger, WrongJsonType } from './scalars.ts';

const MAX = 2n ** 64n - 1n;

describe('the JSON scalars', () => {
  it.each([
    [0, 0n],
    ['18446744073709551615', MAX],
    ['007', 7n],
    ['1e3', 1000n],
    ['2.50e1', 25n],
    [5e3, 5000n],
  ])('read %j as an integer', (value, integer) => {
    expect(readInteger(value, 0n, MAX)).toBe(integer);
  });

  it.each([1.5, '1.5', '', ' 1', '0x10', '1_000', 'NaN', '9'.repeat(401), '18446744073709551616', -1, true, null, []])(
    'do not read %j as an integer',
    (value) => {
      expect(() => readInteger(value, 0n, MAX)).toThrow(WrongJsonType);
    },
  );

  it('read an integer beyond 64 bits as a double, however it is written', () => {
    expect(readInt64OrDouble(1e21)).toBe(1e21);
    expect(readInt64OrDouble('-9223372036854775809')).toBe(-(2 ** 63));
    expect(readInt64OrDouble('-9223372036854775808')).toBe(-(2n ** 63n));
  });

  it.each(['', '1.', '.5', 'infinity', '+1', 'nan', '1e999', {}, true])('do not read %j as a double', (value) => {
    expect(() => readDouble(value)).toThrow(WrongJsonType);
  });

  it('read an enum by its number or a name of its own', () => {
    expect(readEnum('ON', { ON: 1 })).toBe(1n);
    expect(readEnum(-7, { ON: 1 })).toBe(-7n);
    expect(() => readEnum('constructor', { ON: 1 })).toThrow(WrongJsonType);
  });

  it('read ids and base64', () => {
    expect([...readId('fF00')]).toEqual([0xff, 0]);
    expect([...readId('')]).toEqual([]);
    expect([...readBase64('')]).toEqual([]);
    expect([...readBase64('-_8')]).toEqual([...readBase64('+/8=')]);
    expect(() => readBase64('a b')).toThrow('base64 is expected');
    expect(() => readId(12)).toThrow('a string is expected');
  });

  it('do not quote a value in what they say about it', () => {
    expect(() => readInteger('hunter2', 0n, MAX)).toThrow(/^an integer from 0 to 18446744073709551615 is expected$/);
  });
});
