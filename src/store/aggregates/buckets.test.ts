import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BucketUnit, chooseUnit, findBucket, layOutBuckets, MAX_BUCKETS } from './buckets.ts';
import { openTimeZone, type ZoneName } from './time-zone.ts';

const HOUR_MS = 3_600_000;

function layOut(start: string, end: string, unit: BucketUnit | null, zone: ZoneName): readonly string[] {
  const range = { startUs: Date.parse(start) * 1000, endUs: Date.parse(end) * 1000 };
  const { startsUs, endUs } = layOutBuckets(range, unit, openTimeZone(zone));
  return Array.from([...startsUs, endUs], (startUs) => new Date(startUs / 1000).toISOString().slice(0, 16));
}

describe('buckets of time', () => {
  it('have 23 hours on the day on which clocks go forward, and 25 when they go back', () => {
    expect(layOut('2026-03-28T23:00Z', '2026-03-29T22:00Z', 'HOUR', 'Europe/Berlin')).toHaveLength(23 + 1);
    expect(layOut('2026-10-24T22:00Z', '2026-10-25T23:00Z', 'HOUR', 'Europe/Berlin')).toHaveLength(25 + 1);
  });

  it('begin their days at midnight of the zone, on either side of a change', () => {
    expect(layOut('2026-03-28T12:00Z', '2026-03-30T12:00Z', 'DAY', 'Europe/Berlin')).toEqual([
      '2026-03-27T23:00',
      '2026-03-28T23:00',
      '2026-03-29T22:00',
      '2026-03-30T22:00',
    ]);
  });

  it('begin a day whose midnight does not exist with its first instant', () => {
    expect(layOut('2018-11-03T12:00Z', '2018-11-05T12:00Z', 'DAY', 'America/Sao_Paulo')).toEqual([
      '2018-11-03T03:00',
      '2018-11-04T03:00',
      '2018-11-05T02:00',
      '2018-11-06T02:00',
    ]);
  });

  it('leave out a day that a zone left out', () => {
    expect(layOut('2011-12-29T12:00Z', '2011-12-31T12:00Z', 'DAY', 'Pacific/Apia')).toEqual([
      '2011-12-29T10:00',
      '2011-12-30T10:00',
      '2011-12-31T10:00',
      '2012-01-01T10:00',
    ]);
  });

  it('follow offsets that are no whole hours, and changes of half an hour', () => {
    expect(layOut('2026-01-01T00:00Z', '2026-01-01T01:00Z', 'HOUR', 'Asia/Kolkata')).toEqual([
      '2025-12-31T23:30',
      '2026-01-01T00:30',
      '2026-01-01T01:30',
    ]);
    expect(layOut('2026-04-04T14:00Z', '2026-04-04T16:00Z', 'HOUR', 'Australia/Lord_Howe')).toEqual([
      '2026-04-04T14:00',
      '2026-04-04T15:30',
      '2026-04-04T16:30',
    ]);
  });

  it('begin weeks on Monday, months and years on their first day', () => {
    expect(layOut('2026-02-04T00:00Z', '2026-02-12T00:00Z', 'WEEK', 0)).toEqual([
      '2026-02-02T00:00',
      '2026-02-09T00:00',
      '2026-02-16T00:00',
    ]);
    expect(layOut('2026-01-31T16:00Z', '2026-02-01T00:00Z', 'MONTH', 'Asia/Tokyo')).toEqual([
      '2026-01-31T15:00',
      '2026-02-28T15:00',
    ]);
    expect(layOut('2025-06-01T00:00Z', '2026-01-01T00:00Z', 'YEAR', -300)).toEqual([
      '2025-01-01T05:00',
      '2026-01-01T05:00',
    ]);
  });

  it('are none of an empty range', () => {
    expect(layOut('2026-01-01T00:00Z', '2026-01-01T00:00Z', 'HOUR', 'UTC')).toHaveLength(1);
  });

  it('are refused where there are too many, in a message that says what to do', () => {
    const range = { startUs: 0, endUs: (MAX_BUCKETS + 1) * HOUR_MS * 1000 };
    expect(() => layOutBuckets(range, 'HOUR', openTimeZone('UTC'))).toThrow(/about 2001 .* larger unit/);
    expect(() => layOutBuckets({ startUs: 0, endUs: 2e17 }, 'SECOND', openTimeZone('UTC'))).toThrow(/larger unit/);
    expect(layOutBuckets({ ...range, startUs: HOUR_MS * 1000 }, 'HOUR', openTimeZone('UTC')).startsUs).toHaveLength(
      2000,
    );
  });

  it('are of a unit that suits the range where none is given', () => {
    const units = [60, 3600, 86_400, 7 * 86_400, 30 * 86_400, 365 * 86_400, 1e10].map((seconds) =>
      chooseUnit({ startUs: 0, endUs: seconds * 1e6 }),
    );
    expect(units).toEqual(['SECOND', 'MINUTE', 'QUARTER_HOUR', 'HOUR', 'SIX_HOURS', 'WEEK', 'YEAR']);
  });

  it.each([
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'Asia/Beirut',
    'Africa/Casablanca',
  ])('hold the times at which clocks in %s show the same', (name) => {
    const zone = openTimeZone(name);
    const show = labeller(name);
    const start = fc.integer({ min: Date.UTC(2012, 0), max: Date.UTC(2035, 0) });
    const unit = fc.constantFrom<BucketUnit>('QUARTER_HOUR', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR');
    fc.assert(
      fc.property(
        start,
        fc.integer({ min: 1, max: 30 * 24 * HOUR_MS }),
        fc.nat(),
        unit,
        (startMs, length, at, size) => {
          const lengthMs = size === 'QUARTER_HOUR' ? Math.ceil(length / 10) : length;
          const range = { startUs: startMs * 1000, endUs: (startMs + lengthMs) * 1000 };
          const { startsUs, endUs } = layOutBuckets(range, size, zone);
          const timeMs = startMs + (at % lengthMs);
          const bucket = findBucket(startsUs, timeMs * 1000);
          const firstMs = (startsUs[bucket] ?? 0) / 1000;
          expect(firstMs).toBeLessThanOrEqual(timeMs);
          expect((startsUs[bucket + 1] ?? endUs) / 1000).toBeGreaterThan(timeMs);
          expect(show(firstMs, size)).toBe(show(timeMs, size));
          // Just before the bucket clocks showed something else, or have been put back since.
          const isPutBack = zone.offsetAt(firstMs - 1) > zone.offsetAt(firstMs);
          expect(isPutBack || show(firstMs - 1, size) !== show(firstMs, size)).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('a time zone', () => {
  it.each(['Mars/Olympus', '', 'x'.repeat(100), 1440, 0.5, Number.NaN])('that is none is refused: %s', (name) => {
    expect(() => openTimeZone(name)).toThrow(/time zone|offset/i);
  });

  it('knows its offset long ago and far ahead', () => {
    const zone = openTimeZone('Europe/Berlin');
    expect(zone.offsetAt(Date.parse('0001-01-01T00:00Z')) / 1000).toBe(3208);
    expect(zone.offsetAt(Date.UTC(9999, 11, 31)) / HOUR_MS).toBe(1);
  });
});

/** What a clock with a calendar shows of a unit. */
function labeller(timeZone: string): (timeMs: number, unit: BucketUnit) => string {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (timeMs, unit) => {
    const shown = clock.format(timeMs);
    switch (unit) {
      case 'QUARTER_HOUR':
        return `${shown.slice(0, 14)}${Math.floor(Number(shown.slice(14, 16)) / 15)}`;
      case 'HOUR':
        return shown.slice(0, 13);
      case 'WEEK':
        return String(Math.floor((Date.parse(`${shown.slice(0, 10)}T00:00Z`) / 86_400_000 + 3) / 7));
      case 'MONTH':
        return shown.slice(0, 7);
      case 'YEAR':
        return shown.slice(0, 4);
      default:
        return shown.slice(0, 10);
    }
  };
}
