/** Rows that say which texts spans hold. */
import type { Kysely } from 'kysely';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { Tables } from '../schema/tables.ts';
import type { IdRange } from '../words/text-ids.ts';

/** What is read with. */
export interface TextScope {
  readonly db: Kysely<Tables>;
  readonly dialect: SqlDialect;
}

/** Which texts a span holds, packed. */
export interface HeldRow {
  readonly span_row_id: number;
  readonly held: Uint8Array;
}

/** The traces of spans. Index: the primary key. */
export async function tracesOf({ db, dialect }: TextScope, spanRowIds: readonly number[]): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('search_spans')
    .select('trace_row_id')
    .distinct()
    .where('span_row_id', 'in', dialect.numbersOf(spanRowIds))
    .execute();
  return rows.map((row) => row.trace_row_id);
}

/** The spans of traces in a range, the last first. Index: search_spans_of_trace. */
export async function readTraceRows(
  { db, dialect }: TextScope,
  traceRowIds: readonly number[],
  { first, last }: IdRange,
): Promise<readonly HeldRow[]> {
  if (traceRowIds.length === 0) return [];
  const rows = await db
    .selectFrom('search_spans')
    .select(['span_row_id', 'held'])
    .where('trace_row_id', 'in', dialect.numbersOf(traceRowIds))
    .where('span_row_id', '>=', first)
    .where('span_row_id', '<=', last)
    .execute();
  return rows.sort((a, b) => b.span_row_id - a.span_row_id);
}
