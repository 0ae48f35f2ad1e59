/** Where the lines and labels of a chart's axes stand. */
import { fromWallTime, toWallTime } from '#ui/lib/zoned-time.ts';
import type { Quantity } from './quantity.ts';

/** Up to how many values between the lowest and the top, the lowest not counted. */
const VALUE_TICKS = 4;

/**
 * Values with a line, 0 among them: up to the first one that no value exceeds, and down to the last that no value is below.
 * @param min 0 at most
 */
export function valueTicks(max: number, { isWhole, unitOf }: Quantity, min = 0): readonly number[] {
  if (!(max > min)) return [0, 1];
  const unit = unitOf(Math.max(max, -min));
  const rough = (max - min) / unit / VALUE_TICKS;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const nice = [1, 2, 2.5, 5, 10].map((factor) => factor * magnitude).find((step) => step >= rough * 0.999) ?? rough;
  const step = (isWhole ? Math.max(1, Math.ceil(nice)) : nice) * unit;
  const first = Math.floor(min / step + 1e-9);
  const last = Math.ceil(max / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

/** A time with a label. */
export interface TimeTick {
  readonly timeMs: number;
  readonly label: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 4, 7, 14, 28, 56, 112, 364, 728].map((days) => days * DAY_MS),
];

/** Round times of a zone's clocks, at most so many. Midnights are called by their day. */
export function timeTicks(startMs: number, endMs: number, most: number, zone: string): readonly TimeTick[] {
  const stepMs = STEPS_MS.find((step) => (endMs - startMs) / step <= most);
  if (stepMs === undefined || most < 1) return [];
  // The clock on the wall as if it were that of UTC: days are equally long there.
  const [firstMs, lastMs] = [startMs, endMs].map((ms) => Date.parse(`${toWallTime(ms, zone)}Z`));
  const ticks: TimeTick[] = [];
  for (let wallMs = Math.ceil((firstMs ?? 0) / stepMs) * stepMs; wallMs <= (lastMs ?? 0); wallMs += stepMs) {
    const wallTime = new Date(wallMs).toISOString().slice(0, 16);
    const timeMs = fromWallTime(wallTime, zone);
    if (timeMs !== undefined && timeMs >= startMs && timeMs < endMs)
      ticks.push({ timeMs, label: wallTime.endsWith('T00:00') ? formatDay(wallMs) : wallTime.slice(11) });
  }
  return ticks;
}

const DAY_FORMAT = new Intl.DateTimeFormat('en', { timeZone: 'UTC', day: 'numeric', month: 'short' });

function formatDay(wallMs: number): string {
  return DAY_FORMAT.format(wallMs);
}
