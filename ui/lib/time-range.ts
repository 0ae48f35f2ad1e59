/** The stretch of time that the pages of a project show: chosen, typed, kept in the address, sent to the server. */

/** See the file. `between` names instants in ISO 8601; either may be absent. */
export type TimeRange =
  | { readonly kind: 'last'; readonly minutes: number }
  | { readonly kind: 'between'; readonly start?: string | undefined; readonly end?: string | undefined }
  | { readonly kind: 'all' };

/** The range as the address carries it: `?range=7d`, or `?start=…&end=…`. */
export interface TimeRangeSearch {
  readonly range?: string | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}

/** Start inclusive, end exclusive: the schema's input of this name. */
export interface ResolvedTimeRange {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}

const HOUR = 60;
const DAY = 24 * HOUR;
/** No relative range is longer: ten years. */
export const LONGEST_MINUTES = 3650 * DAY;

/** The ranges that are offered, shortest first. */
export const TIME_RANGE_PRESETS: readonly TimeRange[] = [
  { kind: 'last', minutes: 15 },
  { kind: 'last', minutes: HOUR },
  { kind: 'last', minutes: 12 * HOUR },
  { kind: 'last', minutes: DAY },
  { kind: 'last', minutes: 7 * DAY },
  { kind: 'last', minutes: 30 * DAY },
  { kind: 'all' },
];

/** The range that stands until one is chosen: seven days. */
export const DEFAULT_TIME_RANGE: TimeRange = { kind: 'last', minutes: 7 * DAY };

/** The range that an address names; undefined where it names none, or none that makes sense. */
export function readTimeRange(search: TimeRangeSearch): TimeRange | undefined {
  if (search.range === 'all') return { kind: 'all' };
  if (search.range !== undefined) {
    const [, amount, unit] = /^(\d{1,7})(m|h|d)$/.exec(search.range) ?? [];
    const minutes = Number(amount) * (unit === 'd' ? DAY : unit === 'h' ? HOUR : 1);
    return minutes >= 1 && minutes <= LONGEST_MINUTES ? { kind: 'last', minutes } : undefined;
  }
  const start = toInstant(search.start);
  const end = toInstant(search.end);
  if (start === undefined && end === undefined) return undefined;
  if (start !== undefined && end !== undefined && start >= end) return undefined;
  return { kind: 'between', start, end };
}

/** What the address says of a range; the keys it does not use are undefined, so that they overwrite older ones. */
export function writeTimeRange(range: TimeRange): TimeRangeSearch {
  switch (range.kind) {
    case 'last':
      return { range: formatKey(range.minutes), start: undefined, end: undefined };
    case 'between':
      return { range: undefined, start: range.start, end: range.end };
    case 'all':
      return { range: 'all', start: undefined, end: undefined };
    default:
      return range satisfies never;
  }
}

/** The range in instants, seen from `nowMs`. A range that reaches up to now stays open at its end. */
export function resolveTimeRange(range: TimeRange, nowMs: number): ResolvedTimeRange {
  switch (range.kind) {
    case 'last':
      return { start: new Date(nowMs - range.minutes * 60_000).toISOString() };
    case 'between':
      return { start: range.start, end: range.end };
    case 'all':
      return {};
    default:
      return range satisfies never;
  }
}

/** Whether spans that arrive at `nowMs` can fall into the range. */
export function reachesNow(range: TimeRange, nowMs: number): boolean {
  return range.kind !== 'between' || range.end === undefined || Date.parse(range.end) > nowMs;
}

/**
 * How far the beginning of a range may lag behind the clock before it is resolved again: a twentieth of it, so that
 * lists which follow new rows are not asked for from scratch every second.
 */
export function driftMs(range: TimeRange): number {
  return range.kind === 'last' ? Math.max(range.minutes * 3000, 30_000) : Number.POSITIVE_INFINITY;
}

/** The next wider range worth offering where this one is empty; undefined where it is already everything. */
export function widenTimeRange(range: TimeRange): TimeRange | undefined {
  switch (range.kind) {
    case 'last':
      return TIME_RANGE_PRESETS.find((preset) => preset.kind === 'all' || isLonger(preset, range.minutes));
    case 'between':
      return { kind: 'all' };
    case 'all':
      return undefined;
    default:
      return range satisfies never;
  }
}

/** The shortest preset that holds an instant, in ISO 8601, and will hold it for a while. */
export function presetHolding(instant: string, nowMs: number): TimeRange {
  const agoMs = nowMs - Date.parse(instant);
  const preset = TIME_RANGE_PRESETS.find((range) => range.kind === 'last' && agoMs < range.minutes * 57_000);
  return preset ?? { kind: 'all' };
}

/** The next shorter range worth offering where this one is too much; undefined where there is none. */
export function narrowTimeRange(range: TimeRange): TimeRange | undefined {
  if (range.kind === 'between') return undefined;
  return TIME_RANGE_PRESETS.findLast(
    (preset) => preset.kind === 'last' && (range.kind === 'all' || preset.minutes < range.minutes),
  );
}

/** Whether two ranges are the same choice. */
export function isSameTimeRange(a: TimeRange, b: TimeRange): boolean {
  const [left, right] = [writeTimeRange(a), writeTimeRange(b)];
  return left.range === right.range && left.start === right.start && left.end === right.end;
}

function isLonger(preset: TimeRange, minutes: number): boolean {
  return preset.kind === 'last' && preset.minutes > minutes;
}

function formatKey(minutes: number): string {
  if (minutes % DAY === 0) return `${minutes / DAY}d`;
  return minutes % HOUR === 0 ? `${minutes / HOUR}h` : `${minutes}m`;
}

function toInstant(text: string | undefined): string | undefined {
  const instant = Date.parse(text ?? '');
  return Number.isNaN(instant) ? undefined : new Date(instant).toISOString();
}
