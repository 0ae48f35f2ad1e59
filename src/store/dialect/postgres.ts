/** PostgreSQL's expressions. */
import {
  type BinaryOperationNode,
  OperatorNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  RawNode,
  sql,
} from 'kysely';
import type { SqlDialect, TableSize, TableUse, TupleType } from './dialect.ts';
import { type TableRow, toTableShape } from './table-shape.ts';

/** A set is an array, each member of which is looked up in an index: with IN it is a join, for which a table may be read from end to end. */
class SetCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand } = node;
    const isInSet = OperatorNode.is(operator) && operator.operator === 'in' && RawNode.is(rightOperand);
    if (!isInSet) {
      super.visitBinaryOperation(node);
      return;
    }
    this.visitNode(leftOperand);
    this.append(' = ANY (ARRAY');
    this.visitNode(rightOperand);
    this.append(')');
  }
}

/** PostgreSQL, from 15 on. */
export const postgresDialect: SqlDialect = {
  name: 'postgres',
  compileFor: (driver) => ({
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new SetCompiler(),
  }),
  define: (statement) => DEFINITIONS.reduce((text, [from, to]) => text.replaceAll(from, to), statement),
  buildIndex: async (db, { name, on, isConcurrent }) => {
    const how = sql.raw(isConcurrent ? 'CONCURRENTLY' : '');
    const { rows } = await sql`
      SELECT 1 FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname = current_schema() AND relname = ${name} AND NOT indisvalid`.execute(db);
    if (rows.length > 0) await sql`DROP INDEX ${how} ${sql.id(name)}`.execute(db);
    await sql`CREATE INDEX ${how} IF NOT EXISTS ${sql.id(name)} ON ${sql.raw(postgresDialect.define(on))}`.execute(db);
  },
  hasTable: async (db, table) => {
    const { rows } = await sql`
      SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = ${table}`.execute(db);
    return rows.length > 0;
  },
  listTables: async (db) => {
    const { rows } = await sql<TableRow>`SELECT relname AS name,
        to_json(ARRAY(SELECT attname FROM pg_constraint, unnest(conkey) WITH ORDINALITY AS key (number, place)
          JOIN pg_attribute ON attnum = number AND attrelid = relations.oid
          WHERE conrelid = relations.oid AND contype = 'p' ORDER BY place))::text AS key,
        to_json(ARRAY(SELECT attname FROM pg_attribute
          WHERE attrelid = relations.oid AND attgenerated <> '' AND NOT attisdropped))::text AS computed,
        to_json(ARRAY(SELECT DISTINCT parent.relname FROM pg_constraint JOIN pg_class AS parent ON parent.oid = confrelid
          WHERE conrelid = relations.oid AND contype = 'f'))::text AS parents,
        EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = relations.oid AND attidentity <> '') AS "isSelfNumbered"
      FROM pg_class AS relations
      WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace ORDER BY relname`.execute(db);
    return rows.map(toTableShape);
  },
  measureTables: async (db) => {
    const { rows } = await sql<TableSize>`SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
      WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace ORDER BY relname`.execute(db);
    return rows;
  },
  measureSpace: async (db) => {
    const { rows } =
      await sql<TableUse>`SELECT relname AS name, pg_table_size(oid) AS bytes, pg_indexes_size(oid) AS "indexBytes"
      FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace ORDER BY relname`.execute(db);
    return { tables: rows, freeBytes: null };
  },
  continueNumbers: async (db, table) => {
    await sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), greatest(max(id), 1), max(id) IS NOT NULL)
      FROM ${sql.table(table)}`.execute(db);
  },
  analyze: async (db, table) => {
    await sql`ANALYZE ${sql.table(table)}`.execute(db);
  },
  lockRows: async (db, { table, rowIds, isShared }) => {
    const query = db.selectFrom(table).select('id').where('id', 'in', rowIds).orderBy('id');
    await (isShared ? query.forKeyShare() : query.forUpdate()).execute();
  },
  nowUs: '(extract(epoch FROM now()) * 1000000)::bigint',
  numbersOf: (values) => postgresDialect.numbersOfJson(JSON.stringify(values)),
  // No column holds what it could not be given.
  textsOf: (values) => postgresDialect.textsOfJson(JSON.stringify(values.filter(isStorable))),
  numbersOfJson: (list) => sql`(SELECT value::bigint AS value FROM jsonb_array_elements_text(${list}::jsonb))`,
  textsOfJson: (list) => sql`(SELECT value FROM jsonb_array_elements_text(${list}::jsonb))`,
  // A statement costs as much as the chunks of some segments.
  segmentsAtOnce: 16,
  idsByNumber: (json) => sql`(SELECT holder.key::bigint AS number, item.value AS id
    FROM jsonb_each(${json}::jsonb) AS holder CROSS JOIN LATERAL jsonb_array_elements_text(holder.value) AS item)`,
  tuplesOfJson(json, columns) {
    const members = Object.entries(columns).map(([column, type], place) => {
      const text = sql`(value ->> ${sql.lit(place)})`;
      return sql`${text}::${sql.raw(TUPLE_TYPES[type])} AS ${sql.ref(column)}`;
    });
    return sql`(SELECT ${sql.join(members)} FROM jsonb_array_elements(${json}::jsonb))`;
  },
  least: (a, b) => unlessNull(a, b, sql`least`),
  greatest: (a, b) => unlessNull(a, b, sql`greatest`),
  positionOf: (part, text) => sql`strpos(${text}, ${part})`,
  unindexed: (column) => sql.ref(column),
  joinInOrder: sql`JOIN`,
  quantile: (value, probability) =>
    sql`percentile_cont(${probability}::float8) WITHIN GROUP (ORDER BY (${value})::float8)`,
  valueAt(value, place) {
    const values = sql`(array_agg((${value})::float8 ORDER BY (${value})::float8) FILTER (WHERE (${value}) IS NOT NULL))`;
    const at = sql`least(greatest(max(${place}), 0), count(${value}) - 1)`;
    const lower = sql`${values}[floor(${at})::int + 1]`;
    return sql`${lower} + (${values}[ceil(${at})::int + 1] - ${lower}) * (${at} - floor(${at}))::float8`;
  },
  hexOf: (bytes) => sql<string>`encode(${bytes}, 'hex')`,
  // Long values are kept in pieces by itself.
  blockPieceBytes: null,
  collect: (value) => sql`coalesce(json_agg(${value})::text, '[]')`,
  collectTuples: (...values) => sql`coalesce(json_agg(json_build_array(${sql.join(values)}))::text, '[]')`,
};

/** What a definition says on SQLite, and what here: numbers have eight bytes, and texts the order of their bytes. */
const DEFINITIONS: readonly (readonly [RegExp, string])[] = [
  [/\bINTEGER PRIMARY KEY AUTOINCREMENT\b/g, 'BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY'],
  [/\bINTEGER\b/g, 'BIGINT'],
  [/\bTEXT\b/g, 'TEXT COLLATE "C"'],
  [/\bBLOB\b/g, 'BYTEA'],
  [/\bREAL\b/g, 'DOUBLE PRECISION'],
  [/\) VIRTUAL\b/g, ') STORED'],
  [/ WITHOUT ROWID\b/g, ''],
];

type Operand = Parameters<SqlDialect['least']>[0];

/** PostgreSQL's own leave nulls out. */
function unlessNull(a: Operand, b: Operand, choose: RawBuilder<unknown>): RawBuilder<number> {
  return sql`CASE WHEN (${a})::bigint IS NOT NULL AND (${b})::bigint IS NOT NULL THEN ${choose}((${a})::bigint, (${b})::bigint) END`;
}

const TUPLE_TYPES: Readonly<Record<TupleType, string>> = { number: 'bigint', real: 'float8', text: 'text' };

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
