/** Root spans in batches: a few by their rows, many out of the columns of all spans. */
import type { SpanBatch } from '../columns/batch.ts';
import { selectNarrowRows } from '../columns/narrow-rows.ts';
import { takeBatchRoom } from '../columns/batch-room.ts';
import { readRowBatch } from '../columns/read-row-batch.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import type { Budget } from '../query/budget.ts';
import type { Coverage, SpanRange } from './port.ts';
import { Scan, type ScanNeeds } from './scan.ts';

/** Reads batches that hold the root spans; those of columns hold others, too. */
export class RootBatches {
  readonly #scope: ReadScope;
  readonly #rowIds: readonly number[];
  readonly #isFew: boolean;
  readonly #scan: Scan;
  readonly #budget: Budget;
  #share = 1;

  /**
   * @param spans in which all of them start
   * @param few so many are read by their rows
   */
  constructor(scope: ReadScope, rowIds: readonly number[], spans: SpanRange, budget: Budget, few = FEW) {
    this.#scope = scope;
    this.#rowIds = rowIds;
    this.#isFew = rowIds.length <= few;
    this.#scan = new Scan(scope, spans, budget);
    this.#budget = budget;
  }

  /** How far it has come. */
  get coverage(): Coverage {
    return this.#isFew ? { isPartial: this.#share < 1, share: this.#share } : this.#scan.coverage;
  }

  /** Ends early where the budget is over. */
  async *batches(needs: ScanNeeds): AsyncGenerator<SpanBatch> {
    if (this.#isFew) yield* this.#readRows(needs);
    else yield* this.#scan.batches(needs);
  }

  /** Index: the primary key. */
  async *#readRows({ columns, attributes }: ScanNeeds): AsyncGenerator<SpanBatch> {
    const { db, dialect } = this.#scope;
    const wanted = { columns: [...columns], hasAttributes: attributes.size > 0 };
    for (let start = 0; start < this.#rowIds.length; start += ROWS_AT_ONCE) {
      const part = this.#rowIds.slice(start, start + ROWS_AT_ONCE).sort((a, b) => a - b);
      using _ = await takeBatchRoom(part.length, { columns: wanted.columns, attributes: [...attributes] });
      yield await readRowBatch(part.length, { attributes: [...attributes] }, (from, below) =>
        selectNarrowRows(db, wanted)
          .where('spans.id', 'in', dialect.numbersOf(part.slice(from, below)))
          .execute(),
      );
      this.#share = Math.min((start + ROWS_AT_ONCE) / this.#rowIds.length, 1);
      if (this.#share < 1 && this.#budget.isOver) return;
    }
  }
}

/** Rows take some twenty times as long as what columns hold of them. */
const FEW = 8192;

const ROWS_AT_ONCE = 1024;
