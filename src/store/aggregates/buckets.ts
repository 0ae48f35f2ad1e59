/**
 * Buckets of time as clocks of a zone cut it. A bucket is a stretch of instants: an hour that clocks show twice in autumn is
 * two buckets, a day in which they change has 23 or 25 hours, and one whose midnight does not exist begins when it does.
 */
import { AppError } from '#base/errors';
import { findTransition, type TimeZone } from './time-zone.ts';

/** Sizes of buckets, from small to large. Weeks begin on Monday. */
export const BUCKET_UNITS = [
  'SECOND',
  'MINUTE',
  'FIVE_MINUTES',
  'QUARTER_HOUR',
  'HOUR',
  'SIX_HOURS',
  'DAY',
  'WEEK',
  'MONTH',
  'YEAR',
] as const;

/** One of {@link BUCKET_UNITS}. */
export type BucketUnit = (typeof BUCKET_UNITS)[number];

/** Start inclusive, end exclusive, microseconds since the Unix epoch. */
export interface ClosedRange {
  readonly startUs: number;
  readonly endUs: number;
}

/** Buckets one after the other, those without anything too. */
export interface Buckets {
  readonly unit: BucketUnit;
  /** Start of each, microseconds since the Unix epoch, ascending; the first may be before that of the range. */
  readonly startsUs: Float64Array;
  /** Where the last one ends. */
  readonly endUs: number;
}

/** Buckets of one answer. */
export const MAX_BUCKETS = 2000;

/**
 * The buckets that a range touches, of a unit that suits it where none is given.
 * @throws AppError `invalid_argument` where there are more than {@link MAX_BUCKETS}
 */
export function layOutBuckets(range: ClosedRange, unit: BucketUnit | null, zone: TimeZone): Buckets {
  const chosen = unit ?? chooseUnit(range);
  const [startMs, endMs] = [Math.floor(range.startUs / 1000), range.endUs / 1000];
  if (endMs <= startMs) return { unit: chosen, startsUs: new Float64Array(), endUs: range.endUs };
  const about = (endMs - startMs) / UNIT_MS[chosen];
  if (about > MAX_BUCKETS + 1) throw tooMany(Math.ceil(about), chosen);
  const walk = isOfClock(chosen) ? walkClock(zone, UNIT_MS[chosen], startMs) : walkCalendar(zone, chosen, startMs);
  const starts: number[] = [];
  for (const boundary of walk) {
    if (boundary >= endMs) {
      return { unit: chosen, startsUs: Float64Array.from(starts, (start) => start * 1000), endUs: boundary * 1000 };
    }
    if (starts.length === MAX_BUCKETS) throw tooMany(Math.ceil(about), chosen);
    starts.push(boundary);
  }
  throw new Error('time ended before its last bucket');
}

/** The smallest unit in which a range has about {@link MAX_CHOSEN_BUCKETS} buckets at most. */
export function chooseUnit({ startUs, endUs }: ClosedRange): BucketUnit {
  const lengthMs = (endUs - startUs) / 1000;
  return BUCKET_UNITS.find((unit) => lengthMs <= MAX_CHOSEN_BUCKETS * UNIT_MS[unit]) ?? 'YEAR';
}

/** The place of the bucket that a time is in; the time must be in one. */
export function findBucket(startsUs: Float64Array, timeUs: number): number {
  let [low, high] = [0, startsUs.length];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((startsUs[middle] ?? 0) <= timeUs) low = middle;
    else high = middle;
  }
  return low;
}

/** What a chart shows without bars too thin to hit: a week in hours, a month in quarters of a day. */
const MAX_CHOSEN_BUCKETS = 200;

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Months and years about as long as they are. */
const UNIT_MS: Readonly<Record<BucketUnit, number>> = {
  SECOND: SECOND_MS,
  MINUTE: MINUTE_MS,
  FIVE_MINUTES: 5 * MINUTE_MS,
  QUARTER_HOUR: 15 * MINUTE_MS,
  HOUR: HOUR_MS,
  SIX_HOURS: 6 * HOUR_MS,
  DAY: DAY_MS,
  WEEK: 7 * DAY_MS,
  MONTH: 30.436875 * DAY_MS,
  YEAR: 365.2425 * DAY_MS,
};

