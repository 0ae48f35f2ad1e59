/** What differs between the relational engines. Everything else of the store is written once. */
import type { Dialect, Driver, Expression, Kysely, RawBuilder } from 'kysely';
import type { NumberedTable, Tables } from '../schema/tables.ts';
import type { TableShape } from './table-shape.ts';

/** An index that a table of whatever size is to have. */
export interface IndexToBuild {
  readonly name: string;
  /** What follows `ON`, written as SQLite has it. */
  readonly on: string;
  /** While others write, outside of transactions; only where the engine can. */
  readonly isConcurrent: boolean;
}

/** Rows of telemetry that are to stay as they are while a transaction says something of them, or changes what was said. */
export interface RowsToLock {
  readonly table: NumberedTable;
  readonly rowIds: RawBuilder<number>;
  /** Whether others may lock them, too. Counts and times change meanwhile in either case. */
  readonly isShared: boolean;
}

/** What a column of {@link SqlDialect.tuplesOfJson} holds: whole numbers, fractions or texts. */
export type TupleType = 'number' | 'real' | 'text';

/** A table, and how many bytes it takes. */
export interface TableSize {
  readonly name: string;
  readonly bytes: number;
}

/** A table, and what it takes by itself and with what finds its rows. */
export interface TableUse {
  readonly name: string;
  readonly bytes: number;
  readonly indexBytes: number;
}

/** What the data takes on disk. */
export interface SpaceUse {
  /** Null where looking would take long. */
  readonly tables: readonly TableUse[] | null;
  /** Space within the data that new data will take first; null where the engine does not tell. */
  readonly freeBytes: number | null;
}

/** Expressions and capabilities of one engine; the only place that may branch on it. */
export interface SqlDialect {
  readonly name: 'sqlite' | 'postgres';
  /** Compiles typed queries, which the driver runs. */
  compileFor(driver: Driver): Dialect;
  /** A statement that defines a table or an index, written as SQLite has it. */
  readonly define: (statement: string) => string;
  /** Builds an index unless it is there; what an interrupted build has left is dropped first. */
  readonly buildIndex: (db: Kysely<Tables>, index: IndexToBuild) => Promise<void>;
  /** Whether the schema has a table of that name. */
  readonly hasTable: (db: Kysely<Tables>, table: string) => Promise<boolean>;
  /** All tables, by name. */
  readonly listTables: (db: Kysely<Tables>) => Promise<readonly TableShape[]>;
  /** What tables take on disk with their indexes, by name; SQLite knows only the sum. */
  readonly measureTables: (db: Kysely<Tables>) => Promise<readonly TableSize[]>;
  /** The same in detail, of every table for itself. */
  readonly measureSpace: (db: Kysely<Tables>) => Promise<SpaceUse>;
  /** Lets a table that numbers its rows itself go on after the largest number that it holds. */
  readonly continueNumbers: (db: Kysely<Tables>, table: string) => Promise<void>;
  /** Has the planner learn what a table holds, after much was put into it at once. */
  readonly analyze: (db: Kysely<Tables>, table: string) => Promise<void>;
  /** Locks rows until the transaction ends, in the order of their ids. Nothing to do where only one connection writes. */
  readonly lockRows: (db: Kysely<Tables>, rows: RowsToLock) => Promise<void>;
  /** The time of the database, in microseconds. */
  readonly nowUs: string;
  /** A one-column set of the values, for `in`, whatever their number: one statement text serves all, and each is looked up in an index. */
  numbersOf(values: readonly number[]): RawBuilder<number>;
  textsOf(values: readonly string[]): RawBuilder<string>;
  /** The same of a list that is JSON text already. */
  numbersOfJson(list: string): RawBuilder<number>;
  textsOfJson(list: string): RawBuilder<string>;
  /** Of how many segments of columns one statement reads chunks. */
  readonly segmentsAtOnce: number;
  /** A set of (number, id) from a JSON object that lists ids under each number. */
  idsByNumber(json: string): RawBuilder<{ number: number; id: string }>;
  /** Rows from a JSON list of lists, each with a value for every column. */
  tuplesOfJson(json: string, columns: Readonly<Record<string, TupleType>>): RawBuilder<unknown>;
  /** The smaller and the larger of two; null where one is. */
  least(a: Expression<number | null>, b: Expression<number | null>): RawBuilder<number>;
  greatest(a: Expression<number | null>, b: Expression<number | null>): RawBuilder<number>;
  /** Where a text begins in another, from 1 on; 0 where it does not. */
  positionOf(part: Expression<string> | string, text: Expression<string | null>): RawBuilder<number>;
  /**
   * A column for a comparison that must not choose the index: a planner without statistics takes a whole project for small, and
   * would walk through it although ids lead straight to the rows.
   */
  unindexed<Value = number>(column: string): RawBuilder<Value>;
  /** A join whose left side is read first, for the same reason; followed by the table and ON. */
  readonly joinInOrder: RawBuilder<unknown>;
  /** An aggregate: the value that the share of values does not exceed, interpolated; null without values. */
  quantile(value: Expression<number | null>, probability: number): RawBuilder<number | null>;
  /** An aggregate: the value at a place among the values, where 0 is that of the smallest, interpolated; null without values. */
  valueAt(value: Expression<number | null>, place: Expression<number>): RawBuilder<number | null>;
  /** Bytes as hexadecimal digits. */
  hexOf(bytes: Expression<unknown>): RawBuilder<string>;
  /** Bytes of a piece of a small block, where pieces fill pages better than one row; null where the engine sees to that. */
  readonly blockPieceBytes: number | null;
  /** An aggregate: the JSON list of all values. */
  collect(value: Expression<unknown>): RawBuilder<string>;
  /** An aggregate: the JSON list of all `[a, b, …]` of a group. */
  collectTuples(...values: readonly Expression<number | string | null>[]): RawBuilder<string>;
}
