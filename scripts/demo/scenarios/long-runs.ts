import { MIGRATION_TASK, RENAME_TASK } from '../content/coding-long.ts';
import { CLAUDE_SONNET, GPT_5_MINI } from '../models.ts';
import type { Scenario } from '../scenario.ts';
import { isWeeklyHour } from '../schedule.ts';
import { recordTask } from './coding-agent.ts';

const TUESDAY = 2;
const WEDNESDAY = 3;

/** Once a week the agent works through fifty model calls in one trace, at any scale. */
export const LONG_MIGRATION: Scenario = {
  name: 'long-migration',
  isScaled: false,
  startsIn: (hourMs) => (isWeeklyHour(hourMs, WEDNESDAY, 14) ? 1 : 0),
  record: (random, startTimeMs) => recordTask(random, MIGRATION_TASK, CLAUDE_SONNET, startTimeMs),
};

/** Once a week one trace holds more than forty tool calls, eight at a time. */
export const WIDE_RENAME: Scenario = {
  name: 'wide-rename',
  isScaled: false,
  startsIn: (hourMs) => (isWeeklyHour(hourMs, TUESDAY, 10) ? 1 : 0),
  record: (random, startTimeMs) => recordTask(random, RENAME_TASK, GPT_5_MINI, startTimeMs),
};
