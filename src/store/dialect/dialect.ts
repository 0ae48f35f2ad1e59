/** What differs between the relational engines. Everything else of the store is written once. */
import type { Expression, RawBuilder } from 'kysely';

/** Expressions and capabilities of one engine; the only place that may branch on it. */
export interface SqlDialect {
  readonly name: 'sqlite';
  /** A one-column set of the values, for `IN`, whatever their number: one statement text serves all. */
  valuesOf(values: readonly (string | number)[]): RawBuilder<string | number>;
  /** The same of a list that is JSON text already. */
  valuesOfJson(list: string): RawBuilder<string | number>;
  /** A set of (number, id) from a JSON object that lists ids under each number. */
  idsByNumber(json: string): RawBuilder<{ number: number; id: string }>;
  /** Rows from a JSON list of lists, each with a value for every column. */
  tuplesOfJson(json: string, columns: readonly string[]): RawBuilder<unknown>;
  /** Whether a flat JSON object's member is the value, type included. */
  jsonMemberEquals(
    json: Expression<string>,
    key: string,
    value: string | number | bigint | boolean | JsonReal,
  ): RawBuilder<boolean>;
  /** Whether a JSON list of texts (or null) holds any of the texts. */
  jsonListHolds(json: Expression<string | null>, texts: readonly string[]): RawBuilder<boolean>;
  /** An aggregate: the value that the share of values does not exceed, interpolated; null without values. */
  quantile(value: Expression<number | null>, probability: number): RawBuilder<number | null>;
  /** An aggregate: the value at a place among the values, where 0 is that of the smallest, interpolated; null without values. */
  valueAt(value: Expression<number | null>, place: Expression<number>): RawBuilder<number | null>;
  /** An aggregate: the JSON list of all `[a, b, …]` of a group. */
  collectTuples(...values: readonly Expression<number | null>[]): RawBuilder<string>;
}

/** A number that must be stored as a float to be equal. */
export interface JsonReal {
  readonly real: number;
}
