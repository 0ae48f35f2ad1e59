import { expect, it } from 'vitest';
import { edgeMiddle, edgePath } from './edge-path.ts';

const points = (count: number) => Array.from({ length: count }, (_, place) => ({ x: 10 * place, y: place % 2 }));

it.each([
  [0, ''],
  [1, ''],
  [2, 'M0 0L10 1'],
  [3, 'M0 0Q10 1 20 0'],
  [4, 'M0 0C10 1 20 0 30 1'],
  [5, 'M0 0Q10 1 15 0.5Q20 0 25 0.5Q30 1 40 0'],
])('through %d points it begins at the first and ends at the last', (count, path) => {
  expect(edgePath(points(count))).toBe(path);
});

it('the middle is that of the points', () => {
  expect(edgeMiddle(points(3))).toEqual({ x: 10, y: 1 });
  expect(edgeMiddle(points(2))).toEqual({ x: 5, y: 0.5 });
  expect(edgeMiddle([])).toBeUndefined();
});
