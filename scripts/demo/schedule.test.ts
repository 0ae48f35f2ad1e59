import { describe, expect, it } from 'vitest';
import { expectedStarts, faultOddsAt, floorToHour, isWeeklyHour, listHours } from './schedule.ts';

const HOUR_MS = 3_600_000;
const FRIDAY = Date.UTC(2026, 10, 20);
const CURVE = { base: 1, peaks: [{ hour: 23, height: 4, widthHours: 1 }], weekendFactor: 0.5 };

describe('expectedStarts', () => {
  it('is highest at a peak and reaches over midnight', () => {
    const at = (hour: number) => expectedStarts(CURVE, FRIDAY + hour * HOUR_MS);
    expect(at(23)).toBe(5);
    expect(at(12)).toBeCloseTo(1);
    expect(at(0)).toBeCloseTo(at(22));
  });

  it('changes at the weekend', () => {
    expect(expectedStarts(CURVE, FRIDAY + 47 * HOUR_MS)).toBe(2.5);
  });
});

describe('faultOddsAt', () => {
  it('is bad on Thursday afternoon alone', () => {
    const odds = (day: number, hour: number) => faultOddsAt(Date.UTC(2026, 10, day, hour, 30)).rateLimit;
    expect(odds(19, 13)).toBeGreaterThan(0.1);
    expect(odds(19, 15)).toBeLessThan(0.05);
    expect(odds(18, 13)).toBeLessThan(0.05);
  });
});

describe('listHours', () => {
  it('starts with the hour in which the period starts and excludes the end', () => {
    expect(listHours(FRIDAY + 60_000, FRIDAY + 2 * HOUR_MS)).toEqual([FRIDAY, FRIDAY + HOUR_MS]);
  });

  it('holds each weekly hour once in any seven days', () => {
    const startMs = floorToHour(FRIDAY + 7.5 * HOUR_MS);
    const hits = listHours(startMs, startMs + 168 * HOUR_MS).filter((hourMs) => isWeeklyHour(hourMs, 3, 14));
    expect(hits).toEqual([Date.UTC(2026, 10, 25, 14)]);
  });
});
