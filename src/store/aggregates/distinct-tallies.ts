/** How many different traces, sessions and users there are in each cell. */
import type { SpanBatch, TextColumn } from '../columns/batch.ts';
import type { CellRows } from './cell-values.ts';
import { NumberSet } from '#base/number-set';
import type { Tally } from './tallies.ts';

/** How many different numbers each cell has. */
class DistinctCounter {
  readonly counts: Float64Array;
  readonly #seen = new NumberSet();
  #last = -1;

  constructor(cellCount: number) {
    this.counts = new Float64Array(cellCount);
  }

  get heldCount(): number {
    return this.#seen.size;
  }

  add(cell: number, number: number): void {
    const member = number * this.counts.length + cell;
    // Spans of one trace, session or user come together.
    if (member === this.#last) return;
    this.#last = member;
    if (this.#seen.add(member)) this.counts[cell] = (this.counts[cell] ?? 0) + 1;
  }
}

/** Different traces. */
export class DistinctTraces implements Tally {
  readonly columns = ['trace_row_id'] as const;
  readonly #counter: DistinctCounter;

  constructor(cellCount: number) {
    this.#counter = new DistinctCounter(cellCount);
  }

  get heldCount(): number {
    return this.#counter.heldCount;
  }

  add(batch: SpanBatch, { count, rows, cells }: CellRows): void {
    const traces = batch.numbers('trace_row_id');
    for (let index = 0; index < count; index++) this.#counter.add(cells[index] ?? 0, traces[rows[index] ?? 0] ?? 0);
  }

  read(): Float64Array {
    return this.#counter.counts;
  }
}

/** Different texts of a column. */
export class DistinctTexts implements Tally {
  readonly columns: readonly TextColumn[];
  readonly #column: TextColumn;
  readonly #numbers = new Map<string, number>();
  readonly #counter: DistinctCounter;

  constructor(cellCount: number, column: TextColumn) {
    this.#column = column;
    this.columns = [column];
    this.#counter = new DistinctCounter(cellCount);
  }

  get heldCount(): number {
    return this.#counter.heldCount;
  }

  add(batch: SpanBatch, { count, rows, cells }: CellRows): void {
    const { codes, values } = batch.texts(this.#column);
    /** By code; −1 for what has no number yet. */
    const numbers = new Float64Array(values.length).fill(-1);
    for (let index = 0; index < count; index++) {
      const code = codes[rows[index] ?? 0] ?? 0;
      if (code === 0) continue;
      if (numbers[code] === -1) numbers[code] = this.#numberOf(values[code] ?? '');
      this.#counter.add(cells[index] ?? 0, numbers[code] ?? 0);
    }
  }

  read(): Float64Array {
    return this.#counter.counts;
  }

  #numberOf(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(text, number);
    }
    return number;
  }
}
