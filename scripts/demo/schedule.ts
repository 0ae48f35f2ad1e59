import type { FaultOdds } from './generation.ts';

const HOUR_MS = 3_600_000;

/** How the load of a service goes over a day (UTC) and a week. */
export interface LoadCurve {
  /** What starts in an hour at any time of the day. */
  readonly base: number;
  readonly peaks: readonly { readonly hour: number; readonly height: number; readonly widthHours: number }[];
  readonly weekendFactor: number;
}

/** How much starts, on average, in the hour that begins at the given time. */
export function expectedStarts(curve: LoadCurve, hourMs: number): number {
  const date = new Date(hourMs);
  let load = curve.base;
  for (const { hour, height, widthHours } of curve.peaks) {
    const distance = Math.abs(date.getUTCHours() - hour);
    const wrapped = Math.min(distance, 24 - distance);
    load += height * Math.exp(-0.5 * (wrapped / widthHours) ** 2);
  }
  return isWeekend(date) ? load * curve.weekendFactor : load;
}

/** Whether the hour is the one of its week in which something rare is shown; 0 is Sunday. */
export function isWeeklyHour(hourMs: number, weekday: number, hour: number): boolean {
  const date = new Date(hourMs);
  return date.getUTCDay() === weekday && date.getUTCHours() === hour;
}

/** How reliable model providers are: on Thursdays from 13:00 to 15:00 UTC they have a bad time. */
export function faultOddsAt(timeMs: number): FaultOdds {
  const date = new Date(timeMs);
  const isIncident = date.getUTCDay() === 4 && date.getUTCHours() >= 13 && date.getUTCHours() < 15;
  return isIncident ? { rateLimit: 0.3, timeout: 0.06 } : { rateLimit: 0.01, timeout: 0.003 };
}

/** The hours of the period, each by the time it begins. */
export function listHours(startMs: number, endMs: number): number[] {
  const hours: number[] = [];
  for (let hourMs = floorToHour(startMs); hourMs < endMs; hourMs += HOUR_MS) hours.push(hourMs);
  return hours;
}

export function floorToHour(timeMs: number): number {
  return Math.floor(timeMs / HOUR_MS) * HOUR_MS;
}

function isWeekend(date: Date): boolean {
  return date.getUTCDay() === 0 || date.getUTCDay() === 6;
}
