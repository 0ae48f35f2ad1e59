import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatOffset, listTicks } from './ticks.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function labels(extentMs: number, count = 6, fromMs = 0): string[] {
  const origin = 1_767_225_600_000;
  return listTicks({ startMs: origin + fromMs, endMs: origin + fromMs + extentMs }, origin, count).map(
    ({ label }) => label,
  );
}

describe('listTicks', () => {
  it.each([
    [0.05, ['0', '10 µs', '20 µs', '30 µs', '40 µs', '50 µs']],
    [3, ['0', '500 µs', '1.0 ms', '1.5 ms', '2.0 ms', '2.5 ms', '3.0 ms']],
    [850, ['0', '200 ms', '400 ms', '600 ms', '800 ms']],
    [2500, ['0', '500 ms', '1.0 s', '1.5 s', '2.0 s', '2.5 s']],
    [50_000, ['0', '10 s', '20 s', '30 s', '40 s', '50 s']],
    [5 * MINUTE, ['0', '1 min', '2 min', '3 min', '4 min', '5 min']],
    [2 * HOUR, ['0', '30 min', '1:00 h', '1:30 h', '2:00 h']],
    [100 * HOUR, ['0', '1 d 0:00 h', '2 d 0:00 h', '3 d 0:00 h', '4 d 0:00 h']],
  ])('are at round times of %d ms', (extent, expected) => {
    expect(labels(extent)).toEqual(expected);
  });

  it('are precise enough to differ where the timeline is zoomed', () => {
    expect(labels(0.2, 4, 61_234)[0]).toBe('1:01.23400 min');
    expect(new Set(labels(0.2, 4, 61_234)).size).toBe(labels(0.2, 4, 61_234).length);
  });

  it('are never more than asked for, whatever the extent', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 1e12, noNaN: true }),
        fc.integer({ min: 1, max: 20 }),
        (extent, count) => {
          expect(labels(extent, count).length).toBeLessThanOrEqual(count + 1);
        },
      ),
    );
  });
});

describe('formatOffset', () => {
  it.each([
    [65_000, 5000, '1:05 min'],
    [61_500, 500, '1:01.5 min'],
    [HOUR + 5 * MINUTE + 7000, 1000, '1:05:07 h'],
    [1234.5, 0.5, '1.2345 s'],
    [0.002, 0.001, '2 µs'],
  ])('of %d ms with steps of %d ms', (offset, step, expected) => {
    expect(formatOffset(offset, step)).toBe(expected);
  });
});
