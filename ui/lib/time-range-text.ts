/** Time ranges as people type and read them. */
import { LONGEST_MINUTES, type TimeRange } from './time-range.ts';
import { fromWallTime, toWallTime } from './zoned-time.ts';

const MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1440, w: 10_080, mo: 43_200 };
const DAY_MS = 86_400_000;

/** Examples of texts that mean a range, shown after one that does not. */
export const TIME_RANGE_EXAMPLES: readonly string[] = [
  '90m',
  '2 hours 30 min',
  'yesterday',
  '2026-11-20',
  '2026-11-20 10:00 to 12:30',
];

/**
 * The range that a text means: a duration up to now (`25m`, `2 hours`, `1h 30m`), `today`, `yesterday`, `all`, a day
 * (`2026-11-20`), or two times with a dash, `to` or `until` between them, in the wall time of `zone`; the second may leave
 * out the day. Undefined where the text means none.
 */
export function parseTimeRange(text: string, zone: string, nowMs: number): TimeRange | undefined {
  const words = text.trim().toLowerCase().replaceAll(/\s+/g, ' ').slice(0, 100);
  if (/^(all|all time|everything)$/.test(words)) return { kind: 'all' };
  const minutes = parseMinutes(words.replace(/^(the )?(last|past) /, ''));
  if (minutes !== undefined) return { kind: 'last', minutes };
  const today = toWallTime(nowMs, zone).slice(0, 10);
  if (words === 'today') return { kind: 'between', start: toIso(fromWallTime(`${today}T00:00`, zone)) };
  if (words === 'yesterday') return parseBetween(addDays(today, -1), addDays(today, -1), zone);
  const [start, end, ...rest] = words.split(/ ?[–—→] ?| - | to | until |\.\./);
  if (start === undefined || rest.length > 0) return undefined;
  const isSameDay = end !== undefined && /^\d{1,2}:\d{2}$/.test(end);
  return parseBetween(start, isSameDay ? `${start.slice(0, 10)} ${end}` : (end ?? start), zone);
}

/** A range in words: `Last 7 days`, `Nov 20, 10:00 – 12:30`, `All time`. */
export function formatTimeRange(range: TimeRange, zone: string): string {
  switch (range.kind) {
    case 'all':
      return 'All time';
    case 'last':
      return `Last ${formatMinutes(range.minutes)}`;
    case 'between':
      return formatBetween(range.start, range.end, zone);
    default:
      return range satisfies never;
  }
}

/** The same within a sentence; months keep their capital. */
export function formatTimeRangeInSentence(range: TimeRange, zone: string): string {
  return formatTimeRange(range, zone).replace(/^(Last|All|Since|Until)/, (word) => word.toLowerCase());
}

const DURATION_PART =
  /(\d{1,7}(?:\.\d{1,3})?) ?(mo(?:nths?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:eeks?)?)(?: |$|(?=\d))/g;

function parseMinutes(text: string): number | undefined {
  const words = text.replace(/^(?:an? )?(minute|hour|day|week|month)$/, '1 $1');
  const parts = [...words.matchAll(DURATION_PART)];
  const isWhole = parts.reduce((length, [part]) => length + part.length, 0) === words.length;
  if (parts.length === 0 || parts.length > 4 || !isWhole) return undefined;
  const minutes = Math.round(parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * minutesOf(unit ?? ''), 0));
  return minutes >= 1 && minutes <= LONGEST_MINUTES ? minutes : undefined;
}

function minutesOf(unit: string): number {
  return MINUTES[unit.startsWith('mo') ? 'mo' : unit.slice(0, 1)] ?? 0;
}

function parseBetween(start: string, end: string, zone: string): TimeRange | undefined {
  const from = parsePoint(start, zone, false);
  const until = end === 'now' ? undefined : parsePoint(end, zone, true);
  if (from === undefined || (until === undefined && end !== 'now') || from >= (until ?? Number.POSITIVE_INFINITY))
    return undefined;
  return { kind: 'between', start: toIso(from), end: toIso(until) };
}

/** A day alone is its beginning, or, where it ends a range, the beginning of the next day. */
function parsePoint(text: string, zone: string, isEnd: boolean): number | undefined {
  const [, day, hour, minute] = /^(\d{4}-\d{2}-\d{2})(?:[t ](\d{1,2}):(\d{2}))?$/.exec(text) ?? [];
  if (day === undefined) return undefined;
  if (hour !== undefined) return fromWallTime(`${day}T${hour.padStart(2, '0')}:${minute}`, zone);
  if (fromWallTime(`${day}T00:00`, zone) === undefined) return undefined;
  return fromWallTime(`${isEnd ? addDays(day, 1) : day}T00:00`, zone);
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

function toIso(instantMs: number | undefined): string | undefined {
  return instantMs === undefined ? undefined : new Date(instantMs).toISOString();
}

function formatMinutes(minutes: number): string {
  if (minutes % 1440 === 0) return plural(minutes / 1440, 'day');
  return minutes % 60 === 0 ? plural(minutes / 60, 'hour') : plural(minutes, 'minute');
}

function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${count} ${noun}s`;
}

function formatBetween(start: string | undefined, end: string | undefined, zone: string): string {
  const [from, until] = [start, end].map((iso) => (iso === undefined ? undefined : toWallTime(Date.parse(iso), zone)));
  if (from === undefined || until === undefined)
    return from === undefined ? `Until ${formatPoint(until ?? '')}` : `Since ${formatPoint(from)}`;
  if (isMidnight(from) && isMidnight(until)) {
    const lastDay = addDays(until.slice(0, 10), -1);
    return lastDay === from.slice(0, 10) ? formatDay(from) : `${formatDay(from)} – ${formatDay(lastDay)}`;
  }
  const isOneDay = from.slice(0, 10) === until.slice(0, 10);
  return `${formatPoint(from)} – ${isOneDay ? until.slice(11) : formatPoint(until)}`;
}

function isMidnight(wallTime: string): boolean {
  return wallTime.endsWith('T00:00');
}

/** A wall time, as `Nov 20, 10:00`; at midnight the day alone. */
function formatPoint(wallTime: string): string {
  return isMidnight(wallTime) ? formatDay(wallTime) : `${formatDay(wallTime)}, ${wallTime.slice(11)}`;
}

function formatDay(wallTime: string): string {
  const day = wallTime.slice(0, 10);
  const isThisYear = day.slice(0, 4) === String(new Date().getFullYear());
  return new Intl.DateTimeFormat('en', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
  }).format(Date.parse(day));
}
