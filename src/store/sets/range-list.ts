/** Ranges of row ids that do not overlap. */

/** Row ids from one, inclusive, to another, exclusive. */
export interface RowIdRange {
  readonly from: number;
  readonly end: number;
}

/** Grows by ranges, and joins those that meet. */
export class RangeList {
  /** Ascending; none meets the next. */
  #ranges: readonly RowIdRange[] = [];

  add(range: RowIdRange): void {
    let { from, end } = range;
    const others = this.#ranges.filter((other) => {
      if (other.end < from || other.from > end) return true;
      from = Math.min(from, other.from);
      end = Math.max(end, other.end);
      return false;
    });
    this.#ranges = [...others, { from, end }].sort((a, b) => a.from - b.from);
  }

  /** Whether all of the range is in the list. */
  holds(range: RowIdRange): boolean {
    return this.gapIn(range) === null;
  }

  /** The first part of the range that is not in the list; `null` where there is none. */
  gapIn({ from, end }: RowIdRange): RowIdRange | null {
    let start = from;
    for (const range of this.#ranges) {
      if (range.end <= start) continue;
      if (range.from > start) return start < end ? { from: start, end: Math.min(end, range.from) } : null;
      start = range.end;
    }
    return start < end ? { from: start, end } : null;
  }

  /** Where the range before a gap ends, and the one after it begins. */
  around(gap: RowIdRange): { readonly below: number; readonly above: number } {
    const below = this.#ranges.findLast((range) => range.end <= gap.from)?.end ?? 0;
    const above = this.#ranges.find((range) => range.from >= gap.end)?.from ?? Infinity;
    return { below, above };
  }
}
