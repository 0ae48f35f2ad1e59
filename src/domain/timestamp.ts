/** Times on the wire. Inside, a time is whole microseconds since the Unix epoch. */

/** A time as responses write it: ISO 8601 with the offset `+00:00`, six fraction digits or, on a whole second, none. */
export function formatTimestamp(timeUs: number): string {
  const seconds = Math.floor(timeUs / US_PER_SECOND);
  const fractionUs = timeUs - seconds * US_PER_SECOND;
  const day = Math.floor(seconds / SECONDS_PER_DAY);
  const second = seconds - day * SECONDS_PER_DAY;
  const hours = Math.floor(second / 3600);
  const minutes = Math.floor(second / 60) % 60;
  const whole = `${dateOf(day)}T${TWO_DIGITS[hours]}:${TWO_DIGITS[minutes]}:${TWO_DIGITS[second % 60]}`;
  return fractionUs === 0 ? `${whole}+00:00` : `${whole}.${String(fractionUs).padStart(6, '0')}+00:00`;
}

/**
 * Reads a time as requests write it; `undefined` where it is none. ISO 8601 with `Z` or an offset; without either, and
 * for a bare date, UTC; or a Unix time in seconds or, beyond 20 000 000 000, milliseconds. Fractions of a microsecond are dropped.
 */
export function parseTimestamp(text: string): number | undefined {
  return UNIX_TIME.test(text) ? parseUnixTime(Number(text)) : parseIsoTime(text);
}

/**
 * Reads a time as {@link parseTimestamp} does, to the nanosecond; `isNaive` where it names no offset, which a Unix time needs
 * not. Later digits are dropped.
 */
export function parseUnixNano(text: string): { readonly unixNano: bigint; readonly isNaive: boolean } | undefined {
  const timeUs = parseTimestamp(text);
  if (timeUs === undefined) return undefined;
  const { date, offset, fraction = '' } = ISO_TIME.exec(text)?.groups ?? {};
  const nanosBelow = Number(fraction.padEnd(9, '0').slice(6, 9));
  return { unixNano: BigInt(timeUs) * 1000n + BigInt(nanosBelow), isNaive: date !== undefined && offset === undefined };
}

/** The time of a count of nanoseconds since the Unix epoch, cut off. */
export function toMicroseconds(timeUnixNano: bigint): number {
  return Number(timeUnixNano / 1000n);
}

const US_PER_SECOND = 1_000_000;

const SECONDS_PER_DAY = 86_400;

/** Dates by their days since the Unix epoch: a page has thousands of times on few days, and a date takes ten times the rest. */
const dates = new Map<number, string>();
const MAX_DATES = 1024;

function dateOf(day: number): string {
  const known = dates.get(day);
  if (known !== undefined) return known;
  const date = new Date(day * SECONDS_PER_DAY * 1000).toISOString().slice(0, -'T00:00:00.000Z'.length);
  if (dates.size === MAX_DATES) dates.clear();
  dates.set(day, date);
  return date;
}

const TWO_DIGITS: readonly string[] = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** As seconds the year 2603, as milliseconds August 1970. */
const LARGEST_UNIX_SECONDS = 2e10;

/** The end of the year 9999, beyond which ISO 8601 has no four digits. */
const LAST_UNIX_SECONDS = 253_402_300_799;

const UNIX_TIME = /^[+-]?\d{1,18}(?:\.\d{1,18})?$/;

const ISO_TIME =
  /^(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<hours>[01]\d|2[0-3]):(?<minutes>[0-5]\d)(?::(?<seconds>[0-5]\d)(?:\.(?<fraction>\d{1,18}))?)?(?<offset>Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/i;

function parseUnixTime(value: number): number | undefined {
  const seconds = Math.abs(value) > LARGEST_UNIX_SECONDS ? value / 1000 : value;
  return Math.abs(seconds) > LAST_UNIX_SECONDS ? undefined : Math.round(seconds * US_PER_SECOND);
}

function parseIsoTime(text: string): number | undefined {
  const {
    date,
    hours = '00',
    minutes = '00',
    seconds = '00',
    fraction = '',
    offset = 'Z',
  } = ISO_TIME.exec(text)?.groups ?? {};
  if (date === undefined) return undefined;
  const timeMs = Date.parse(`${date}T${hours}:${minutes}:${seconds}.000Z`);
  // A day that its month does not have is read as one of the next month.
  if (Number.isNaN(timeMs) || !new Date(timeMs).toISOString().startsWith(date)) return undefined;
  return (timeMs - parseOffset(offset)) * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}

/** Milliseconds that the offset is ahead of UTC. */
function parseOffset(offset: string): number {
  if (offset.toUpperCase() === 'Z') return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000;
}
