import { describe, expect, it } from 'vitest';
import { formatTimestamp, parseTimestamp, toMicroseconds } from './timestamp.ts';

describe('formatTimestamp', () => {
  it.each([
    [1_716_854_409_000_000, '2024-05-28T00:00:09+00:00'],
    [1_716_854_409_000_001, '2024-05-28T00:00:09.000001+00:00'],
    [1_716_854_409_120_000, '2024-05-28T00:00:09.120000+00:00'],
    [0, '1970-01-01T00:00:00+00:00'],
    [-1, '1969-12-31T23:59:59.999999+00:00'],
    [1_709_251_199_999_999, '2024-02-29T23:59:59.999999+00:00'],
    [1_709_251_200_000_000, '2024-03-01T00:00:00+00:00'],
  ])('writes %d as %s', (timeUs, text) => {
    expect(formatTimestamp(timeUs)).toBe(text);
    expect(parseTimestamp(text)).toBe(timeUs);
  });
});

it('writes the times of more days than it keeps', () => {
  const days = Array.from({ length: 3000 }, (_, day) => day * 86_400 + 3661);
  for (const seconds of [...days, ...days]) {
    const text = new Date(seconds * 1000).toISOString().replace('.000Z', '+00:00');
    expect(formatTimestamp(seconds * 1_000_000)).toBe(text);
  }
});

describe('parseTimestamp', () => {
  it.each([
    ['2024-05-28T00:00:09Z', 1_716_854_409_000_000],
    ['2024-05-28t00:00:09z', 1_716_854_409_000_000],
    ['2024-05-28T02:30:09+02:30', 1_716_854_409_000_000],
    ['2024-05-27T22:00:09-0200', 1_716_854_409_000_000],
    ['2024-05-28 00:00:09', 1_716_854_409_000_000],
    ['2024-05-28T00:00', 1_716_854_400_000_000],
    ['2024-05-28', 1_716_854_400_000_000],
    ['2024-05-28T00:00:09.5Z', 1_716_854_409_500_000],
    ['2024-05-28T00:00:09.123456789Z', 1_716_854_409_123_456],
    ['2024-02-29', 1_709_164_800_000_000],
    ['1716854409', 1_716_854_409_000_000],
    ['1716854409.25', 1_716_854_409_250_000],
    ['1716854409123', 1_716_854_409_123_000],
    ['0', 0],
    ['-1', -1_000_000],
  ])('reads %s', (text, timeUs) => {
    expect(parseTimestamp(text)).toBe(timeUs);
  });

  it.each([
    '',
    'yesterday',
    '2024-02-30',
    '2024-13-01',
    '2023-02-29T00:00:00Z',
    '2024-05-28T24:00:00Z',
    '2024-05-28T00:00:60Z',
    '2024-05-28T00:00:09 00:00',
    '2024-05-28T00:00:09+25:00',
    '2024-05-28Z',
    '0x10',
    '1e9',
    'NaN',
    '99999999999999999',
  ])('refuses %j', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });
});

it('cuts nanoseconds off to microseconds', () => {
  expect(toMicroseconds(1_716_854_409_123_456_789n)).toBe(1_716_854_409_123_456);
});