type CalendarUnit = 'DAY' | 'WEEK' | 'MONTH' | 'YEAR';
type ClockUnit = Exclude<BucketUnit, CalendarUnit>;

function isOfClock(unit: BucketUnit): unit is ClockUnit {
  return UNIT_MS[unit] < DAY_MS;
}

/** Boundaries at which clocks show a multiple of the step, from the last one that is not after the time on. */
function* walkClock(zone: TimeZone, stepMs: number, fromMs: number): Generator<number> {
  // Far enough back that a change of the clocks lies behind the first boundary that counts.
  const early = fromMs - (stepMs > HOUR_MS ? DAY_MS : 0) - stepMs;
  let boundary = floorTo(early + zone.offsetAt(early), stepMs) - zone.offsetAt(early);
  for (;;) {
    const next = nextOfClock(zone, stepMs, boundary);
    if (next > fromMs) yield boundary;
    boundary = next;
  }
}

function nextOfClock(zone: TimeZone, stepMs: number, boundary: number): number {
  const offset = zone.offsetAt(boundary);
  const shown = boundary + offset;
  const next = floorTo(shown, stepMs) + stepMs - offset;
  const offsetThen = zone.offsetAt(next);
  if (offsetThen === offset) return next;
  const transition = findTransition(zone, boundary, next);
  const first = floorTo(transition + offsetThen + stepMs - 1, stepMs);
  // Several hours that clocks begin again stay one bucket; an hour that they show twice becomes two.
  return (stepMs > HOUR_MS && first <= shown ? first + stepMs : first) - offsetThen;
}

/** Starts of the days, weeks, months or years, from the last one that is not after the time on. */
function* walkCalendar(zone: TimeZone, unit: CalendarUnit, fromMs: number): Generator<number> {
  let date = floorDate(unit, fromMs + zone.offsetAt(fromMs));
  let boundary = startOfDate(zone, date);
  for (;;) {
    date = nextDate(unit, date);
    const next = startOfDate(zone, date);
    if (next > fromMs && next > boundary) yield boundary;
    // A day that a zone left out starts where the next one does.
    boundary = Math.max(boundary, next);
  }
}

/** The date on which the unit began that a date is in; dates are midnights of UTC. */
function floorDate(unit: CalendarUnit, timeMs: number): number {
  const date = new Date(timeMs);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  switch (unit) {
    case 'DAY':
      return utcDate(year, month, day);
    case 'WEEK':
      return utcDate(year, month, day - ((date.getUTCDay() + 6) % 7));
    case 'MONTH':
      return utcDate(year, month, 1);
    case 'YEAR':
      return utcDate(year, 0, 1);
  }
}

function nextDate(unit: CalendarUnit, dateMs: number): number {
  const date = new Date(dateMs);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  switch (unit) {
    case 'DAY':
      return utcDate(year, month, day + 1);
    case 'WEEK':
      return utcDate(year, month, day + 7);
    case 'MONTH':
      return utcDate(year, month + 1, 1);
    case 'YEAR':
      return utcDate(year + 1, 0, 1);
  }
}

/** `Date.UTC` takes the years 0 to 99 for those of the twentieth century. */
function utcDate(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day);
}

/** The first instant at which clocks show the date, or a later one. */
function startOfDate(zone: TimeZone, dateMs: number): number {
  // No zone is further ahead or behind.
  const [early, late] = [dateMs - 16 * HOUR_MS, dateMs + 16 * HOUR_MS];
  const [before, after] = [zone.offsetAt(early), zone.offsetAt(late)];
  if (before === after) return dateMs - before;
  const transition = findTransition(zone, early, late);
  return dateMs - before < transition ? dateMs - before : Math.max(dateMs - after, transition);
}

function floorTo(value: number, step: number): number {
  return Math.floor(value / step) * step;
}

function tooMany(count: number, unit: BucketUnit): AppError {
  const name = unit.toLowerCase().replaceAll('_', ' ');
  return new AppError(
    'invalid_argument',
    `The range has about ${count} buckets of the unit ${name}; the limit is ${MAX_BUCKETS}. Use a larger unit, or a shorter range.`,
  );
}
