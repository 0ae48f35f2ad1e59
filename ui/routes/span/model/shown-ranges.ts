/** Which items of a long list are shown: ranges in their order with gaps between them. */

/** From an index up to, but not with, another. */
export interface ShownRange {
  readonly start: number;
  readonly end: number;
}

/** How a list begins to them who have not asked for more of it: how it came about, and where it ended. */
export interface FirstLook {
  readonly head: number;
  readonly tail: number;
}

/** A gap of fewer is not worth a button. */
const LEAST_GAP = 10;

/** The ranges of a list that nobody has opened further. */
export function firstRanges(count: number, { head, tail }: FirstLook): readonly ShownRange[] {
  return join([
    { start: 0, end: Math.min(head, count) },
    { start: Math.max(count - tail, 0), end: count },
  ]);
}

/** The ranges with `step` more items at one side of the gap behind the range with that place. */
export function extendInto(
  ranges: readonly ShownRange[],
  place: number,
  side: 'start' | 'end',
  step: number,
): readonly ShownRange[] {
  const before = ranges[place];
  const behind = ranges[place + 1];
  if (before === undefined || behind === undefined) return ranges;
  const more =
    side === 'start'
      ? { start: before.end, end: Math.min(before.end + step, behind.start) }
      : { start: Math.max(behind.start - step, before.end), end: behind.start };
  return join([...ranges, more]);
}

/** The ranges with an item and some around it. */
export function reveal(
  ranges: readonly ShownRange[],
  index: number,
  around: number,
  count: number,
): readonly ShownRange[] {
  if (ranges.some(({ start, end }) => start <= index && index < end)) return ranges;
  return join([...ranges, { start: Math.max(index - around, 0), end: Math.min(index + around + 1, count) }]);
}

function join(ranges: readonly ShownRange[]): readonly ShownRange[] {
  const joined: ShownRange[] = [];
  for (const range of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    if (last !== undefined && range.start - last.end < LEAST_GAP) {
      joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    } else joined.push(range);
  }
  return joined;
}
