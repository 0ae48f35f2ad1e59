/** Which texts of a part a term stands in. */
import { PART_SPANS, SPAN_TEXTS } from './text-ids.ts';

/** A set of ascending offsets of texts: those that one span brought are few, and stand together. */
export class OffsetSet {
  readonly #offsets: Int32Array;
  /** By span of the part, where its texts begin. */
  readonly #starts: Int32Array | null;

  constructor(offsets: Int32Array) {
    this.#offsets = offsets;
    this.#starts = offsets.length < FEW ? null : startsOf(offsets);
  }

  has(offset: number): boolean {
    const [offsets, starts] = [this.#offsets, this.#starts];
    const span = Math.floor(offset / SPAN_TEXTS);
    let low = starts === null ? 0 : (starts[span] as number);
    let high = starts === null ? offsets.length : (starts[span + 1] as number);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((offsets[middle] as number) < offset) low = middle + 1;
      else high = middle;
    }
    return offsets[low] === offset;
  }
}

/** Looking through so many is faster than finding out where those of each span begin. */
const FEW = 256;

function startsOf(offsets: Int32Array): Int32Array {
  const starts = new Int32Array(PART_SPANS + 1);
  let at = 0;
  for (let span = 0; span <= PART_SPANS; span++) {
    while (at < offsets.length && (offsets[at] as number) < span * SPAN_TEXTS) at++;
    starts[span] = at;
  }
  return starts;
}
