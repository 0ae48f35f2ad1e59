import { expect, it } from 'vitest';
import { barsPath, layersOf, linePath, markedPlaces, placeAt, stepsPath, topsPath } from './chart-shapes.ts';

const series = (...values: (number | null)[]) => ({ label: '', color: '', values });
const EDGES = [
  [0, 8],
  [10, 18],
  [20, 28],
] as const;

it('sets each layer on those below it, and shows the least one', () => {
  const layers = layersOf([series(10, 20, null), series(0.1, null, 3)], (value) => value);
  expect(layers).toEqual([
    [
      { from: 0, to: 10 },
      { from: 0, to: 20 },
      { from: 0, to: 0 },
    ],
    [
      { from: 10, to: 11.5 },
      { from: 20, to: 20 },
      { from: 0, to: 3 },
    ],
  ]);
  expect(barsPath(layers[1] ?? [], EDGES, 100)).toBe('M0 90V88.5H8V90ZM20 100V97H28V100Z');
  expect(topsPath(layers[1] ?? [], EDGES, 100)).toBe('M0 88.5H8M20 97H28');
});

it('breaks lines and steps where something is missing', () => {
  const points = [{ x: 1, y: 1 }, { x: 2, y: 2 }, null, { x: 4, y: 4 }];
  expect(linePath(points)).toBe('M1 1L2 2M4 4');
  expect(stepsPath([5, null, 7], EDGES, 100)).toBe('M0 95H8M20 93H28');
  expect(stepsPath([5, 6], EDGES, 100)).toBe('M0 95H8V94H18');
  expect(markedPlaces(points, 50)).toEqual([0, 3]);
});

it('finds the bucket below the pointer', () => {
  expect([-5, 0, 9, 10, 99].map((x) => placeAt(x, EDGES))).toEqual([0, 0, 0, 1, 2]);
});
