/** Listed spans made whole: originals read from their blocks and normalised by today's rules. */
import { normalizeSpan } from '#normalize/normalize-span';
import { decodeSpan } from '#otlp/protobuf/span';
import type { StoredSpan } from '../presenter.ts';
import { readOriginals } from './originals.ts';
import type { ReadScope } from './read-scope.ts';
import type { ListedSpan } from './span-query.ts';

/** The whole spans of the rows, in their order. Times and ids are those of the row, which is what lists are sorted by. */
export async function readStoredSpans(scope: ReadScope, rows: readonly ListedSpan[]): Promise<readonly StoredSpan[]> {
  const { db, dialect, envelopes } = scope;
  const originals = await readOriginals(
    db,
    dialect,
    rows.map((row) => row.rowId),
  );
  const resources = await envelopes.resources(
    db,
    dialect,
    rows.map((row) => row.otelResourceId),
  );
  const scopes = await envelopes.scopes(
    db,
    dialect,
    rows.map((row) => row.instrumentationScopeId),
  );
  const whole: StoredSpan[] = [];
  for (const row of rows) {
    const bytes = originals.get(row.rowId);
    const resource = resources.get(row.otelResourceId);
    const instrumentationScope = scopes.get(row.instrumentationScopeId);
    // A span that is deleted between the list and this read is simply gone.
    if (bytes === undefined || resource === undefined || instrumentationScope === undefined) continue;
    const original = decodeSpan(bytes);
    if ('malformed' in original) throw new Error(`span ${row.rowId} cannot be read: ${original.malformed}`);
    const span = normalizeSpan(original, instrumentationScope, resource, BigInt(row.startTimeUs) * 1000n);
    whole.push({ row, span, original, resource, scope: instrumentationScope });
  }
  return whole;
}
