import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatShare,
  formatTimestamp,
  formatTokens,
  formatUsd,
  formatUsdBriefly,
} from './format.ts';

describe('a duration', () => {
  it.each([
    [0, '0 ms'],
    [0.04, '<0.1 ms'],
    [0.42, '0.4 ms'],
    [3, '3 ms'],
    [9.94, '9.9 ms'],
    [9.96, '10 ms'],
    [340.4, '340 ms'],
    [999.4, '999 ms'],
    [999.6, '1.00 s'],
    [1240, '1.24 s'],
    [9994, '9.99 s'],
    [9996, '10.0 s'],
    [59_940, '59.9 s'],
    [59_960, '1m 00s'],
    [125_000, '2m 05s'],
    [3_599_600, '1h 00m'],
    [12_000_000, '3h 20m'],
    [86_399_999, '1d 00h'],
    [187_200_000, '2d 04h'],
    [-340, '−340 ms'],
    [null, '–'],
    [Number.NaN, '–'],
  ])('of %s ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe('a count', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1k'],
    [1249, '1.2k'],
    [9960, '10k'],
    [12_345, '12k'],
    [999_499, '999k'],
    [999_600, '1M'],
    [3_400_000, '3.4M'],
    [-1200, '−1.2k'],
    [undefined, '–'],
  ])('of %s is %s', (count, text) => {
    expect(formatCount(count)).toBe(text);
  });

  it('of tokens is exact while it fits', () => {
    expect([0, 9876, 9999, 10_000, 123_456, null].map(formatTokens)).toEqual([
      '0',
      '9,876',
      '9,999',
      '10k',
      '123k',
      '–',
    ]);
  });

  it('of bytes has a unit', () => {
    expect([0, 640, 999, 1200, 34_000_000, null].map(formatBytes)).toEqual([
      '0 B',
      '640 B',
      '999 B',
      '1.2 kB',
      '34 MB',
      '–',
    ]);
  });
});

describe('a time', () => {
  const now = Date.parse('2026-11-21T10:00:00Z');

  it.each([
    ['2026-11-21T09:59:57Z', 'just now'],
    ['2026-11-21T09:59:30Z', '30s ago'],
    ['2026-11-21T09:57:00Z', '3m ago'],
    ['2026-11-21T05:00:00Z', '5h ago'],
    ['2026-11-16T10:00:00Z', '5d ago'],
    ['2026-11-14T10:00:00Z', 'Nov 14'],
    ['2025-11-14T10:00:00Z', 'Nov 14, 2025'],
    ['2026-11-21T10:00:40Z', 'just now'],
    ['2026-11-21T10:03:00Z', 'in 3m'],
  ])('%s is %s', (time, text) => {
    expect(formatTimestamp(time, 'UTC', 'relative', now)).toBe(text);
  });

  it('is in the zone that was chosen', () => {
    const time = '2026-11-20T23:30:01.045Z';
    expect(formatTimestamp(time, 'UTC', 'time', now)).toBe('Nov 20, 23:30:01');
    expect(formatTimestamp(time, 'Europe/Zurich', 'time', now)).toBe('00:30:01');
    expect(formatTimestamp(time, 'Asia/Kolkata', 'full', now)).toBe('2026-11-21 05:00:01.045 Asia/Kolkata');
    expect(formatTimestamp(time, 'Asia/Kolkata', 'exact', now)).toMatch(/05:00:01\.045$/);
  });

  it('that is missing or cannot be read is a dash', () => {
    expect([formatTimestamp(null, 'UTC', 'full'), formatTimestamp('soon', 'UTC', 'relative')]).toEqual(['–', '–']);
  });

  it('is taken in milliseconds, too', () => {
    expect(formatTimestamp(0, 'UTC', 'full')).toBe('1970-01-01 00:00:00.000 UTC');
  });
});

it.each([
  [0, '$0'],
  [1234.5, '$1,234.50'],
  [12.345, '$12.35'],
  [1, '$1.00'],
  [0.9999, '$1.00'],
  [0.5, '$0.50'],
  [0.125, '$0.125'],
  [0.0996, '$0.0996'],
  [0.09996, '$0.10'],
  [0.001234, '$0.00123'],
  [0.0012, '$0.0012'],
  [0.0000004, '$0.0000004'],
  [0.000000012345, '$0.00000001'],
  [0.000000004, '<$0.00000001'],
  [-12.3, '−$12.30'],
  [null, '–'],
  [undefined, '–'],
  [Number.NaN, '–'],
])('writes %s dollars as %s', (usd, text) => {
  expect(formatUsd(usd)).toBe(text);
});

it.each([
  [0.0012345, '$0.00123'],
  [0.0001, '$0.0001'],
  [0.0000999, '<$0.0001'],
  [0, '$0'],
  [null, '–'],
])('writes %s dollars in a list as %s', (usd, text) => {
  expect(formatUsdBriefly(usd)).toBe(text);
});

it('writes shares so that none reads as nothing or all that is not', () => {
  const shares = [Number.NaN, 0, 0.0004, 0.015, 0.0994, 0.0996, 0.5, 0.994, 0.9999, 1];
  expect(shares.map(formatShare)).toEqual([
    '–',
    '0 %',
    '<0.1 %',
    '1.5 %',
    '9.9 %',
    '10 %',
    '50 %',
    '99 %',
    '99.9 %',
    '100 %',
  ]);
});
