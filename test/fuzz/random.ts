/** Choices that come out the same for the same seed. */
import { randomNumbers } from '../traffic/random.ts';

/** A whole number from 0 to below the bound. */
export type Random = (below: number) => number;

/** The choices of one case: the seed of the run, the target and the number of the case decide them. */
export function randomOfCase(seed: number, target: string, index: number): Random {
  let mixed = seed | 0;
  for (const char of `${target} ${index}`) mixed = Math.imul(mixed ^ char.charCodeAt(0), 0x01000193);
  return randomNumbers(mixed);
}

/** One of them. */
export function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[random(choices.length)] as T;
}
