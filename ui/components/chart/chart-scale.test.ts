import { describe, expect, it } from 'vitest';
import { timeTicks, valueTicks } from './chart-scale.ts';
import { COUNT, DURATION, MONEY } from './quantity.ts';

describe('values with a line', () => {
  it('are round, and the last one is no less than any value', () => {
    expect(valueTicks(37, COUNT)).toEqual([0, 10, 20, 30, 40]);
    expect(valueTicks(0.0031, MONEY)).toEqual([0, 0.001, 0.002, 0.003, 0.004]);
    expect(valueTicks(40, COUNT)).toEqual([0, 10, 20, 30, 40]);
  });

  it('are whole where nothing is between', () => {
    expect(valueTicks(1, COUNT)).toEqual([0, 1]);
    expect(valueTicks(3, COUNT)).toEqual([0, 1, 2, 3]);
    expect(valueTicks(0, COUNT)).toEqual([0, 1]);
  });

  it('are round in minutes and seconds', () => {
    expect(valueTicks(7.5 * 60_000, DURATION).map(DURATION.formatTick)).toEqual(['0', '2m', '4m', '6m', '8m']);
    expect(valueTicks(9_000, DURATION).map(DURATION.formatTick)).toEqual(['0', '2.5 s', '5 s', '7.5 s', '10 s']);
  });
});

describe('times with a label', () => {
  const at = (text: string) => Date.parse(text);

  it('are round on the clocks of the zone, and midnights are days', () => {
    const labels = (zone: string) =>
      timeTicks(at('2026-11-20T20:10:00Z'), at('2026-11-21T06:00:00Z'), 4, zone).map(({ label }) => label);
    expect(labels('UTC')).toEqual(['21:00', 'Nov 21', '03:00']);
    expect(labels('Asia/Kolkata')).toEqual(['03:00', '06:00', '09:00']);
  });

  it('stay at midnight where clocks change', () => {
    const days = timeTicks(at('2026-10-24T00:00:00Z'), at('2026-10-27T00:00:00Z'), 3, 'Europe/Berlin');
    expect(days.map(({ timeMs }) => new Date(timeMs).toISOString())).toEqual([
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
      '2026-10-26T23:00:00.000Z',
    ]);
  });

  it('are none where none fits', () => {
    expect(timeTicks(0, 1000, 0, 'UTC')).toEqual([]);
  });
});
