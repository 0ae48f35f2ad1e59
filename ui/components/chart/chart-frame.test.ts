import { expect, it } from 'vitest';
import { frameOf } from './chart-frame.ts';
import { COUNT, SCORE } from './quantity.ts';

const HOUR = 3_600_000;
const data = { timesMs: [0, HOUR, 2 * HOUR], endMs: 3 * HOUR, series: [] };
const series = (place: number, values: number[], before?: number[]) => ({
  label: String(place),
  color: '',
  place,
  values,
  ...(before !== undefined && { before }),
});

it('is as high as the highest bar, and as the time before', () => {
  const options = { width: 320, isStacked: true, quantity: COUNT, zone: 'UTC' };
  const low = [series(0, [1, 2, 3]), series(1, [1, 2, 1])];
  expect(frameOf(data, low, options).values.at(-1)).toBe(4);
  expect(frameOf(data, [series(0, [1, 2, 3], [9, 0, 0])], options).values.at(-1)).toBe(9);
  expect(frameOf(data, low, { ...options, isStacked: false }).values.at(-1)).toBe(3);
});

it('has 0 between values below and above it', () => {
  const options = { width: 320, isStacked: false, quantity: SCORE, zone: 'UTC' };
  const { values, groundY, floorY, heightOf } = frameOf(data, [series(0, [-1, 0.5, 1])], options);
  expect(values).toEqual([-1, -0.5, 0, 0.5, 1]);
  expect(groundY - heightOf(-1)).toBeCloseTo(floorY);
  expect(groundY - heightOf(1)).toBeCloseTo(8);
  const below = frameOf(data, [series(0, [-3, -2, -1])], options);
  expect(below.values).toEqual([-3, -2, -1, 0]);
  expect(below.groundY).toBeCloseTo(8);
});

it('gives the bucket that has not ended the width of the others', () => {
  const begun = { ...data, endMs: 2 * HOUR + 60_000 };
  const { columns } = frameOf(begun, [], { width: 319, isStacked: true, quantity: COUNT, zone: 'UTC' });
  const [first = 0, last = 0] = [columns[0], columns[2]].map((edges) => (edges?.[1] ?? 0) - (edges?.[0] ?? 0));
  expect(last).toBeCloseTo(first);
  expect(columns[2]?.[1]).toBeCloseTo(319);
});

it('puts the buckets beside each other over the whole width, and bars within them', () => {
  const frame = frameOf(data, [series(0, [1, 2, 3])], { width: 319, isStacked: true, quantity: COUNT, zone: 'UTC' });
  expect(frame.columns[0]?.[0]).toBe(frame.plotLeft);
  expect(frame.columns[2]?.[1]).toBe(319);
  const [left, right] = frame.edges[1] ?? [0, 0];
  expect(right - left).toBe(48);
  expect(frame.heightOf(3)).toBe(frame.groundY - 8);
});
