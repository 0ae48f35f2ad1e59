import { AppError } from '#base/errors';
import type { SpanReading } from '#normalize/explain/span-reading';
import type { EngineConfig } from './engine/engine-config.ts';
import { openReadEngine } from './open/open-engine.ts';
import { EnvelopeCache } from './spans/rows/envelope-cache.ts';
import type { ReadScope } from './spans/rows/read-scope.ts';
import { readSpanParts } from './spans/read/span-parts.ts';
import { findSpanByOtelId } from './spans/rows/span-table.ts';
import { TraceTrees } from './spans/rows/trace-trees.ts';

/**
 * Explains the newest span of that id in a database that no server needs to have open; `undefined` where there is none.
 * @param config of a database of this version
 */
export async function explainStoredSpan(config: EngineConfig, spanId: string): Promise<SpanReading | undefined> {
  const engine = await openReadEngine(config);
  try {
    const { db, dialect } = engine;
    const scope: ReadScope = { db, dialect, envelopes: new EnvelopeCache(), trees: new TraceTrees() };
    const row = await findSpanByOtelId(scope, spanId);
    if (row === undefined) return undefined;
    const parts = await readSpanParts(scope, [{ rowId: row.rowId, parts: ['reading'] }]);
    const { reading, damage } = parts.get(row.rowId) ?? {};
    if (damage !== undefined) throw new AppError('data_damaged', damage);
    return reading;
  } finally {
    await engine.close();
  }
}
