import { expect, it } from 'vitest';
import { frameOf } from './chart-frame.ts';
import { COUNT } from './quantity.ts';

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

it('puts the buckets beside each other over the whole width, and bars within them', () => {
  const frame = frameOf(data, [series(0, [1, 2, 3])], { width: 319, isStacked: true, quantity: COUNT, zone: 'UTC' });
  expect(frame.columns[0]?.[0]).toBe(frame.plotLeft);
  expect(frame.columns[2]?.[1]).toBe(319);
  const [left, right] = frame.edges[1] ?? [0, 0];
  expect(right - left).toBe(48);
  expect(frame.heightOf(3)).toBe(frame.groundY - 8);
});
