/** What an engine finds when it compares the rows of its tables with the entries of their indexes, a step at a time. */

/** How far the check is: the rows of a table up to an id are compared. */
export interface TablePlace {
  readonly table: string;
  readonly after: number;
}

/** An index that has no entry for rows that it should have, or whose pages cannot be read; or rows that cannot be read. */
export interface TableFinding {
  readonly table: string;
  /** `null` where the rows cannot be read. */
  readonly index: string | null;
  /** Rows without an entry; empty where that cannot be said. */
  readonly rowIds: readonly number[];
  /** Columns of the index which no other index confirms for these rows: either the row or the entry is damaged. */
  readonly unconfirmed: readonly string[];
  /** Whether one of these rows was stored again since, where the index is to keep both apart: it cannot be made of both. */
  readonly hasTwin?: boolean;
  /** Whether making the index again takes no more than a moment. */
  readonly isSmall: boolean;
}

/** What a step came to. */
export interface TableCheck {
  /** Where to continue; `null` at the end of all tables. */
  readonly next: TablePlace | null;
  readonly findings: readonly TableFinding[];
}
