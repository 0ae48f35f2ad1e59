import { orInLongRun } from './long-run.ts';

/** Which engine tests of the store run for. */
export const TEST_ENGINE = process.env['CAIRN_TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite';

/** How often a property is tried: a statement that goes to a server and back takes ten times as long as one in memory. */
export function runsOf(count: number): number {
  return Math.ceil(count / (TEST_ENGINE === 'postgres' ? orInLongRun(10, 5) : orInLongRun(2, 1)));
}

/** The seeds of histories that take seconds each: the first in a usual run on a server, all of them otherwise. */
export function seedsOf(seeds: readonly number[]): readonly number[] {
  return TEST_ENGINE === 'postgres' ? orInLongRun(seeds.slice(0, 1), seeds) : seeds;
}
