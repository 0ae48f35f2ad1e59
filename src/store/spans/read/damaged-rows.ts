/** The spans of a page whose originals are damaged. */
import type { LostSpan } from '../../engine/damage.ts';
import type { ListedSpan } from '../rows/span-query.ts';

/** Notes which rows of a page are left out. */
export class DamagedRows {
  readonly #rows: readonly ListedSpan[];
  readonly #rowIds = new Set<number>();

  constructor(rows: readonly ListedSpan[]) {
    this.#rows = rows;
  }

  readonly onDamaged = (rowId: number): void => {
    this.#rowIds.add(rowId);
  };

  /** In the order of the page. */
  get all(): readonly LostSpan[] {
    return this.#pick(this.#rows);
  }

  /** Those before a row, where the page ends early: the others are those of the next page. */
  before(rowId: number): readonly LostSpan[] {
    return this.#pick(
      this.#rows.slice(
        0,
        this.#rows.findIndex((row) => row.rowId === rowId),
      ),
    );
  }

  #pick(rows: readonly ListedSpan[]): readonly LostSpan[] {
    const picked = rows.filter(({ rowId }) => this.#rowIds.has(rowId));
    return picked.map(({ traceId, spanId }) => ({ traceId, spanId }));
  }
}
