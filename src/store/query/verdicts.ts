/** What a filter says of each row of a batch, in three-valued logic. */

/** The row does not match. */
export const NO = 0;

/** The row matches. */
export const YES = 1;

/** Only the original, or another table, tells. */
export const UNCERTAIN = 2;

/** By row, one of {@link NO}, {@link YES} and {@link UNCERTAIN}. */
export type Verdicts = Uint8Array;

/** The same for every row. */
export function verdictsOf(rowCount: number, verdict: typeof NO | typeof YES | typeof UNCERTAIN): Verdicts {
  const verdicts = new Uint8Array(rowCount);
  return verdict === NO ? verdicts : verdicts.fill(verdict);
}

/** Narrows the first by the second, in place. */
export function narrow(verdicts: Verdicts, by: Verdicts): void {
  for (let row = 0; row < verdicts.length; row++) verdicts[row] = AND[(verdicts[row] ?? 0) * 3 + (by[row] ?? 0)] ?? NO;
}

/** Widens the first by the second, in place. */
export function widen(verdicts: Verdicts, by: Verdicts): void {
  for (let row = 0; row < verdicts.length; row++) verdicts[row] = OR[(verdicts[row] ?? 0) * 3 + (by[row] ?? 0)] ?? NO;
}

/** Whether every row has the verdict. */
export function areAll(verdicts: Verdicts, verdict: number): boolean {
  for (let row = 0; row < verdicts.length; row++) if (verdicts[row] !== verdict) return false;
  return true;
}

const AND = Uint8Array.of(NO, NO, NO, NO, YES, UNCERTAIN, NO, UNCERTAIN, UNCERTAIN);
const OR = Uint8Array.of(NO, YES, UNCERTAIN, YES, YES, YES, UNCERTAIN, YES, UNCERTAIN);
