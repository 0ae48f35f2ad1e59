import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CellValues } from './cell-values.ts';
import { NumberSet } from '#base/number-set';
import { quantilesOf } from './quantiles.ts';

const SHARES = [0, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1];

/** By sorting all of them. */
function quantile(values: readonly number[], probability: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = probability * (sorted.length - 1);
  const [below = Number.NaN, above = Number.NaN] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place - Math.floor(place));
}

describe('quantiles', () => {
  it('are those of the sorted values, of few and of many', () => {
    const values = fc.oneof(
      fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 20 }),
      fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 50 }),
      fc.tuple(fc.integer({ min: 1000, max: 6000 }), fc.integer({ min: 1, max: 1e9 })).map(([length, spread]) =>
        // A pattern that repeats, so that many are equal.
        Array.from({ length }, (_, index) => (index * 7919) % spread),
      ),
    );
    fc.assert(
      fc.property(values, (given) => {
        expect([...quantilesOf(Float64Array.from(given), SHARES)]).toEqual(
          SHARES.map((share) => quantile(given, share)),
        );
      }),
      { numRuns: 80 },
    );
  });

  it.each([
    ['ascending', (index: number) => index],
    ['descending', (index: number) => -index],
    ['equal', () => 7],
    ['like an organ pipe', (index: number) => Math.min(index, 60_000 - index)],
  ])('of %s values are found in time', (_name, valueOf) => {
    const values = Array.from({ length: 60_000 }, (_, index) => valueOf(index));
    expect([...quantilesOf(Float64Array.from(values), SHARES)]).toEqual(SHARES.map((share) => quantile(values, share)));
  });
});

describe('values by cell', () => {
  it('have the quantiles of their own cell alone', () => {
    const cells = new CellValues();
    const given: number[][] = [[], [], []];
    for (let index = 0; index < 5000; index++) {
      const cell = (index * 31) % 2;
      cells.add(cell, (index * 17) % 1009);
      given[cell]?.push((index * 17) % 1009);
    }
    const [medians, greatest] = cells.quantiles(3, [0.5, 1]);
    expect([...(medians ?? [])]).toEqual(given.map((values) => quantile(values, 0.5)));
    expect([...(greatest ?? [])]).toEqual(given.map((values) => quantile(values, 1)));
  });
});

describe('a set of numbers', () => {
  it('holds what was added, once', () => {
    const numbers = fc.array(fc.oneof(fc.nat(50), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER - 1 })), {
      maxLength: 300,
    });
    fc.assert(
      fc.property(numbers, numbers, (added, others) => {
        const set = new NumberSet();
        const known = new Set<number>();
        for (const number of added) {
          expect(set.add(number)).toBe(!known.has(number));
          known.add(number);
        }
        expect(set.size).toBe(known.size);
        expect([...set].sort((a, b) => a - b)).toEqual([...known].sort((a, b) => a - b));
        for (const number of others) expect(set.has(number)).toBe(known.has(number));
      }),
      { numRuns: 100 },
    );
  });

  it('takes row ids that follow each other as fast as others', () => {
    const set = new NumberSet();
    for (let number = 0; number < 300_000; number++) set.add(number * 168);
    expect(set.size).toBe(300_000);
  });
});
