/** Queries that are built once: building and compiling one costs several times what running it does. */
import { type Compilable, CompiledQuery, type Kysely } from 'kysely';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { ColumnValue } from '../schema/column-value.ts';
import type { RunStatement } from '../schema/statements.ts';
import type { Tables } from '../schema/tables.ts';

/** What a query runs on: `run` in the same transaction as `db`. */
export interface QueryScope {
  readonly db: Kysely<Tables>;
  readonly dialect: SqlDialect;
  readonly run: RunStatement;
}

/**
 * Builds the query. It may only hand the values on to the query: it sees places for them, not the values themselves. A
 * list of values is one value, its JSON text.
 */
export type BuildQuery<Values, Row> = (scope: QueryScope, values: Values) => Compilable<Row>;

/** Runs a prepared query with the values. */
export type PreparedQuery<Values, Row> = (scope: QueryScope, values: Values) => Promise<readonly Row[]>;

/** A query whose text is made at its first run, one for each dialect. */
export function prepareQuery<Values extends object, Row>(build: BuildQuery<Values, Row>): PreparedQuery<Values, Row> {
  const compiled = new WeakMap<SqlDialect, { readonly text: string; readonly parameters: readonly unknown[] }>();
  return (scope, values) => {
    let query = compiled.get(scope.dialect);
    if (query === undefined) {
      const { sql: text, parameters } = build(scope, placesOf<Values>()).compile();
      query = { text, parameters };
      compiled.set(scope.dialect, query);
    }
    const parameters = query.parameters.map(
      (parameter) => (parameter instanceof Place ? values[parameter.name as keyof Values] : parameter) as ColumnValue,
    );
    return scope.run(query.text, parameters) as Promise<readonly Row[]>;
  };
}

/**
 * A query that is written differently for each shape: its text is made at the first run of a shape, and kept. Shapes are JSON
 * objects, and few: what differs from caller to caller is a value.
 */
export function prepareShapes<Shape extends object, Values extends object, Row>(
  build: (scope: QueryScope, shape: Shape, values: Values) => Compilable<Row>,
): (scope: QueryScope, shape: Shape, values: Values) => Promise<readonly Row[]> {
  const prepared = new Map<string, PreparedQuery<Values, Row>>();
  return (scope, shape, values) => {
    const key = JSON.stringify(shape);
    let query = prepared.get(key);
    if (query === undefined) {
      query = prepareQuery((built, places) => build(built, shape, places));
      prepared.set(key, query);
    }
    return query(scope, values);
  };
}

/** What prepared queries of a reader run on. */
export function queryScopeOf({ db, dialect }: Pick<QueryScope, 'db' | 'dialect'>): QueryScope {
  return {
    db,
    dialect,
    run: async (text, parameters) => (await db.executeQuery(CompiledQuery.raw(text, [...parameters]))).rows,
  };
}

/** Where a value will stand. */
class Place {
  readonly name: string | symbol;

  constructor(name: string | symbol) {
    this.name = name;
  }
}

function placesOf<Values extends object>(): Values {
  return new Proxy({} as Values, { get: (_target, name) => new Place(name) });
}
