/** From one number on, below the other; empty where the second is no larger. */
export type Stretch = readonly [from: number, below: number];

/** A stretch in whole units, and what is left of it. */
export interface CutStretch {
  /** Of numbers of units. */
  readonly whole: Stretch;
  /** Before and after them, in the numbers of the stretch. */
  readonly rests: readonly [Stretch, Stretch];
}

/** Cuts a stretch where a unit begins. */
export function cutStretch([from, below]: Stretch, unit: number): CutStretch {
  const [first, last] = [Math.ceil(from / unit), Math.floor(below / unit)];
  if (first < last) return { whole: [first, last], rests: [[from, first * unit], [last * unit, below]] }; // biome-ignore format: pairs
  return { whole: [first, first], rests: [[from, below], [below, below]] }; // biome-ignore format: pairs
}
