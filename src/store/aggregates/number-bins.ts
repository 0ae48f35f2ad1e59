/** Histograms of numbers of any size, in one pass: the edges are round numbers, 1, 2, 3 … 9, 10, 20 and so on. */

/** Numbers from an edge up to the next one. */
export interface NumberBin {
  /** Inclusive. */
  readonly from: number;
  /** Exclusive, but for a bin of zeroes, which is from 0 to 0. */
  readonly to: number;
  readonly count: number;
}

/** Counts numbers by their sign, magnitude and first digit. */
export class NumberHistogram {
  count = 0;
  min = Number.POSITIVE_INFINITY;
  max = Number.NEGATIVE_INFINITY;
  /** By place: negative numbers, zero in the middle, positive ones. */
  readonly #counts = new Float64Array(2 * PLACES + 1);

  /** Takes a finite number. */
  add(value: number, times = 1): void {
    this.count += times;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
    const place = PLACES + Math.sign(value) * placeOf(Math.abs(value));
    this.#counts[place] = (this.#counts[place] ?? 0) + times;
  }

  /** From the bin of the least number to that of the greatest, those between without any too; few where there are very many. */
  bins(): readonly NumberBin[] {
    const first = this.#counts.findIndex((count) => count > 0);
    const last = this.#counts.findLastIndex((count) => count > 0);
    if (first === -1) return [];
    const isCoarse = last - first >= MAX_FINE_BINS;
    const bins: NumberBin[] = [];
    for (let place = first; place <= last; place++) {
      const count = this.#counts[place] ?? 0;
      const { from, to } = edgesOf(place - PLACES, isCoarse);
      const before = bins.at(-1);
      if (before?.from === from) bins[bins.length - 1] = { from, to, count: before.count + count };
      else bins.push({ from, to, count });
    }
    return bins;
  }
}

/** Beyond so many, bins of three a magnitude. */
const MAX_FINE_BINS = 36;

/** Magnitudes of numbers; what is smaller or larger is counted with the smallest or largest. */
const LEAST_POWER = -9;
const GREATEST_POWER = 17;
const PLACES = 9 * (GREATEST_POWER - LEAST_POWER + 1);

/** `10 ** power`, which is not exact for powers below zero. */
const POWERS: readonly number[] = Array.from({ length: GREATEST_POWER - LEAST_POWER + 2 }, (_, index) =>
  Number(`1e${LEAST_POWER + index}`),
);

/** The lower edges from 1e-9 on, for place 1, 2 and so on. */
const EDGES: readonly number[] = Array.from({ length: PLACES + 1 }, (_, index) =>
  Number(`${(index % 9) + 1}e${LEAST_POWER + Math.floor(index / 9)}`),
);

/** From 1 for the smallest; 0 for zero. */
function placeOf(size: number): number {
  if (size === 0) return 0;
  if (size < (POWERS[0] ?? 0)) return 1;
  const guess = Math.min(Math.floor(Math.log10(size)), GREATEST_POWER);
  // Logarithms are not exact: the digit of a power of ten can come out as that of the one below.
  const power = size >= powerOf(guess + 1) ? guess + 1 : size < powerOf(guess) ? guess - 1 : guess;
  if (power > GREATEST_POWER) return PLACES;
  const place = (power - LEAST_POWER) * 9;
  let digit = Math.min(Math.max(Math.floor(size / powerOf(power)), 1), 9);
  if (size < (EDGES[place + digit - 1] ?? 0)) digit--;
  else if (digit < 9 && size >= (EDGES[place + digit] ?? 0)) digit++;
  return place + digit;
}

function powerOf(power: number): number {
  return POWERS[power - LEAST_POWER] ?? Number.POSITIVE_INFINITY;
}

/** A place counted from zero, as {@link placeOf} does, below zero for negative numbers. */
function edgesOf(place: number, isCoarse: boolean): { readonly from: number; readonly to: number } {
  if (place === 0) return { from: 0, to: 0 };
  const digit = (Math.abs(place) - 1) % 9;
  const base = Math.abs(place) - 1 - digit;
  const [low, high] = isCoarse ? (COARSE[digit] ?? [digit, digit + 1]) : [digit, digit + 1];
  const [from, to] = [EDGES[base + low] ?? 0, EDGES[base + high] ?? 0];
  return place > 0 ? { from, to } : { from: -to, to: -from };
}

/** By first digit less one: the edges 1, 2, 5 and 10 around it. */
const COARSE: readonly (readonly [number, number])[] = [
  [0, 1],
  [1, 4],
  [1, 4],
  [1, 4],
  [4, 9],
  [4, 9],
  [4, 9],
  [4, 9],
  [4, 9],
];
