import { orInLongRun } from './long-run.ts';

/** Which engine tests of the store run for. */
export const TEST_ENGINE = process.env['CAIRN_TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite';

/** How often a property is tried: a statement that goes to a server and back takes ten times as long as one in memory. */
export function runsOf(count: number): number {
  return TEST_ENGINE === 'postgres' ? Math.ceil(count / orInLongRun(10, 5)) : count;
}
