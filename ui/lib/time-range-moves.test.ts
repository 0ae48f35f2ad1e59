import { describe, expect, it } from 'vitest';
import { stepTimeRange, zoomTimeRange } from './time-range-moves.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const hours = (count: number) => ({ kind: 'last', minutes: count * 60 }) as const;
const between = (start: string, end: string) =>
  ({ kind: 'between', start: `2026-11-${start}:00.000Z`, end: `2026-11-${end}:00.000Z` }) as const;

describe('a step', () => {
  it('goes back by half the length, and forward to where it was', () => {
    const earlier = between('21T10:00', '21T11:30');
    expect(stepTimeRange({ kind: 'last', minutes: 60 }, -1, NOW)).toEqual(between('21T10:30', '21T11:30'));
    expect(stepTimeRange(earlier, -1, NOW)).toEqual(between('21T09:15', '21T10:45'));
    expect(stepTimeRange(between('21T10:30', '21T11:30'), 1, NOW)).toEqual(hours(1));
  });

  it('follows the clock where it reaches up to now, and goes no further', () => {
    expect(stepTimeRange(between('21T09:30', '21T11:30'), 1, NOW)).toEqual(hours(2));
    expect(stepTimeRange(hours(1), 1, NOW)).toBeUndefined();
    expect(stepTimeRange({ kind: 'between', start: '2026-11-21T11:00:00Z' }, 1, NOW)).toBeUndefined();
  });

  it('means nothing of all the time', () => {
    expect(stepTimeRange({ kind: 'all' }, -1, NOW)).toBeUndefined();
    expect(stepTimeRange({ kind: 'between', end: '2026-11-21T11:00:00Z' }, -1, NOW)).toBeUndefined();
  });
});

describe('zooming', () => {
  it('keeps the end of a range that reaches up to now', () => {
    expect(zoomTimeRange(hours(4), 'in', NOW)).toEqual(hours(2));
    expect(zoomTimeRange(hours(4), 'out', NOW)).toEqual(hours(8));
    expect(zoomTimeRange({ kind: 'between', start: '2026-11-21T11:00:00Z' }, 'out', NOW)).toEqual(hours(2));
  });

  it('keeps the middle of one in the past', () => {
    expect(zoomTimeRange(between('20T10:00', '20T14:00'), 'in', NOW)).toEqual(between('20T11:00', '20T13:00'));
    expect(zoomTimeRange(between('20T10:00', '20T14:00'), 'out', NOW)).toEqual(between('20T08:00', '20T16:00'));
  });

  it('ends at a minute and at all of the time', () => {
    expect(zoomTimeRange({ kind: 'last', minutes: 1 }, 'in', NOW)).toBeUndefined();
    expect(zoomTimeRange({ kind: 'last', minutes: 3650 * 1440 }, 'out', NOW)).toEqual({ kind: 'all' });
    expect(zoomTimeRange({ kind: 'all' }, 'in', NOW)).toEqual({ kind: 'last', minutes: 43_200 });
    expect(zoomTimeRange({ kind: 'all' }, 'out', NOW)).toBeUndefined();
  });
});
