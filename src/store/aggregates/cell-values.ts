/** Numbers kept by the cell of a table that they are of, for what only all of them tell. */
import { quantilesOf } from './quantiles.ts';

/** Rows of a batch, and the cell of each. */
export interface CellRows {
  readonly count: number;
  /** Places in the batch. */
  readonly rows: Uint16Array;
  readonly cells: Uint32Array;
}

/** A list that grows. Twelve bytes a number. */
export class CellValues {
  #cells = new Uint32Array(1024);
  #values = new Float64Array(1024);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Adds the values of rows, those that are not missing. */
  addRows(values: Float64Array, { rows, cells, count }: CellRows): void {
    this.#reserve(count);
    const [ownCells, ownValues] = [this.#cells, this.#values];
    let end = this.#count;
    for (let index = 0; index < count; index++) {
      const value = values[rows[index] ?? 0] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      ownCells[end] = cells[index] ?? 0;
      ownValues[end++] = value;
    }
    this.#count = end;
  }

  /** Adds a number. */
  add(cell: number, value: number): void {
    this.#reserve(1);
    this.#cells[this.#count] = cell;
    this.#values[this.#count++] = value;
  }

  #reserve(more: number): void {
    if (this.#count + more <= this.#values.length) return;
    const size = Math.max(this.#values.length * 2, this.#count + more);
    // `transfer` extends the memory in place if it can, and otherwise frees the old memory at once.
    this.#cells = new Uint32Array(this.#cells.buffer.transfer(size * Uint32Array.BYTES_PER_ELEMENT));
    this.#values = new Float64Array(this.#values.buffer.transfer(size * Float64Array.BYTES_PER_ELEMENT));
  }

  /** The quantiles of each cell; NaN where it has no numbers. For each probability, by cell. Frees the numbers: the object cannot be used afterwards. */
  quantiles(cellCount: number, probabilities: readonly number[]): readonly Float64Array[] {
    const answers = probabilities.map(() => new Float64Array(cellCount));
    const { starts, values } = this.#gather(cellCount);
    for (let cell = 0; cell < cellCount; cell++) {
      const ofCell = values.subarray(starts[cell], starts[cell + 1]);
      for (const [place, value] of quantilesOf(ofCell, probabilities).entries()) {
        const answer = answers[place];
        if (answer !== undefined) answer[cell] = value;
      }
    }
    values.buffer.transfer(0);
    return answers;
  }

  /** The numbers of each cell together, from its start to that of the next. */
  #gather(cellCount: number): { readonly starts: Uint32Array; readonly values: Float64Array<ArrayBuffer> } {
    const starts = new Uint32Array(cellCount + 1);
    for (let index = 0; index < this.#count; index++) bump(starts, (this.#cells[index] ?? 0) + 1, 1);
    for (let cell = 0; cell < cellCount; cell++) bump(starts, cell + 1, starts[cell] ?? 0);
    const next = starts.slice();
    const values = new Float64Array(this.#count);
    for (let index = 0; index < this.#count; index++) {
      const cell = this.#cells[index] ?? 0;
      values[next[cell] ?? 0] = this.#values[index] ?? 0;
      bump(next, cell, 1);
    }
    this.#cells.buffer.transfer(0);
    this.#values.buffer.transfer(0);
    return { starts, values };
  }
}

function bump(counts: Uint32Array, place: number, by: number): void {
  counts[place] = (counts[place] ?? 0) + by;
}
