/** Chance that is the same each time: whether a row is in a share of what a queue is offered depends on the two alone. */

/** Whether a row belongs to a share of the rows that a queue is offered. A larger share holds all of a smaller one. */
export function isSampled(queueRowId: number, rowId: number, percent: number): boolean {
  return (rankInSample(queueRowId, rowId) / RANKS) * 100 < percent;
}

/** The place of a row among all that could be: those with the lowest are taken first. No two rows have the same. Row ids are below 2^52. */
export function rankInSample(queueRowId: number, rowId: number): number {
  // A Feistel network: each round mixes one half into the other, which keeps different numbers different.
  let left = Math.floor(rowId / HALF) % HALF;
  let right = rowId % HALF;
  for (let round = 1; round <= ROUNDS; round++) {
    const mixed = (left ^ mix(right, queueRowId, round)) & (HALF - 1);
    left = right;
    right = mixed;
  }
  return left * HALF + right;
}

/** Half of the bits of a row id. */
const HALF = 2 ** 26;
const RANKS = HALF * HALF;

/** Fewer leave a pattern in row ids that follow each other. */
const ROUNDS = 4;

/** The finalizer of MurmurHash3, over three numbers. */
function mix(half: number, queueRowId: number, round: number): number {
  let hash = Math.imul(half, 0x9e3779b1) ^ Math.imul(queueRowId + round * 0x27d4eb2f, 0x85ebca77);
  hash ^= Math.floor(queueRowId / 2 ** 32);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
