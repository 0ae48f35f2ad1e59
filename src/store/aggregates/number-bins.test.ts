import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NumberHistogram } from './number-bins.ts';

function histogramOf(values: readonly number[]): NumberHistogram {
  const histogram = new NumberHistogram();
  for (const value of values) histogram.add(value);
  return histogram;
}

it('counts numbers between round edges, with the empty bins between them', () => {
  const { min, max, count } = histogramOf([0, 0.5, 1, 1.9, 4, 10, 19]);
  expect({ min, max, count }).toEqual({ min: 0, max: 19, count: 7 });
  expect(histogramOf([1, 1.9, 4, 10, 19]).bins()).toEqual([
    { from: 1, to: 2, count: 2 },
    { from: 2, to: 3, count: 0 },
    { from: 3, to: 4, count: 0 },
    { from: 4, to: 5, count: 1 },
    { from: 5, to: 6, count: 0 },
    { from: 6, to: 7, count: 0 },
    { from: 7, to: 8, count: 0 },
    { from: 8, to: 9, count: 0 },
    { from: 9, to: 10, count: 0 },
    { from: 10, to: 20, count: 2 },
  ]);
});

it('has three bins a magnitude where numbers are far apart', () => {
  const edges = histogramOf([1, 1e6])
    .bins()
    .map(({ from, to }) => [from, to]);
  expect(edges.slice(0, 4)).toEqual([
    [1, 2],
    [2, 5],
    [5, 10],
    [10, 20],
  ]);
});

it('puts every number into the bin whose edges it lies between', () => {
  const size = fc.oneof(
    fc.integer({ min: 1, max: 10_000_000 }),
    fc
      .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -9, max: 17 }))
      .map(([digit, power]) => Number(`${digit}e${power}`)),
    fc.double({ min: 1e-9, max: 9e17, noNaN: true }),
  );
  const number = fc.oneof(
    fc.constant(0),
    size,
    size.map((value) => -value),
  );
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 30 }), (values) => {
      const bins = histogramOf(values).bins();
      const isIn = (value: number, from: number, to: number) =>
        value === 0 ? from === 0 && to === 0 : value > 0 ? value >= from && value < to : value > from && value <= to;
      const counts = bins.map(({ from, to }) => values.filter((value) => isIn(value, from, to)).length);
      expect(bins.map(({ count }) => count)).toEqual(counts);
      expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
    }),
    { numRuns: 100 },
  );
});

it.each([Number.MAX_VALUE, Number.MIN_VALUE, -Number.MAX_VALUE])('counts %d, which is beyond its edges', (value) => {
  expect(histogramOf([value]).bins()).toMatchObject([{ count: 1 }]);
});
