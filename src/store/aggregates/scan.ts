/** The spans of a question, batch after batch, newest first, for as long as its budget allows. */
import type { NumberColumn, RowScreen, SegmentScreen, SpanBatch, TextColumn } from '../columns/batch.ts';
import { readBatches } from '../columns/read-batches.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import type { Budget } from '../query/budget.ts';
import type { Coverage, SpanRange } from './port.ts';

/** What is read of each batch. */
export interface ScanNeeds {
  readonly columns: Set<NumberColumn | TextColumn>;
  readonly attributes: Set<string>;
  /** What segments are looked at by first: no row that it leaves out is wanted. */
  readonly screen?: SegmentScreen | null;
  readonly rows?: RowScreen | null;
}

/** One walk over the spans of a question. */
export class Scan {
  readonly #scope: ReadScope;
  readonly #spans: SpanRange;
  readonly #budget: Budget;
  #seenCount = 0;
  #restCount = 0;

  constructor(scope: ReadScope, spans: SpanRange, budget: Budget) {
    this.#scope = scope;
    this.#spans = spans;
    this.#budget = budget;
  }

  /** How far it has come. */
  get coverage(): Coverage {
    const isPartial = this.#budget.isExceeded;
    const total = this.#seenCount + this.#restCount;
    return { isPartial, share: isPartial && total > 0 ? this.#seenCount / total : 1 };
  }

  /** Ends early where the budget is over. */
  async *batches({ columns, attributes, screen, rows }: ScanNeeds): AsyncGenerator<SpanBatch> {
    const { projectRowId, startTimeUs, endTimeUs } = this.#spans;
    const options = {
      columns: [...columns],
      attributes: [...attributes],
      order: 'start desc',
      screen,
      rows,
    } as const;
    const which = { projectRowId, startTimeUs, endTimeUs };
    for await (const { batch, lookedCount, rest } of readBatches(this.#scope, which, options)) {
      yield batch;
      this.#seenCount += lookedCount;
      this.#restCount = rest?.rowCount ?? 0;
      if (rest !== null && this.#budget.isOver) return;
    }
  }
}
