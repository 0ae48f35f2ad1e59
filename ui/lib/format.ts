/** Numbers, durations and times as the pages write them. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Stands where a value is missing. */
const MISSING = '–';

/** A duration in two figures or so: `0.4 ms`, `340 ms`, `1.24 s`, `2m 05s`, `3h 20m`, `2d 04h`. */
export function formatDuration(ms: number | null | undefined): string {
  if (ms == null || !Number.isFinite(ms)) return MISSING;
  if (ms < 0) return `−${formatDuration(-ms)}`;
  if (ms === 0) return '0 ms';
  if (ms < 0.1) return '<0.1 ms';
  if (ms < 9.95) return `${trimZero(ms.toFixed(1))} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9_995) return `${(ms / SECOND).toFixed(2)} s`;
  if (ms < 59_950) return `${(ms / SECOND).toFixed(1)} s`;
  if (ms < HOUR - SECOND / 2) return formatPair(ms, MINUTE, 'm', SECOND, 's');
  if (ms < DAY - MINUTE / 2) return formatPair(ms, HOUR, 'h', MINUTE, 'm');
  return formatPair(ms, DAY, 'd', HOUR, 'h');
}

/** A count in three figures: `999`, `1.2k`, `12k`, `3.4M`. */
export function formatCount(count: number | null | undefined): string {
  if (count == null || !Number.isFinite(count)) return MISSING;
  if (count < 0) return `−${formatCount(-count)}`;
  return scale(count, 1000, ['', 'k', 'M', 'B', 'T'], '');
}

/** A number of tokens: exact while it fits (`9,876`), then as a count. */
export function formatTokens(count: number | null | undefined): string {
  if (count == null || !Number.isFinite(count)) return MISSING;
  return Math.abs(count) < 10_000 ? formatExact(Math.round(count)) : formatCount(count);
}

/** A number with all its figures: `1,234,567`. */
export function formatExact(value: number): string {
  return new Intl.NumberFormat('en', { maximumFractionDigits: 3 }).format(value);
}

/** A share in percent: `100 %`, `12 %`, `1.5 %`, `<0.1 %`; missing where it is one of nothing. */
export function formatShare(share: number): string {
  if (Number.isNaN(share)) return MISSING;
  const percent = share * 100;
  if (percent === 0) return '0 %';
  if (percent < 0.1) return '<0.1 %';
  // What is not all is not written as all.
  if (percent < 9.95 || (percent < 100 && percent >= 99.5)) return `${Math.min(Number(percent.toFixed(1)), 99.9)} %`;
  return `${Math.round(percent)} %`;
}

/** The name of so many things, given that of several. */
export function nounOf(count: number, plural: string): string {
  return count === 1 ? plural.replace(/s$/, '') : plural;
}

/**
 * US dollars, in every place alike: from one dollar on in cents, below it in three figures, of which zeros behind the cents are
 * left out: `$1,234.50`, `$0.50`, `$0.00123`, `<$0.00000001`. Never as a power of ten.
 */
export function formatUsd(usd: number | null | undefined): string {
  if (usd == null || !Number.isFinite(usd)) return MISSING;
  if (usd < 0) return `−${formatUsd(-usd)}`;
  if (usd === 0) return '$0';
  if (usd < LEAST_USD) return `<$${LEAST_USD.toFixed(USD_DIGITS)}`;
  const digits = usd >= 1 ? 2 : Math.min(2 - Math.floor(Math.log10(usd)), USD_DIGITS);
  return `$${usd.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: digits })}`;
}

/** The same where many stand below each other: what is less than a hundredth of a cent is `<$0.0001`. */
export function formatUsdBriefly(usd: number | null | undefined): string {
  return usd != null && usd > 0 && usd < LEAST_BRIEF_USD ? `<$${LEAST_BRIEF_USD}` : formatUsd(usd);
}

const LEAST_BRIEF_USD = 0.0001;

/** Of the smallest amount that is written. */
const USD_DIGITS = 8;
const LEAST_USD = 1e-8;

/** A size in decimal units: `640 B`, `1.2 kB`, `34 MB`. */
export function formatBytes(bytes: number | null | undefined): string {
  if (bytes == null || !Number.isFinite(bytes)) return MISSING;
  return scale(bytes, 1000, ['B', 'kB', 'MB', 'GB', 'TB'], ' ');
}

/** How a time is written: how long ago; the time of day, with the day if it is not today; the same to the millisecond; or everything that is known. */
export type TimestampStyle = 'relative' | 'time' | 'exact' | 'full';

/**
 * A time in a zone.
 * @param time ISO 8601 text or milliseconds since 1970.
 * @param zone Name of a zone, such as `Europe/Zurich`.
 */
export function formatTimestamp(
  time: string | number | null | undefined,
  zone: string,
  style: TimestampStyle,
  nowMs: number = Date.now(),
): string {
  if (time == null) return MISSING;
  const ms = typeof time === 'number' ? time : Date.parse(time);
  if (!Number.isFinite(ms)) return MISSING;
  switch (style) {
    case 'relative':
      return formatAgo(ms, zone, nowMs);
    case 'time':
      return formatDayAndTime(ms, zone, nowMs);
    case 'exact':
      return `${formatDayAndTime(ms, zone, nowMs)}.${partsOf(ms, zone).fractionalSecond}`;
    case 'full':
      return formatFull(ms, zone);
    default:
      return style satisfies never;
  }
}

function formatAgo(ms: number, zone: string, nowMs: number): string {
  const ago = nowMs - ms;
  const distance = Math.abs(ago);
  if (distance >= 7 * DAY) return formatDay(ms, zone, nowMs);
  const text =
    distance < MINUTE
      ? `${Math.floor(distance / SECOND)}s`
      : distance < HOUR
        ? `${Math.floor(distance / MINUTE)}m`
        : distance < DAY
          ? `${Math.floor(distance / HOUR)}h`
          : `${Math.floor(distance / DAY)}d`;
  // What a program sends is not of the future: its clock is ahead of this one.
  if (distance < 5 * SECOND || (ago < 0 && distance < MINUTE)) return 'just now';
  return ago > 0 ? `${text} ago` : `in ${text}`;
}

function formatDayAndTime(ms: number, zone: string, nowMs: number): string {
  const { hour, minute, second } = partsOf(ms, zone);
  const time = `${hour}:${minute}:${second}`;
  return isSameDay(ms, nowMs, zone) ? time : `${formatDay(ms, zone, nowMs)}, ${time}`;
}

function formatDay(ms: number, zone: string, nowMs: number): string {
  const { year, month, day } = partsOf(ms, zone);
  const monthName = MONTHS[Number(month) - 1] ?? '';
  const text = `${monthName} ${Number(day)}`;
  return year === partsOf(nowMs, zone).year ? text : `${text}, ${year}`;
}

function formatFull(ms: number, zone: string): string {
  const { year, month, day, hour, minute, second, fractionalSecond } = partsOf(ms, zone);
  return `${year}-${month}-${day} ${hour}:${minute}:${second}.${fractionalSecond} ${zone}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function isSameDay(a: number, b: number, zone: string): boolean {
  const [left, right] = [partsOf(a, zone), partsOf(b, zone)];
  return left.year === right.year && left.month === right.month && left.day === right.day;
}

