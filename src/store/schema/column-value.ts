/** What a column of a table holds, and a statement is given. */
export type ColumnValue = string | number | bigint | null | Uint8Array;
