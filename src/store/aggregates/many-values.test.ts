/** More distinct values than a batch, a code or a facet can number, and numbers at the ends of what there is. */
import { describe, expect, it } from 'vitest';
import { JsonNumber } from '#base/json';
import type { Comparable } from '#filter/compare';
import type { Vector } from '../query/vectors.ts';
import { ValueNumbers } from './dimension-values.ts';
import { FacetCounter } from './facet-counter.ts';
import type { FacetRequest } from './port.ts';

const BATCH = 4096;

const REQUEST: FacetRequest = {
  dimension: { kind: 'attribute', path: 'a', of: null },
  maxValues: 3,
  prefix: null,
  leavesOutOwnTerms: false,
};

/** A batch in which each row has a value of its own. */
function batchOf(valueAt: (row: number) => Comparable, uncertain: Uint8Array | null = null): Vector {
  const values = [undefined, ...Array.from({ length: BATCH }, (_, row) => valueAt(row))];
  return { kind: 'coded', codes: Uint16Array.from({ length: BATCH }, (_, row) => row + 1), values, uncertain };
}

const ALL_ROWS = { count: BATCH, rows: Uint16Array.from({ length: BATCH }, (_, row) => row) };

describe('a facet', () => {
  it.each([
    ['more than 16 bits number', 17, 0],
    ['more than it tells apart', 26, 26 * BATCH - 100_000],
  ])('of %s counts every span once', (_what, batches, untold) => {
    const counter = new FacetCounter();
    for (let batch = 0; batch < batches; batch++) {
      counter.add(
        batchOf((row) => `value ${batch * BATCH + row}`),
        ALL_ROWS,
      );
    }
    // One that is known by then is still counted.
    for (let times = 0; times < 2; times++) counter.add({ kind: 'constant', value: 'value 70' }, ALL_ROWS);
    const facet = counter.read(REQUEST);
    expect(facet.values[0]).toEqual({ value: 'value 70', text: 'value 70', count: 2 * BATCH + 1 });
    expect(facet.values.slice(1).map(({ count }) => count)).toEqual([1, 1]);
    expect(facet.values.length + facet.otherValueCount + facet.unlistedCount).toBe(batches * BATCH);
    expect([facet.unlistedCount, facet.isCut, facet.missingCount]).toEqual([untold, untold > 0, 0]);
  });

  it('leaves to originals what they tell, and counts no row twice', () => {
    const counter = new FacetCounter();
    const uncertain = Uint8Array.from({ length: BATCH }, (_, row) => row % 2);
    counter.add(
      batchOf((row) => (row % 4 === 0 ? undefined : 'x'), uncertain),
      ALL_ROWS,
    );
    const { values, missingCount, unlistedCount } = counter.read(REQUEST);
    expect(values).toEqual([{ value: 'x', text: 'x', count: BATCH / 4 }]);
    expect([missingCount, unlistedCount]).toEqual([BATCH / 4, BATCH / 2]);
  });

  it.each([
    ['nothing', 0],
    ['one row', 1],
  ])('of %s is one', (_what, count) => {
    const counter = new FacetCounter();
    counter.add(
      batchOf(() => 7),
      { count, rows: Uint16Array.of(BATCH - 1) },
    );
    const { values, numbers } = counter.read(REQUEST);
    expect(values).toEqual(count === 0 ? [] : [{ value: 7, text: '7', count }]);
    expect(numbers?.count ?? 0).toBe(count);
  });

  it('finds values by their beginning, whatever the case and the letters', () => {
    const values = ['Größe', 'GRÖSSE 2', 'gro', '__proto__', 'constructor', '', '😀 a', 'ǅ'];
    const counter = new FacetCounter();
    for (const value of values) counter.add({ kind: 'constant', value }, { count: 1, rows: Uint16Array.of(0) });
    const find = (prefix: string) =>
      counter.read({ ...REQUEST, maxValues: 100, prefix }).values.map(({ text }) => text);
    expect(find('grös')).toEqual(['GRÖSSE 2', 'Größe']);
    expect(find('__')).toEqual(['__proto__']);
    expect(find('😀')).toEqual(['😀 a']);
    expect(find('')).toHaveLength(values.length);
  });
});

describe('a value', () => {
  it.each<readonly [what: string, one: Comparable, other: Comparable, isSame: boolean]>([
    ['1 and 1.0', 1, new JsonNumber('1.0'), true],
    ['1 and "1"', 1, '1', false],
    ['1 and true', 1, true, false],
    ['2^53 and 2^53 + 1', new JsonNumber('9007199254740992'), new JsonNumber('9007199254740993'), false],
    ['a wide integer twice', new JsonNumber('9223372036854775807'), new JsonNumber('9223372036854775807'), true],
    ['0 and -0.0', 0, new JsonNumber('-0.0'), true],
    ['1e3 and 1000', new JsonNumber('1e3'), 1000, true],
    ['an empty text and none', '', null, false],
    ['NaN and none', Number.NaN, undefined, true],
    ['two ways to write a letter', 'é', 'e\u0301', false],
    ['names of members', '__proto__', 'constructor', false],
  ])('%s', (_what, one, other, isSame) => {
    const numbers = new ValueNumbers();
    expect(numbers.numberOf(one) === numbers.numberOf(other)).toBe(isSame);
    // Asked again, it is the same.
    expect(numbers.numberOf(one) === numbers.numberOf(other)).toBe(isSame);
  });

  it('beyond all numbers is not added to what numbers come to', () => {
    const counter = new FacetCounter();
    const one = { count: 1, rows: Uint16Array.of(0) };
    for (const value of [new JsonNumber('1e400'), new JsonNumber('9007199254740993'), -1e308, 5e-324, 'NaN']) {
      counter.add({ kind: 'constant', value }, one);
    }
    counter.add({ kind: 'numbers', values: Float64Array.of(Number.NaN), uncertain: null }, one);
    const { numbers, missingCount, values, otherValueCount } = counter.read(REQUEST);
    expect(numbers).toMatchObject({ count: 3, min: -1e308, max: 9_007_199_254_740_992 });
    expect(numbers?.bins.reduce((sum, { count }) => sum + count, 0)).toBe(3);
    expect([missingCount, values.length + otherValueCount]).toEqual([1, 5]);
  });
});
