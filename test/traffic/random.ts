/** Repeatable chance for tests and benchmarks: the same seed makes the same sequence. */

/** Whole numbers of 32 bits: the generator mulberry32. */
export function randomWords(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** Whole numbers from 0 to below a bound; 0 where the bound is 0. Seeds that are near each other make sequences that are not. */
export function randomNumbers(seed: number): (below: number) => number {
  const next = randomWords(Math.imul(seed, 0x9e3779b1));
  return (below) => next() % Math.max(below, 1);
}

/** A number of 32 bits that depends on nothing but the two: what is drawn before it changes nothing. */
export function hashNumbers(index: number, salt: number): number {
  let mixed = Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(salt + 7, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
