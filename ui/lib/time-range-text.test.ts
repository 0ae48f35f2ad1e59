import { describe, expect, it } from 'vitest';
import { formatTimeRange, parseTimeRange, TIME_RANGE_EXAMPLES } from './time-range-text.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const parse = (text: string, zone = 'UTC') => parseTimeRange(text, zone, NOW);

describe('typed durations', () => {
  it.each([
    ['25m', 25],
    ['2 hours', 120],
    ['1h30m', 90],
    ['1h 30 min', 90],
    ['1.5h', 90],
    ['last 3 days', 4320],
    ['past hour', 60],
    ['a week', 10_080],
    ['2w', 20_160],
    ['1mo', 43_200],
    ['  12   HRS ', 720],
  ])('%s is so many minutes up to now', (text, minutes) => {
    expect(parse(text)).toEqual({ kind: 'last', minutes });
  });

  it.each(['', '5', 'm', '0m', '5 apples', '5m apples', 'h5', '1h-30m', '99999d', '1h1h1h1h1h', '12 monthss'])(
    'no range is found in “%s”',
    (text) => {
      expect(parse(text)).toBeUndefined();
    },
  );
});

describe('typed times', () => {
  it('mean the wall time of the zone', () => {
    expect(parse('2026-11-20 10:00 – 2026-11-20 12:30', 'Europe/Berlin')).toEqual({
      kind: 'between',
      start: '2026-11-20T09:00:00.000Z',
      end: '2026-11-20T11:30:00.000Z',
    });
  });

  it('may be separated by words, and be whole days, the last one included', () => {
    const day = { kind: 'between', start: '2026-11-18T00:00:00.000Z', end: '2026-11-20T00:00:00.000Z' };
    for (const text of ['2026-11-18 to 2026-11-19', '2026-11-18 - 2026-11-19', '2026-11-18 until 2026-11-19'])
      expect(parse(text), text).toEqual(day);
    expect(parse('2026-11-18')).toEqual({ ...day, end: '2026-11-19T00:00:00.000Z' });
  });

  it('may end on the same day without naming it', () => {
    expect(parse('2026-11-20 10:00 to 12:30')).toEqual({
      kind: 'between',
      start: '2026-11-20T10:00:00.000Z',
      end: '2026-11-20T12:30:00.000Z',
    });
    expect(parse('2026-11-20 10:00 to 9:30')).toBeUndefined();
  });

  it('are understood where they are offered as examples', () => {
    expect(TIME_RANGE_EXAMPLES.filter((text) => parse(text) === undefined)).toEqual([]);
  });

  it('may reach up to now', () => {
    expect(parse('2026-11-18 9:30 to now')).toEqual({ kind: 'between', start: '2026-11-18T09:30:00.000Z' });
    expect(parse('today', 'Europe/Berlin')).toEqual({ kind: 'between', start: '2026-11-20T23:00:00.000Z' });
  });

  it('know yesterday and everything', () => {
    expect(parse('yesterday')).toEqual({
      kind: 'between',
      start: '2026-11-20T00:00:00.000Z',
      end: '2026-11-21T00:00:00.000Z',
    });
    expect(parse('All time')).toEqual({ kind: 'all' });
  });

  it('are none where they name no day, or end before they begin', () => {
    for (const text of ['2026-02-30', '2026-11-20 25:00', '2026-11-20 to 2026-11-18', '2026-11-18 to', 'a to b to c'])
      expect(parse(text), text).toBeUndefined();
  });
});

describe('a range in words', () => {
  it('counts in the largest unit that fits', () => {
    expect(formatTimeRange({ kind: 'last', minutes: 15 }, 'UTC')).toBe('Last 15 minutes');
    expect(formatTimeRange({ kind: 'last', minutes: 60 }, 'UTC')).toBe('Last hour');
    expect(formatTimeRange({ kind: 'last', minutes: 10_080 }, 'UTC')).toBe('Last 7 days');
    expect(formatTimeRange({ kind: 'all' }, 'UTC')).toBe('All time');
  });

  it('names instants in the zone, and the day only once', () => {
    const range = { kind: 'between', start: '2019-11-20T09:00:00.000Z', end: '2019-11-20T11:30:00.000Z' } as const;
    expect(formatTimeRange(range, 'Europe/Berlin')).toBe('Nov 20, 2019, 10:00 – 12:30');
    expect(formatTimeRange({ ...range, end: '2019-11-21T11:30:00.000Z' }, 'UTC')).toBe(
      'Nov 20, 2019, 09:00 – Nov 21, 2019, 11:30',
    );
    expect(formatTimeRange({ kind: 'between', start: range.start }, 'UTC')).toBe('Since Nov 20, 2019, 09:00');
    expect(formatTimeRange({ kind: 'between', end: range.end }, 'UTC')).toBe('Until Nov 20, 2019, 11:30');
  });

  it('names whole days as days, without the one that only begins', () => {
    const range = { kind: 'between', start: '2019-11-19T23:00:00.000Z', end: '2019-11-20T23:00:00.000Z' } as const;
    expect(formatTimeRange(range, 'Europe/Berlin')).toBe('Nov 20, 2019');
    expect(formatTimeRange({ ...range, end: '2019-11-22T23:00:00.000Z' }, 'Europe/Berlin')).toBe(
      'Nov 20, 2019 – Nov 22, 2019',
    );
  });
});
