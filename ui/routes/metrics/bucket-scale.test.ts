import { expect, it } from 'vitest';
import { periodOf, placesBefore } from './bucket-scale.ts';

const NOW = Date.parse('2026-11-21T12:00:30Z');

it('takes the finest scale of which no more than 100 fit', () => {
  expect(periodOf({ start: '2026-11-21T11:00:00Z' }, NOW)).toMatchObject({
    range: { start: '2026-11-21T11:00:00.000Z', end: '2026-11-21T12:01:00.000Z' },
    scale: 'MINUTE',
  });
  expect(periodOf({ start: '2026-11-14T12:00:00Z', end: '2026-11-21T12:00:00Z' }, NOW).scale).toBe('SIX_HOURS');
  expect(periodOf({}, NOW)).toMatchObject({ scale: 'DAY', before: null });
});

it('goes back by whole buckets, up to the start', () => {
  expect(periodOf({ start: '2026-11-14T12:00:00Z' }, NOW).before?.range).toEqual({
    start: '2026-11-07T12:00:00.000Z',
    end: '2026-11-14T12:00:00.000Z',
  });
  const odd = periodOf({ start: '2026-11-18T00:30:00Z', end: '2026-11-21T12:10:00Z' }, NOW);
  expect([odd.scale, odd.before?.range.start, odd.before?.range.end]).toEqual([
    'HOUR',
    '2026-11-14T12:30:00.000Z',
    '2026-11-18T00:10:00.000Z',
  ]);
});

it('finds the counterpart of each bucket, where there is one', () => {
  expect(placesBefore([100, 110, 120], [0, 10, 20], 100)).toEqual([0, 1, 2]);
  expect(placesBefore([100, 110, 120], [0, 12, 22], 100)).toEqual([0, 1, 2]);
  expect(placesBefore([100, 110, 120], [10], 100)).toEqual([null, 0, null]);
  expect(placesBefore([100], [0], 100)).toEqual([0]);
  expect(placesBefore([100], [], 100)).toEqual([null]);
});
