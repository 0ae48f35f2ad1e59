/** How far clocks are ahead of UTC, in the zones of the IANA database that Node brings along, or by a fixed number of minutes. */
import { AppError } from '#base/errors';

/** A zone as callers name it: `Europe/Berlin`, or minutes ahead of UTC. */
export type ZoneName = string | number;

/** A zone. All times are milliseconds since the Unix epoch. */
export interface TimeZone {
  /** Milliseconds that its clocks are ahead of UTC at that time. */
  offsetAt(timeMs: number): number;
}

/** The zone of that name. @throws AppError `invalid_argument` */
export function openTimeZone(name: ZoneName): TimeZone {
  if (typeof name === 'number') return fixedZone(name);
  if (name.length > MAX_NAME_LENGTH) throw unknownZone(`${name.slice(0, MAX_NAME_LENGTH)}…`);
  const known = zones.get(name);
  if (known !== undefined) return known;
  const zone = new ClockZone(name);
  if (zones.size >= MAX_KEPT_ZONES) zones.clear();
  zones.set(name, zone);
  return zone;
}

/** The instant between the two at which the offset becomes that of the later one; it must change once between them. */
export function findTransition(zone: TimeZone, beforeMs: number, afterMs: number): number {
  const offset = zone.offsetAt(afterMs);
  let [before, after] = [beforeMs, afterMs];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (zone.offsetAt(middle) === offset) after = middle;
    else before = middle;
  }
  return after;
}

const MAX_NAME_LENGTH = 64;
const MAX_KEPT_ZONES = 50;
const MINUTE_MS = 60_000;
const MINUTES_PER_DAY = 1440;

const zones = new Map<string, TimeZone>();

function fixedZone(minutes: number): TimeZone {
  if (!Number.isInteger(minutes) || Math.abs(minutes) >= MINUTES_PER_DAY) {
    throw new AppError('invalid_argument', 'An offset from UTC is a whole number of minutes, less than a day.');
  }
  return { offsetAt: () => minutes * MINUTE_MS };
}

/** A zone by its clocks. What they show costs microseconds to find out, so offsets are kept where they do not change. */
class ClockZone implements TimeZone {
  readonly #clock: Intl.DateTimeFormat;
  /** By part of time: the offset, `null` where it changes. */
  readonly #offsets = new Map<number, number | null>();

  constructor(name: string) {
    try {
      this.#clock = new Intl.DateTimeFormat('en-US', { timeZone: name, hourCycle: 'h23', ...ALL_PARTS });
    } catch (error) {
      if (error instanceof RangeError) throw unknownZone(name);
      throw error;
    }
  }

  offsetAt(timeMs: number): number {
    const time = Math.min(Math.max(timeMs, FIRST_MS), LAST_MS);
    const part = Math.floor(time / PART_MS);
    let offset = this.#offsets.get(part);
    if (offset === undefined) {
      const start = this.#readClock(part * PART_MS);
      offset = start === this.#readClock((part + 1) * PART_MS) ? start : null;
      if (this.#offsets.size >= MAX_KEPT_OFFSETS) this.#offsets.clear();
      this.#offsets.set(part, offset);
    }
    return offset ?? this.#readClock(time);
  }

  #readClock(timeMs: number): number {
    const shown = CLOCK.exec(this.#clock.format(timeMs));
    if (shown === null) throw new Error('the clock of a time zone shows no time');
    const [month = 1, day = 1, year = 0, hour = 0, minute = 0, second = 0] = shown.slice(1).map(Number);
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(timeMs / 1000) * 1000;
  }
}

const ALL_PARTS = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const;

const CLOCK = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)$/;

/** Offsets are taken to be constant within a part that has the same at both ends. */
const PART_MS = 6 * 60 * MINUTE_MS;
const MAX_KEPT_OFFSETS = 10_000;

/** Clocks have four digits for the year; before the first one here no zone changed its clocks. */
const FIRST_MS = Date.UTC(1000, 0, 2);
const LAST_MS = Date.UTC(9999, 11, 30);

function unknownZone(name: string): AppError {
  return new AppError(
    'invalid_argument',
    `There is no time zone ${name}. Use a name of the IANA database, such as Europe/Berlin.`,
  );
}
