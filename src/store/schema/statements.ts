/** Statements on the one connection of a writer, without what typed queries do around each. */
import type { Tables } from './tables.ts';
import type { ColumnValue } from './column-value.ts';

/** Runs the text of a statement; returns its rows, none where it has none. */
export type RunStatement = (text: string, parameters: readonly ColumnValue[]) => Promise<readonly unknown[]>;

/** Puts rows into a table, the cheapest way the engine has; every row has the same columns, in the same order. */
export type BulkInsert = (table: keyof Tables, rows: readonly Readonly<Record<string, ColumnValue>>[]) => Promise<void>;

/**
 * Changes rows of a table, the cheapest way the engine has. The first column of each row is the key by which it is found; the others
 * become what the row says, unless `changes` names them. Every row has the same columns, in the same order, and a key of its own.
 */
export type BulkUpdate = (
  table: keyof Tables,
  rows: readonly Readonly<Record<string, ColumnValue>>[],
  changes?: ColumnChanges,
) => Promise<void>;

/** Columns that a value is added to, or that become the lesser or the greater of both. */
export type ColumnChanges = Readonly<Record<string, ColumnChange>>;

/** What becomes of a column where it is not simply the value given. */
export type ColumnChange = 'add' | 'least' | 'greatest';
