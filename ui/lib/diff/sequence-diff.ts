/** What two sequences have in common, in order. Elements are numbers; other things are numbered first. */

/** Elements that are equal on both sides, one after the other. */
export interface EqualRun {
  /** Where it starts on each side. */
  readonly left: number;
  readonly right: number;
  readonly length: number;
}

/**
 * The longest common subsequence, by the algorithm of Myers: in the sum of the lengths times the number of differences.
 * @param maxEdits differences at most; undefined where there are more, for then it takes too long
 * @see https://doi.org/10.1007/BF01840446
 */
export function findEqualRuns(
  left: ArrayLike<number>,
  right: ArrayLike<number>,
  maxEdits: number,
): readonly EqualRun[] | undefined {
  const start = countEqual(left, right, 0, 1);
  const rest = Math.min(left.length, right.length) - start;
  const end = Math.min(countEqual(left, right, 0, -1), rest);
  const middle = walk(left, right, start, end, maxEdits);
  if (middle === undefined) return undefined;
  const runs: EqualRun[] = [];
  add(runs, 0, 0, start);
  for (const run of middle) add(runs, run.left, run.right, run.length);
  add(runs, left.length - end, right.length - end, end);
  return runs;
}

/** As many elements are equal from the start on, or from the end back. */
function countEqual(left: ArrayLike<number>, right: ArrayLike<number>, from: number, step: 1 | -1): number {
  const most = Math.min(left.length, right.length);
  let count = from;
  while (count < most) {
    const [one, other] = step === 1 ? [count, count] : [left.length - 1 - count, right.length - 1 - count];
    if (left[one] !== right[other]) break;
    count++;
  }
  return count;
}

/** The runs between what is equal at the start and at the end. */
function walk(
  left: ArrayLike<number>,
  right: ArrayLike<number>,
  start: number,
  end: number,
  maxEdits: number,
): EqualRun[] | undefined {
  const leftCount = left.length - start - end;
  const rightCount = right.length - start - end;
  if (leftCount === 0 || rightCount === 0) return [];
  const most = Math.min(maxEdits, leftCount + rightCount);
  const middle = most + 1;
  // How far each diagonal reaches on the left.
  const reach = new Int32Array(2 * most + 3);
  const history: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    history.push(reach.slice(middle - edits - 1, middle + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const below = reach[middle + diagonal + 1] ?? 0;
      const above = reach[middle + diagonal - 1] ?? 0;
      let x = diagonal === -edits || (diagonal !== edits && above < below) ? below : above + 1;
      while (x < leftCount && x - diagonal < rightCount && left[start + x] === right[start + x - diagonal]) x++;
      reach[middle + diagonal] = x;
      if (x >= leftCount && x - diagonal >= rightCount) return trace(history, leftCount, rightCount, start);
    }
  }
  return undefined;
}

/** The way back from the end. */
function trace(history: readonly Int32Array[], leftCount: number, rightCount: number, start: number): EqualRun[] {
  const runs: EqualRun[] = [];
  let x = leftCount;
  let y = rightCount;
  for (let edits = history.length - 1; edits >= 0; edits--) {
    const reach = history[edits] ?? new Int32Array();
    const at = (diagonal: number) => reach[diagonal + edits + 1] ?? 0;
    const diagonal = x - y;
    const isDown = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
    const before = isDown ? diagonal + 1 : diagonal - 1;
    const beforeX = edits === 0 ? 0 : at(before);
    const beforeY = edits === 0 ? 0 : beforeX - before;
    const length = Math.min(x - beforeX, y - beforeY);
    if (length > 0) runs.push({ left: start + x - length, right: start + y - length, length });
    x = beforeX;
    y = beforeY;
  }
  return runs.reverse();
}

/** Runs that touch are one. */
function add(runs: EqualRun[], left: number, right: number, length: number): void {
  if (length === 0) return;
  const last = runs.at(-1);
  if (last !== undefined && last.left + last.length === left && last.right + last.length === right) {
    runs[runs.length - 1] = { ...last, length: last.length + length };
  } else {
    runs.push({ left, right, length });
  }
}

/** Numbers for texts, the same for equal ones. */
export class Numbering {
  readonly #numbers = new Map<string, number>();

  of(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }
}

/** Places of a longest rising subsequence. */
export function longestRise(values: readonly number[]): readonly number[] {
  const ends: number[] = [];
  const before = new Int32Array(values.length).fill(-1);
  for (const [place, value] of values.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((values[ends[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    before[place] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = place;
  }
  const rise: number[] = [];
  for (let place = ends.at(-1) ?? -1; place >= 0; place = before[place] ?? -1) rise.push(place);
  return rise.reverse();
}
