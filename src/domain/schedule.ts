/** When something is done again and again: on hours of weekdays, in UTC, written as cron writes it. */

/** The hours at which something is due. */
export interface Schedule {
  /** 0 to 23. */
  readonly hours: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>;
}

/**
 * Reads a cron expression of five fields of which the first is 0, the third and fourth are `*`, and the others are lists of
 * numbers, ranges and steps, weekdays also by their English names; `undefined` where it is none.
 */
export function parseSchedule(text: string): Schedule | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const [minute, hour, day, month, weekday, ...rest] = text.trim().split(/\s+/);
  if (hour === undefined || weekday === undefined || rest.length > 0) return undefined;
  if (minute === undefined || !/^0+$/.test(minute) || day !== '*' || month !== '*') return undefined;
  const hours = parseField(hour, 23, []);
  const weekdays = parseField(weekday, 7, WEEKDAYS);
  if (hours === undefined || weekdays === undefined) return undefined;
  return { hours, weekdays: new Set([...weekdays].map((number) => number % 7)) };
}

const MAX_LENGTH = 200;

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** The latest time at which it was due, in microseconds since the Unix epoch; the time itself where it is due then. */
export function lastDueUs({ hours, weekdays }: Schedule, nowUs: number): number {
  let hourUs = Math.floor(nowUs / US_PER_HOUR) * US_PER_HOUR;
  for (let back = 0; back < HOURS_PER_WEEK; back++) {
    const at = new Date(hourUs / 1000);
    if (hours.has(at.getUTCHours()) && weekdays.has(at.getUTCDay())) break;
    hourUs -= US_PER_HOUR;
  }
  return hourUs;
}

const US_PER_HOUR = 3_600_000_000;
const HOURS_PER_WEEK = 7 * 24;

function parseField(text: string, most: number, names: readonly string[]): ReadonlySet<number> | undefined {
  const chosen = new Set<number>();
  for (const item of text.split(',')) {
    const range = parseItem(item.toLowerCase(), most, names);
    if (range === undefined) return undefined;
    for (let number = range.first; number <= range.last; number += range.step) chosen.add(number);
  }
  return chosen;
}

function parseItem(item: string, most: number, names: readonly string[]) {
  const { from, to, step } =
    /^(?<from>\*|[a-z\d]+)(?:-(?<to>[a-z\d]+))?(?:\/(?<step>\d{1,2}))?$/.exec(item)?.groups ?? {};
  if (from === undefined || (from === '*' && to !== undefined)) return undefined;
  const first = from === '*' ? 0 : parseNumber(from, names);
  const last = from === '*' ? most : to === undefined ? (step === undefined ? first : most) : parseNumber(to, names);
  const every = step === undefined ? 1 : Number(step);
  if (first === undefined || last === undefined || every < 1 || first > last || last > most) return undefined;
  return { first, last, step: every };
}

function parseNumber(text: string, names: readonly string[]): number | undefined {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const named = names.indexOf(text);
  return named === -1 ? undefined : named;
}
