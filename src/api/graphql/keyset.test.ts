import { describe, expect, it } from 'vitest';
import { formatPosition, parsePosition, type ValueType } from './keyset.ts';

describe('a cursor', () => {
  it.each<[ValueType | null, number | null, number, string]>([
    [null, null, 12, '12'],
    ['DATETIME', 1_716_854_409_000_000, 12, '12:DATETIME:1716854409000000'],
    ['FLOAT', 0, 1, '1:FLOAT:0'],
    ['INT', -3, 2 ** 53 - 1, '9007199254740991:INT:-3'],
    ['INT', null, 7, '7:NULL:'],
    ['FLOAT', 15e15, 7, '7:FLOAT:15000000000000000'],
    ['FLOAT', 9e20, 7, '7:FLOAT:900000000000000000000'],
  ])('of type %s with the value %s at row %d is %s, and leads back', (type, value, rowId, text) => {
    const cursor = formatPosition(type, { value, rowId });
    expect(atob(cursor)).toBe(text);
    expect(parsePosition(type, cursor)).toEqual({ value, rowId });
  });

  it('is none at the beginning', () => {
    expect(parsePosition('INT', null)).toBeNull();
  });

  it.each<[ValueType | null, string]>([
    [null, '12:INT:5'],
    [null, '12:NULL:'],
    ['INT', '12'],
    ['INT', '12:FLOAT:5'],
    ['INT', '12:INT:'],
    ['INT', '12:INT:5.5'],
    ['INT', '12:INT:5 OR 1'],
    ['INT', `12:INT:${'9'.repeat(22)}`],
    ['INT', '-1:INT:5'],
    ['INT', 'Span:12'],
    ['INT', ''],
    ['INT', '1'.repeat(100)],
  ])('of an order of type %s is not %s', (type, text) => {
    expect(() => parsePosition(type, btoa(text))).toThrow('Invalid cursor');
  });
});
