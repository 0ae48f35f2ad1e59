import { describe, expect, it } from 'vitest';
import { readBound, writeBound } from './read-bound.ts';

const least = (text: string, look?: 'duration' | 'cost') => readBound(text, look, 'min');
const inclusive = (value: number) => ({ bound: { value, isExclusive: false } });
const exclusive = (value: number) => ({ bound: { value, isExclusive: true } });

describe('a bound', () => {
  it.each([
    ['300', 300],
    ['300ms', 300],
    ['>=1.1 s', 1100],
    ['1.5 seconds', 1500],
    ['2m 30s', 150_000],
    ['1h30min', 5_400_000],
    ['0.5 µs', 0.0005],
    ['1,500 ms', 1500],
  ])('of durations may be %s', (text, bound) => {
    expect(least(text, 'duration')).toEqual(inclusive(bound));
  });

  it.each([
    ['$0.01', 0.01],
    ['.01', 0.01],
    ['0.01 USD', 0.01],
    ['≥ $ 1,200.50', 1200.5],
  ])('of costs may be %s', (text, bound) => {
    expect(least(text, 'cost')).toEqual(inclusive(bound));
  });

  it.each([
    ['1000', 1000],
    ['1.5k', 1500],
    ['2M', 2_000_000],
    ['1e3', 1000],
    ['-0.5', -0.5],
  ])('of counts may be %s', (text, bound) => {
    expect(least(text)).toEqual(inclusive(bound));
  });

  it('leaves the number itself out where a sign says so, and is written as it was read', () => {
    expect(least('> 2s', 'duration')).toEqual(exclusive(2000));
    expect(readBound('<5', undefined, 'max')).toEqual(exclusive(5));
    expect(least('  ')).toEqual({ bound: null });
    for (const bound of [null, { value: -1.5, isExclusive: true }, { value: 0, isExclusive: false }]) {
      expect(least(writeBound(bound, 'min'))).toEqual({ bound });
      expect(readBound(writeBound(bound, 'max'), undefined, 'max')).toEqual({ bound });
    }
  });

  it('says what can be written where it is not understood', () => {
    for (const text of ['fast', '2 x', 's', '1,5 s', '2s fast', '2toString', '>', '1 2', '9'.repeat(400)])
      expect(least(text, 'duration'), text).toEqual({ fault: expect.stringContaining('1.5s') as string });
    expect(least('2s', 'cost')).toEqual({ fault: expect.stringContaining('$0.01') as string });
    expect(least('2s')).toEqual({ fault: expect.stringContaining('1.5k') as string });
  });

  it('says where a sign of the other side belongs', () => {
    expect(least('< 2s', 'duration')).toEqual({ fault: 'Use “<” in the maximum field, not in this one.' });
    expect(readBound('≥ 2', undefined, 'max')).toEqual({
      fault: 'Use “≥” in the minimum field, not in this one.',
    });
    expect(readBound('<= 2', undefined, 'max')).toEqual(inclusive(2));
  });
});
