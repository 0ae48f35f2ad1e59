/** Days and months of a calendar, as texts: `2026-11-20`, `2026-11`. No time zone touches them. */

const DAY_MS = 86_400_000;

/** The weeks of a month, Monday first; days of other months are null. */
export function weeksOf(month: string): readonly (readonly (string | null)[])[] {
  const first = `${month}-01`;
  const lead = (new Date(Date.parse(first)).getUTCDay() + 6) % 7;
  const count = daysIn(month);
  const weeks: (string | null)[][] = [];
  for (let at = -lead; at < count; at += 7) {
    weeks.push(
      Array.from({ length: 7 }, (_, weekday) => {
        const day = at + weekday;
        return day >= 0 && day < count ? addDays(first, day) : null;
      }),
    );
  }
  return weeks;
}

/** The day so many days later. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The same day so many months later, or the last one of that month. */
export function addMonths(day: string, months: number): string {
  const month = monthAfter(day.slice(0, 7), months);
  return `${month}-${String(Math.min(Number(day.slice(8)), daysIn(month))).padStart(2, '0')}`;
}

/** The month so many months later. */
export function monthAfter(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** The day that a key leads to from another; undefined where the key means nothing. */
export function dayAfterKey(day: string, key: string, isShift: boolean): string | undefined {
  const weekday = (new Date(Date.parse(day)).getUTCDay() + 6) % 7;
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1);
    case 'ArrowRight':
      return addDays(day, 1);
    case 'ArrowUp':
      return addDays(day, -7);
    case 'ArrowDown':
      return addDays(day, 7);
    case 'Home':
      return addDays(day, -weekday);
    case 'End':
      return addDays(day, 6 - weekday);
    case 'PageUp':
      return addMonths(day, isShift ? -12 : -1);
    case 'PageDown':
      return addMonths(day, isShift ? 12 : 1);
    default:
      return undefined;
  }
}

function daysIn(month: string): number {
  return Math.round((Date.parse(`${monthAfter(month, 1)}-01`) - Date.parse(`${month}-01`)) / DAY_MS);
}
