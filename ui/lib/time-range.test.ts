import { describe, expect, it } from 'vitest';
import {
  DEFAULT_TIME_RANGE,
  driftMs,
  isSameTimeRange,
  reachesNow,
  narrowTimeRange,
  presetHolding,
  readTimeRange,
  resolveTimeRange,
  TIME_RANGE_PRESETS,
  type TimeRange,
  widenTimeRange,
  writeTimeRange,
} from './time-range.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const START = '2026-11-20T10:00:00.000Z';
const END = '2026-11-20T12:00:00.000Z';

describe('a time range in the address', () => {
  it('reads back as what was written, for every preset and for instants', () => {
    const ranges: TimeRange[] = [
      ...TIME_RANGE_PRESETS,
      { kind: 'last', minutes: 25 },
      { kind: 'last', minutes: 90 },
      { kind: 'between', start: START, end: END },
      { kind: 'between', start: START },
      { kind: 'between', end: END },
    ];
    for (const range of ranges) expect(readTimeRange(writeTimeRange(range))).toEqual(range);
  });

  it('is short for relative ranges', () => {
    expect(writeTimeRange({ kind: 'last', minutes: 7 * 1440 }).range).toBe('7d');
    expect(writeTimeRange({ kind: 'last', minutes: 120 }).range).toBe('2h');
    expect(writeTimeRange({ kind: 'last', minutes: 25 }).range).toBe('25m');
  });

  it('accepts instants of any zone and writes them in UTC', () => {
    expect(readTimeRange({ start: '2026-11-20T12:00:00+02:00', end: END })).toEqual({
      kind: 'between',
      start: START,
      end: END,
    });
  });

  it('is none where it makes no sense', () => {
    for (const range of ['', '0m', '7', '7y', '-1d', '99999999d', '9999999d'])
      expect(readTimeRange({ range }), range).toBeUndefined();
    expect(readTimeRange({})).toBeUndefined();
    expect(readTimeRange({ start: 'soon' })).toBeUndefined();
    expect(readTimeRange({ start: END, end: START })).toBeUndefined();
  });
});

describe('a resolved time range', () => {
  it('begins so long before now, and stays open', () => {
    expect(resolveTimeRange({ kind: 'last', minutes: 120 }, NOW)).toEqual({ start: '2026-11-21T10:00:00.000Z' });
  });

  it('is what was chosen, where instants or all were', () => {
    expect(resolveTimeRange({ kind: 'between', start: START, end: END }, NOW)).toEqual({ start: START, end: END });
    expect(resolveTimeRange({ kind: 'all' }, NOW)).toEqual({});
  });

  it('reaches now unless it ended', () => {
    expect(reachesNow(DEFAULT_TIME_RANGE, NOW)).toBe(true);
    expect(reachesNow({ kind: 'between', start: START }, NOW)).toBe(true);
    expect(reachesNow({ kind: 'between', start: START, end: END }, NOW)).toBe(false);
  });

  it('is resolved anew after a twentieth of its length, and never where it does not move', () => {
    expect(driftMs({ kind: 'last', minutes: 60 })).toBe(180_000);
    expect(driftMs({ kind: 'last', minutes: 1 })).toBe(30_000);
    expect(driftMs({ kind: 'all' })).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('a wider range', () => {
  it('is the next longer preset, and in the end all', () => {
    expect(widenTimeRange({ kind: 'last', minutes: 15 })).toEqual({ kind: 'last', minutes: 60 });
    expect(widenTimeRange({ kind: 'last', minutes: 100 })).toEqual({ kind: 'last', minutes: 720 });
    expect(widenTimeRange({ kind: 'last', minutes: 30 * 1440 })).toEqual({ kind: 'all' });
    expect(widenTimeRange({ kind: 'between', start: START })).toEqual({ kind: 'all' });
    expect(widenTimeRange({ kind: 'all' })).toBeUndefined();
  });
});

describe('the range that holds an instant', () => {
  it('is the shortest preset, or all', () => {
    expect(presetHolding('2026-11-21T11:59:00Z', Date.parse('2026-11-21T12:00:00Z'))).toEqual({
      kind: 'last',
      minutes: 15,
    });
    expect(presetHolding('2026-11-10T12:00:00Z', Date.parse('2026-11-21T12:00:00Z'))).toEqual({
      kind: 'last',
      minutes: 30 * 1440,
    });
    expect(presetHolding('2025-11-10T12:00:00Z', Date.parse('2026-11-21T12:00:00Z'))).toEqual({ kind: 'all' });
  });
});

describe('a narrower range', () => {
  it('is the next shorter preset', () => {
    expect(narrowTimeRange({ kind: 'all' })).toEqual({ kind: 'last', minutes: 30 * 1440 });
    expect(narrowTimeRange({ kind: 'last', minutes: 100 })).toEqual({ kind: 'last', minutes: 60 });
    expect(narrowTimeRange({ kind: 'last', minutes: 15 })).toBeUndefined();
    expect(narrowTimeRange({ kind: 'between', start: START })).toBeUndefined();
  });
});

describe('equal ranges', () => {
  it('are the same choice, not the same object', () => {
    expect(isSameTimeRange({ kind: 'last', minutes: 60 }, { kind: 'last', minutes: 60 })).toBe(true);
    expect(isSameTimeRange({ kind: 'last', minutes: 60 }, { kind: 'all' })).toBe(false);
    expect(isSameTimeRange({ kind: 'between', start: START }, { kind: 'between', start: START, end: END })).toBe(false);
  });
});
