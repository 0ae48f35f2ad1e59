/** Texts of a part, by their offsets. */
import { PART_SPANS, SPAN_TEXTS } from './text-ids.ts';

/** A set of ascending offsets of texts. One span brings few texts, and their offsets follow each other. */
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

/** A search through fewer offsets takes less time than noting where each span begins. */
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
