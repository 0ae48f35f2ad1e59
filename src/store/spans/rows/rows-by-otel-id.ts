/**
 * Spans by their OpenTelemetry id alone. Such ids are random: one index of all of them would dirty a page of its own for
 * nearly every span of a commit. The index spans_by_otel_id has a part for each 32,768 rows instead, of which only the
 * last is written to; a search looks once into each part.
 */
import { type RawBuilder, sql } from 'kysely';
import type { SqlDialect } from '../../dialect/dialect.ts';

/** The part of the index that a row is in; the index says the same. */
export const partOf = (rowId: string) => sql`(${sql.ref(rowId)} >> 15)`;

/** A table expression of the parts that there are. */
export const partsOfIndex = sql`RECURSIVE part(number) AS (
      SELECT ${partOf('newest.id')} FROM (SELECT max(id) AS id FROM spans) AS newest
      UNION ALL SELECT number - 1 FROM part WHERE number > 0
    )`;

/** The row ids of the spans that have one of the ids, as a set for `IN`. Index: spans_by_otel_id. */
export function rowsByOtelId(dialect: SqlDialect, spanIds: readonly string[]): RawBuilder<number> {
  // Crossed, so that SQLite takes part after part and looks up each id, however few rows it believes there are.
  return sql<number>`(
    WITH ${partsOfIndex}
    SELECT named.id FROM part CROSS JOIN ${dialect.textsOf(spanIds)} AS wanted CROSS JOIN spans AS named
    WHERE ${partOf('named.id')} = part.number AND named.span_id = wanted.value
  )`;
}
