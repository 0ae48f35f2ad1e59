import { isSpanInProject } from '../rows/visible.ts';
import type { ReadScope } from '../rows/read-scope.ts';
import { rowsByOtelId } from '../rows/rows-by-otel-id.ts';

/** Those of the span ids that any span has; a deleted one has none. Index: spans_by_otel_id. */
export async function findStoredSpanIds(
  { db, dialect }: Pick<ReadScope, 'db' | 'dialect'>,
  spanIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const stored = new Set<string>();
  for (let from = 0; from < spanIds.length; from += IDS_A_STATEMENT) {
    const wanted = spanIds.slice(from, from + IDS_A_STATEMENT);
    const rows = await db
      .selectFrom('spans')
      .select('span_id')
      .where('id', 'in', rowsByOtelId(dialect, wanted))
      .where(isSpanInProject)
      .execute();
    for (const row of rows) stored.add(row.span_id);
  }
  return stored;
}

/** Each is looked up in every part of the index; nothing can interrupt a statement. */
const IDS_A_STATEMENT = 500;
