import type { SpanReading } from '#normalize/explain/span-reading';
import { sqliteDialect } from '../../dialect/sqlite.ts';
import { openSqliteReader } from '../../sqlite/connection.ts';
import { kyselyOnSqlite } from '../../sqlite/kysely-dialect.ts';
import { EnvelopeCache } from './envelope-cache.ts';
import type { ReadScope } from './read-scope.ts';
import { readSpanParts } from './span-parts.ts';
import { findSpanByOtelId } from './span-table.ts';
import { TraceTrees } from './trace-trees.ts';

/**
 * Explains the newest span of that id in a data file that no server needs to have open; `undefined` where there is none.
 * @param path of a file of this version
 */
export async function explainStoredSpan(path: string, spanId: string): Promise<SpanReading | undefined> {
  const connection = openSqliteReader(path);
  try {
    const db = kyselyOnSqlite(connection);
    const scope: ReadScope = { db, dialect: sqliteDialect, envelopes: new EnvelopeCache(), trees: new TraceTrees() };
    const row = await findSpanByOtelId(scope, spanId);
    if (row === undefined) return undefined;
    const parts = await readSpanParts(scope, [{ rowId: row.rowId, parts: ['reading'] }]);
    return parts.get(row.rowId)?.reading;
  } finally {
    connection.close();
  }
}