/** Making one costs a thousand times what using it does, and a table shows hundreds of times. */
const formatters = new Map<string, Intl.DateTimeFormat>();

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fractionalSecond';

function partsOf(ms: number, zone: string): Record<Part, string> {
  let formatter = formatters.get(zone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en', {
      timeZone: zone,
      calendar: 'iso8601',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      fractionalSecondDigits: 3,
    });
    formatters.set(zone, formatter);
  }
  return Object.fromEntries(formatter.formatToParts(ms).map(({ type, value }) => [type, value])) as Record<
    Part,
    string
  >;
}

function formatPair(ms: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const total = Math.round(ms / small);
  const perLarge = large / small;
  const rest = String(total % perLarge).padStart(2, '0');
  return `${Math.floor(total / perLarge)}${largeUnit} ${rest}${smallUnit}`;
}

function scale(value: number, base: number, units: readonly string[], gap: string): string {
  let scaled = value;
  let unit = 0;
  // Past half of the last figure the number would be written as 1000 of its unit.
  while (scaled >= base - 0.5 && unit < units.length - 1) {
    scaled /= base;
    unit += 1;
  }
  const figures = unit === 0 || scaled >= 9.95 ? String(Math.round(scaled)) : trimZero(scaled.toFixed(1));
  return `${figures}${gap}${units[unit] ?? ''}`;
}

function trimZero(text: string): string {
  return text.endsWith('.0') ? text.slice(0, -2) : text;
}
