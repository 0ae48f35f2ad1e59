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
  /** The position after which the next page starts; `null` at the end. It is past the last row if the page reached its time limit. */
  readonly next: Position | null;
  /** By row id, where rows stand in an order that they do not tell themselves. */
  readonly values?: ReadonlyMap<number, number | null>;
  /** How far a page was looked for that is narrowed by a filter. */
  readonly looked?: Looked;
}

/** How far a page was looked for. */
export interface Looked {
  /** Whether the page is full, or the last; not where it ends because it had looked for as long as it may. */
  readonly isWhole: boolean;
  /** Up to which start a page by start had looked that is not whole; microseconds since the Unix epoch. */
  readonly untilTimeUs: number | null;
  /** Share of the rows, of those that were left when it began: 0 to 1. */
  readonly share: number;
}
