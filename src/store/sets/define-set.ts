/**
 * Sets of spans, traces or sessions that ordinary tables hold, as filters ask for them. A definition is one query; that it is
 * asked range by range, remembered for a question, and used to pass over what it leaves out is done for all of them alike.
 */
import type { AliasableExpression, Expression, Kysely, SqlBool } from 'kysely';
import type { Condition, FilterGrain } from '#filter/tree';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { Tables } from '../schema/tables.ts';

/** The row ids that a query is to look among. */
export interface MemberRange {
  /** Whether a column lies in it. The column must lead an index, or follow columns in one that the query compares for equality. */
  holds(column: string): Expression<SqlBool>;
}

/** Row ids as `id`, in any order; one may come several times. Beside them, what a test of the rows asks for. */
export type MemberQuery = AliasableExpression<{ readonly id: number }>;

/** Whether a row of the query stands for a member. */
export type MemberTest = (row: Readonly<Record<string, unknown>>) => boolean;

/** What a set is. */
export interface SetDefinition<Parameters extends object> {
  /** Unique among the sets of the server. */
  readonly name: string;
  /** What its members are. */
  readonly subject: FilterGrain;
  /**
   * Members in the range, whatever project they are of. They need not exist any more. `null` where there is none in any range.
   * @param parameters those of a leaf, plain data
   */
  rowIdsIn(db: Kysely<Tables>, dialect: SqlDialect, range: MemberRange, parameters: Parameters): MemberQuery | null;
  /** Decides what SQL cannot; a row id is a member where one of its rows passes. `null`, or no method: where all do. */
  memberTest?(parameters: Parameters, dialect: SqlDialect): MemberTest | null;
}

/** A set with the leaf that asks for it. */
export interface DefinedSet<Parameters extends object> extends SetDefinition<Parameters> {
  /** The condition that a row, or the element of a loop variable, is in the set. */
  leaf(parameters: Parameters, of?: string | null): Extract<Condition, { readonly kind: 'inSet' }>;
}

/** Defines a set, which the `sets` of a slice list. */
export function defineSet<Parameters extends object>(definition: SetDefinition<Parameters>): DefinedSet<Parameters> {
  const { name, subject } = definition;
  return {
    ...definition,
    leaf: (parameters, of = null) => ({ kind: 'inSet', isNegated: false, set: { name, subject, parameters }, of }),
  };
}

/** Sets by their names. */
export type SetCatalogue = ReadonlyMap<string, SetDefinition<object>>;

/** @throws Error where two have the same name */
export function setCatalogue(definitions: readonly SetDefinition<object>[]): SetCatalogue {
  const catalogue = new Map(definitions.map((definition) => [definition.name, definition]));
  if (catalogue.size < definitions.length) throw new Error('two sets have the same name');
  return catalogue;
}
