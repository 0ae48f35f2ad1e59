import { describe, expect, it } from 'vitest';
import { lastDueUs, parseSchedule } from './schedule.ts';

/** Hours and weekdays of an expression, in order. */
function read(text: string) {
  const schedule = parseSchedule(text);
  const sorted = (numbers: ReadonlySet<number>) => [...numbers].toSorted((a, b) => a - b);
  return schedule && { hours: sorted(schedule.hours), weekdays: sorted(schedule.weekdays) };
}

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

describe('a schedule', () => {
  it.each([
    ['0 0 * * 0', [0], [0]],
    ['0 3 * * *', [3], EVERY_DAY],
    ['0 */6 * * 1-5', [0, 6, 12, 18], [1, 2, 3, 4, 5]],
    ['0 1-7/3,22 * * SAT,sun', [1, 4, 7, 22], [0, 6]],
    ['0 20/2 * * 5-7', [20, 22], [0, 5, 6]],
    [' 00  9  *  *  mon-wed ', [9], [1, 2, 3]],
  ])('reads %s', (text, hours, weekdays) => {
    expect(read(text)).toEqual({ hours, weekdays });
  });

  it.each([
    '',
    '0 0 * *',
    '0 0 * * * *',
    '5 0 * * *',
    '* 0 * * *',
    '0 0 1 * *',
    '0 0 * 1 *',
    '0 24 * * *',
    '0 5-3 * * *',
    '0 */0 * * *',
    '0 1,, * * *',
    '0 -1 * * *',
    '0 0 * * 8',
    '0 0 * * funday',
    '0 *-3 * * *',
    `0 ${'1,'.repeat(500)}1 * * *`,
  ])('is not %j', (text) => {
    expect(parseSchedule(text)).toBeUndefined();
  });

  it.each([
    ['0 0 * * 0', '2026-11-21T22:33:00Z', '2026-11-15T00:00:00Z'],
    ['0 0 * * 0', '2026-11-22T00:00:00Z', '2026-11-22T00:00:00Z'],
    ['0 3,22 * * *', '2026-11-21T22:33:00Z', '2026-11-21T22:00:00Z'],
    ['0 23 * * 6', '2026-11-21T22:59:59Z', '2026-11-14T23:00:00Z'],
  ])('%s was due last, at %s, at %s', (text, now, due) => {
    const schedule = parseSchedule(text);
    const dueUs = schedule && lastDueUs(schedule, Date.parse(now) * 1000);
    expect(dueUs).toBe(Date.parse(due) * 1000);
  });
});
