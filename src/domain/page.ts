/** Pages of lists. */

/** One page of a list, and where the next one begins. */
export interface Page<T> {
  readonly data: readonly T[];
  /** Opaque to clients; `null` on the last page. */
  readonly nextCursor: string | null;
}

/** Where a row stands in an order: its value, `null` where it has none or the order is that of arrival, and its row id. */
export interface Position {
  readonly value: number | null;
  readonly rowId: number;
}

/** Which part of an order: so many rows after a position. */
export interface KeysetRequest<Sort extends string> {
  readonly sort: Sort;
  readonly order: 'asc' | 'desc';
  /** At least 1. */
  readonly limit: number;
  readonly after: Position | null;
}

/** A page of rows. */
export interface KeysetPage<Row> {
  readonly rows: readonly Row[];
  /** After which position it goes on; `null` at the end. Further than the last row where a page had looked for long enough. */
  readonly next: Position | null;
}
