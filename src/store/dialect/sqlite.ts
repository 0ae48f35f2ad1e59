/** SQLite's expressions. */
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { JsonReal, SqlDialect } from './dialect.ts';

/** SQLite. */
export const sqliteDialect: SqlDialect = {
  name: 'sqlite',
  valuesOf: (values) => sqliteDialect.valuesOfJson(JSON.stringify(values)),
  valuesOfJson: (list) => sql`(SELECT value FROM json_each(${list}))`,
  idsByNumber: (json) => sql`(SELECT CAST(holder.key AS INTEGER) AS number, item.value AS id
    FROM json_each(${json}) AS holder CROSS JOIN json_each(holder.value) AS item)`,
  tuplesOfJson(json, columns) {
    const members = columns.map(
      (column, place) => sql`json_extract(value, ${sql.lit(`$[${place}]`)}) AS ${sql.ref(column)}`,
    );
    return sql`(SELECT ${sql.join(members)} FROM json_each(${json}))`;
  },
  jsonMemberEquals,
  jsonListHolds: (json, texts) =>
    sql<boolean>`EXISTS (SELECT 1 FROM json_each(${json}) WHERE value IN (SELECT value FROM json_each(${JSON.stringify(texts)})))`,
  quantile: (value, probability) => sql<number | null>`quantile(${value}, ${probability})`,
  valueAt: (value, place) => sql<number | null>`value_at(${value}, ${place})`,
  collectTuples: (...values) => sql<string>`json_group_array(json_array(${sql.join(values)}))`,
};

function jsonMemberEquals(
  json: Expression<string>,
  key: string,
  value: string | number | bigint | boolean | JsonReal,
): RawBuilder<boolean> {
  // A JSON path cannot hold a quote, a backslash or NUL inside a quoted key; such a key is found by walking the members.
  if (/["\\\0]/.test(key)) {
    const { type, text } = expected(value);
    return sql<boolean>`EXISTS (SELECT 1 FROM json_each(${json}) AS member
      WHERE member.key = ${key} AND member.type IN ${sql.raw(type)} AND member.atom = ${text})`;
  }
  const path = `$."${key}"`;
  const { type, text } = expected(value);
  return sql<boolean>`(json_extract(${json}, ${path}) = ${text} AND json_type(${json}, ${path}) IN ${sql.raw(type)})`;
}

/** The JSON types that a value may be stored as, as a constant of SQL, and what SQLite extracts for it. */
function expected(value: string | number | bigint | boolean | JsonReal): {
  type: string;
  text: string | number | bigint;
} {
  switch (typeof value) {
    case 'string':
      return { type: "('text')", text: value };
    case 'boolean':
      return { type: value ? "('true')" : "('false')", text: value ? 1 : 0 };
    case 'bigint':
      // No integer of SQLite is that wide, so only a float can have the value.
      if (BigInt.asIntN(64, value) !== value) return { type: "('real')", text: Number(value) };
      return { type: "('integer', 'real')", text: value };
    case 'number':
      return { type: "('integer', 'real')", text: value };
    default:
      return { type: "('real')", text: value.real };
  }
}
