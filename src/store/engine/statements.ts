/** Statements on the one connection of a writer, without what typed queries do around each. */
import type { Tables } from '../schema/tables.ts';
import type { ColumnValue } from './column-value.ts';

/** Runs the text of a statement; returns its rows, none where it has none. */
export type RunStatement = (text: string, parameters: readonly ColumnValue[]) => Promise<readonly unknown[]>;

/** Puts rows into a table, the cheapest way the engine has; every row has the same columns, in the same order. */
export type BulkInsert = (table: keyof Tables, rows: readonly Readonly<Record<string, ColumnValue>>[]) => Promise<void>;
