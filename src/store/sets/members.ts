/** The members of one set, as far as a question has asked for them. */
import type { RowIdRange } from './range-list.ts';
import type { RowSet } from './row-set.ts';

/** Remembers which row ids it was asked for, and which of them are members. */
export interface Members {
  /** Looks at row ids, ascending, each once. What it returns holds those that are members, and others. */
  look(rowIds: readonly number[]): Promise<RowSet>;
  /** Looks at a range. */
  cover(range: RowIdRange): Promise<void>;
  /** Whether the whole range was looked at. */
  isKnown(range: RowIdRange): boolean;
  /** How many row ids of a range that was looked at are members. */
  countKnown(range: RowIdRange): number;
  /** Members in a range, in no order; `null` where there are more than so many, or to know would take long. */
  list(range: RowIdRange, limit: number): Promise<readonly number[] | null>;
}
