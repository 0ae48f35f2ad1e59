import { expect, it } from 'vitest';
import { describeSchedule } from './schedule-text.ts';

it.each([
  ['0 0 * * 0', 'Runs Sundays at 00:00 UTC'],
  ['0 3 * * *', 'Runs daily at 03:00 UTC'],
  ['0 1,13 * * 1-5', 'Runs Mondays to Fridays at 01:00 and 13:00 UTC'],
  ['0 * * * *', 'Runs daily every hour'],
  ['0 2 * * sat,sun', 'Runs Saturdays and Sundays at 02:00 UTC'],
  ['0 8-18 * * *', 'Runs daily at 11 hours from 08:00 to 18:00 UTC'],
  ['5 4 * * *', 'Runs at 5 4 * * *'],
])('says %s as %s', (cron, words) => {
  expect(describeSchedule(cron)).toBe(words);
});
