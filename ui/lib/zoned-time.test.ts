import { describe, expect, it } from 'vitest';
import { fromWallTime, toWallTime } from './zoned-time.ts';

const at = (text: string) => Date.parse(text);

describe('wall time', () => {
  it('is what the clocks of the zone show', () => {
    expect(toWallTime(at('2026-11-20T23:30:45Z'), 'UTC')).toBe('2026-11-20T23:30');
    expect(toWallTime(at('2026-11-20T23:30:00Z'), 'Europe/Berlin')).toBe('2026-11-21T00:30');
    expect(toWallTime(at('2026-07-01T12:00:00Z'), 'America/New_York')).toBe('2026-07-01T08:00');
    expect(toWallTime(at('2026-07-01T12:00:00Z'), 'Asia/Kolkata')).toBe('2026-07-01T17:30');
  });

  it('leads back to its instant in every zone', () => {
    for (const zone of ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'])
      for (const text of ['2026-01-15T10:20:00Z', '2026-07-15T00:00:00Z', '2026-03-29T03:00:00Z']) {
        const instant = at(text);
        expect(fromWallTime(toWallTime(instant, zone), zone), `${text} in ${zone}`).toBe(instant);
      }
  });

  it('that the change to summer time leaves out is read as if the clocks had not changed yet', () => {
    expect(fromWallTime('2026-03-29T02:30', 'Europe/Berlin')).toBe(at('2026-03-29T01:30:00Z'));
  });

  it('that comes twice in autumn is the first of the two', () => {
    expect(fromWallTime('2026-10-25T02:30', 'Europe/Berlin')).toBe(at('2026-10-25T00:30:00Z'));
  });

  it('is undefined for text that names no time', () => {
    for (const text of ['', 'yesterday', '2026-13-01T00:00', '2026-02-30T00:00', '2026-01-01', '2026-01-01T25:00'])
      expect(fromWallTime(text, 'UTC'), text).toBeUndefined();
  });
});
