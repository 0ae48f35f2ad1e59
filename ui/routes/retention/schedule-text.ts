/** When a policy is applied, in words. */
import { parseSchedule } from '#domain/schedule';

/** `Runs Sundays at 00:00 UTC`; `Runs daily every hour`; the expression itself where it is none. */
export function describeSchedule(cron: string): string {
  const schedule = parseSchedule(cron);
  if (schedule === undefined) return `Runs at ${cron}`;
  return `Runs ${describeDays(schedule.weekdays)} ${describeHours(schedule.hours)}`;
}

function describeDays(weekdays: ReadonlySet<number>): string {
  if (weekdays.size === 7) return 'daily';
  if (weekdays.size === 5 && !weekdays.has(0) && !weekdays.has(6)) return 'Mondays to Fridays';
  // A week begins with Monday.
  const days = [1, 2, 3, 4, 5, 6, 0].filter((day) => weekdays.has(day)).map((day) => `${DAYS[day]}s`);
  return join(days);
}

function describeHours(hours: ReadonlySet<number>): string {
  if (hours.size === 24) return 'every hour';
  const sorted = [...hours].toSorted((a, b) => a - b);
  if (sorted.length <= MAX_NAMED) return `at ${join(sorted.map(formatHour))} UTC`;
  return `at ${sorted.length} hours from ${formatHour(sorted[0] ?? 0)} to ${formatHour(sorted.at(-1) ?? 0)} UTC`;
}

/** More would not be read. */
const MAX_NAMED = 4;

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

function formatHour(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

function join(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}
