/** Choices that come out the same for the same seed. */
import { randomNumbers } from '../durability/random.ts';

/** A whole number from 0 to below the bound. */
export type Random = (below: number) => number;

/** The choices of one case: the seed of the run, the target and the number of the case decide them. */
export function randomOfCase(seed: number, target: string, index: number): Random {
  let mixed = seed | 0;
  for (const char of `${target} ${index}`) mixed = Math.imul(mixed ^ char.charCodeAt(0), 0x01000193);
  const random = randomNumbers(mixed >>> 0);
  // The generator's first numbers still show how near two seeds are.
  for (let warmUp = 0; warmUp < 4; warmUp++) random(2);
  return random;
}

/** One of them. */
export function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[random(choices.length)] as T;
}
