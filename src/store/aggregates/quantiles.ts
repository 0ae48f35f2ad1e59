/** Exact quantiles of many numbers, without sorting all of them. */

/**
 * The values that the shares of the others do not exceed, interpolated between the two nearest as `percentile_cont` of
 * standard SQL is; NaN without values. Puts the values into another order.
 * @param probabilities from 0, the least, to 1, the greatest
 */
export function quantilesOf(values: Float64Array, probabilities: readonly number[]): readonly number[] {
  const places = probabilities.map((probability) => probability * (values.length - 1));
  const ranks = places.flatMap((place) => [Math.floor(place), Math.ceil(place)]).sort(ascending);
  selectRanks(values, ranks, { low: 0, high: values.length - 1, rounds: 2 * Math.log2(values.length + 1) });
  return places.map((place) => {
    const [below, above] = [values[Math.floor(place)], values[Math.ceil(place)]];
    return below === undefined || above === undefined ? Number.NaN : below + (above - below) * (place % 1);
  });
}

/** Sorting so many by insertion takes less time than parting them again. */
const SORTED_AT_ONCE = 16;

/** A stretch of values, both ends inclusive. */
interface Stretch {
  readonly low: number;
  readonly high: number;
  /** How often it may be parted; values that need more, chosen by whoever sent them, are sorted. */
  readonly rounds: number;
}

/** Puts the values of these ranks, ascending, where sorting would put them: Hoare's selection, of all ranks at once. */
function selectRanks(values: Float64Array, ranks: readonly number[], { low, high, rounds }: Stretch): void {
  if (low >= high || !ranks.some((rank) => rank >= low && rank <= high)) return;
  if (high - low < SORTED_AT_ONCE) return insertionSort(values, low, high);
  if (rounds < 0) return void values.subarray(low, high + 1).sort();
  const { left, right } = part(values, low, high);
  selectRanks(values, ranks, { low, high: right, rounds: rounds - 1 });
  selectRanks(values, ranks, { low: left, high, rounds: rounds - 1 });
}

function insertionSort(values: Float64Array, low: number, high: number): void {
  for (let place = low + 1; place <= high; place++) {
    const value = values[place] ?? 0;
    let before = place - 1;
    while (before >= low && (values[before] ?? 0) > value) {
      values[before + 1] = values[before] ?? 0;
      before--;
    }
    values[before + 1] = value;
  }
}

/** Parts a stretch into those that are not greater than any that comes after, up to `right`, and from `left` on. */
function part(values: Float64Array, low: number, high: number): { readonly left: number; readonly right: number } {
  const pivot = medianOf(values[low] ?? 0, values[(low + high) >>> 1] ?? 0, values[high] ?? 0);
  let [left, right] = [low, high];
  while (left <= right) {
    while ((values[left] ?? pivot) < pivot) left++;
    while ((values[right] ?? pivot) > pivot) right--;
    if (left > right) break;
    const value = values[left] ?? 0;
    values[left++] = values[right] ?? 0;
    values[right--] = value;
  }
  return { left, right };
}

function medianOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function ascending(a: number, b: number): number {
  return a - b;
}
