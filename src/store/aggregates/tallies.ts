/** Counts and sums of cells, to which the rows of batches are added. */
import type { NumberColumn, SpanBatch, TextColumn } from '../columns/batch.ts';
import { toStatusColumn } from '../spans/rows/columns.ts';
import { SPAN_STATUS_CODES } from '#domain/span';
import { type CellRows, CellValues } from './cell-values.ts';
import type { Measure } from './port.ts';

/** What several measures may be read from. */
export interface Tally {
  readonly columns: readonly (NumberColumn | TextColumn)[];
  /** Numbers that are held. */
  readonly heldCount?: number;
  add(batch: SpanBatch, at: CellRows): void;
  read(measure: Measure): Float64Array;
}

/** Spans by their status. */
export class StatusTally implements Tally {
  readonly columns = ['status'] as const;
  /** By cell and status. */
  readonly #counts: Float64Array;

  constructor(cellCount: number) {
    this.#counts = new Float64Array(cellCount * SPAN_STATUS_CODES.length);
  }

  add(batch: SpanBatch, { count, rows, cells }: CellRows): void {
    const statuses = batch.numbers('status');
    const counts = this.#counts;
    for (let index = 0; index < count; index++) {
      const place = (cells[index] ?? 0) * STATUS_COUNT + (statuses[rows[index] ?? 0] ?? 0);
      counts[place] = (counts[place] ?? 0) + 1;
    }
  }

  read(measure: Measure): Float64Array {
    const of = (cell: number, status: number) => this.#counts[cell * STATUS_COUNT + status] ?? 0;
    const all = (cell: number) => STATUSES.reduce((sum, status) => sum + of(cell, status), 0);
    const valueOf =
      measure.kind === 'count' && measure.status !== null
        ? (cell: number) => of(cell, toStatusColumn(measure.status ?? 'UNSET'))
        : measure.kind === 'error_rate'
          ? (cell: number) => of(cell, toStatusColumn('ERROR')) / all(cell)
          : all;
    return Float64Array.from({ length: this.#counts.length / STATUS_COUNT }, (_, cell) => valueOf(cell));
  }
}

const STATUS_COUNT = SPAN_STATUS_CODES.length;
const STATUSES = SPAN_STATUS_CODES.map(toStatusColumn);

/** A sum of columns that are never missing. */
export class SumTally implements Tally {
  readonly columns: readonly NumberColumn[];
  readonly #unit: number;
  readonly #sums: Float64Array;

  /** @param unit what sums are divided by in the end: whole numbers add up exactly */
  constructor(cellCount: number, columns: readonly NumberColumn[], unit = 1) {
    this.columns = columns;
    this.#unit = unit;
    this.#sums = new Float64Array(cellCount);
  }

  add(batch: SpanBatch, { count, rows, cells }: CellRows): void {
    const sums = this.#sums;
    for (const column of this.columns) {
      const values = batch.numbers(column);
      for (let index = 0; index < count; index++) {
        const cell = cells[index] ?? 0;
        sums[cell] = (sums[cell] ?? 0) + (values[rows[index] ?? 0] ?? 0);
      }
    }
  }

  read(): Float64Array {
    return this.#sums.map((sum) => sum / this.#unit);
  }
}

/** The first start, or the last. */
export class StartTally implements Tally {
  readonly columns = ['start_us'] as const;
  readonly #isLast: boolean;
  readonly #found: Float64Array;

  constructor(cellCount: number, isLast: boolean) {
    this.#isLast = isLast;
    this.#found = new Float64Array(cellCount).fill(Number.NaN);
  }

  add(batch: SpanBatch, { count, rows, cells }: CellRows): void {
    const starts = batch.numbers('start_us');
    for (let index = 0; index < count; index++) {
      noteStart(this.#found, cells[index] ?? 0, starts[rows[index] ?? 0] ?? 0, this.#isLast);
    }
  }

  read(): Float64Array {
    return this.#found;
  }
}

/** Keeps of the starts of a cell the first, or the last. */
export function noteStart(found: Float64Array, cell: number, start: number, isLast: boolean): void {
  const known = found[cell] ?? Number.NaN;
  // Nothing is before or after nothing.
  if (!(isLast ? known >= start : known <= start)) found[cell] = start;
}

/** A sum of what spans claim, of those whose claims count. */
export class ClaimTally implements Tally {
  readonly columns: readonly NumberColumn[];
  readonly #column: NumberColumn;
  readonly #read: (claim: number) => number;
  readonly #unit: number;
  readonly #sums: Float64Array;

  /**
   * @param read how much of a claim is believed
   * @param unit as of {@link SumTally}
   */
  constructor(cellCount: number, column: NumberColumn, read: (claim: number) => number, unit = 1) {
    this.#column = column;
    this.#read = read;
    this.#unit = unit;
    this.columns = [column, 'counted_prompt_tokens', 'counted_completion_tokens'];
    this.#sums = new Float64Array(cellCount);
  }

  add(batch: SpanBatch, { count, rows, cells }: CellRows): void {
    const claims = batch.numbers(this.#column);
    const [prompt, completion] = [batch.numbers('counted_prompt_tokens'), batch.numbers('counted_completion_tokens')];
    const sums = this.#sums;
    for (let index = 0; index < count; index++) {
      const row = rows[index] ?? 0;
      const claim = claims[row] ?? Number.NaN;
      if (Number.isNaN(claim) || (prompt[row] ?? 0) + (completion[row] ?? 0) === 0) continue;
      const cell = cells[index] ?? 0;
      sums[cell] = (sums[cell] ?? 0) + this.#read(claim);
    }
  }

  read(): Float64Array {
    return this.#sums.map((sum) => sum / this.#unit);
  }
}

/** All latencies. */
export class LatencyTally implements Tally {
  readonly columns = ['latency_us'] as const;
  readonly #cellCount: number;
  readonly #values = new CellValues();

  constructor(cellCount: number) {
    this.#cellCount = cellCount;
  }

  get heldCount(): number {
    return this.#values.count;
  }

  /** Of an open span nothing is known yet. */
  add(batch: SpanBatch, at: CellRows): void {
    this.#values.addRows(batch.numbers('latency_us'), at);
  }

  quantiles(probabilities: readonly number[]): readonly Float64Array[] {
    return this.#values.quantiles(this.#cellCount, probabilities);
  }

  read(): never {
    throw new Error('percentiles are read together');
  }
}
