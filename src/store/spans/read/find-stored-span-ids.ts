import { sql } from 'kysely';
import type { ReadScope } from '../rows/read-scope.ts';
import { partOf, partsOfIndex } from '../rows/rows-by-otel-id.ts';
import { isSpanInProject } from '../rows/visible.ts';

/** Those of the span ids that any span has; a deleted one has none. Index: spans_by_otel_id. */
export async function findStoredSpanIds(
  { db, dialect }: Pick<ReadScope, 'db' | 'dialect'>,
  spanIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const stored = new Set<string>();
  for (let from = 0; from < spanIds.length; from += IDS_A_STATEMENT) {
    const wanted = spanIds.slice(from, from + IDS_A_STATEMENT);
    // A look-up of its own for each id and part: PostgreSQL joins ids with spans first otherwise, by an index that does not lead to them.
    const { rows } = await sql<{ readonly spanId: string }>`
      WITH ${partsOfIndex}
      SELECT DISTINCT wanted.value AS "spanId" FROM part CROSS JOIN ${dialect.textsOf(wanted)} AS wanted
      WHERE (SELECT max(spans.id + 0) FROM spans WHERE ${partOf('spans.id')} = part.number
        AND spans.span_id = wanted.value AND ${isSpanInProject}) IS NOT NULL`.execute(db);
    for (const { spanId } of rows) stored.add(spanId);
  }
  return stored;
}

/** Each is looked up in every part of the index; nothing can interrupt a statement. */
const IDS_A_STATEMENT = 500;
