/** Listed spans made whole: originals read from their blocks and normalised by today's rules. */
import { normalizeSpan } from '#normalize/normalize-span';
import { decodeSpan } from '#otlp/protobuf/span';
import type { StoredSpan } from '../presenter.ts';
import { listBlocks, readOriginals } from './originals.ts';
import type { ReadScope } from './read-scope.ts';
import type { ListedSpan } from './span-query.ts';

/**
 * The whole spans of the rows, in their order. Times and ids are those of the row, which is what lists are sorted by.
 * They are read as they are asked for, a bounded number of bytes at a time.
 */
export async function* readStoredSpans(scope: ReadScope, rows: readonly ListedSpan[]): AsyncGenerator<StoredSpan> {
  for (const part of await toParts(scope, rows)) yield* await readPart(scope, part);
}

/** Raw bytes of the blocks that are decoded together; a larger one is decoded alone. */
const MAX_PART_BYTES = 32 * 1024 * 1024;

async function toParts({ db, dialect }: ReadScope, rows: readonly ListedSpan[]): Promise<ListedSpan[][]> {
  const rowIds = rows.map((row) => row.rowId);
  const blocks = await listBlocks(db, dialect, rowIds);
  const parts: ListedSpan[][] = [];
  let part: ListedSpan[] = [];
  let partBytes = 0;
  let blockIds = new Set<number>();
  for (const row of rows) {
    const block = blocks.get(row.rowId);
    // A span that is deleted between the list and this read is simply gone.
    if (block === undefined) continue;
    if (!blockIds.has(block.id)) {
      if (parts.length === 0 || partBytes + block.rawBytes > MAX_PART_BYTES) {
        part = [];
        parts.push(part);
        partBytes = 0;
        blockIds = new Set();
      }
      blockIds.add(block.id);
      partBytes += block.rawBytes;
    }
    part.push(row);
  }
  return parts;
}

async function readPart(scope: ReadScope, rows: readonly ListedSpan[]): Promise<readonly StoredSpan[]> {
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
    if (bytes === undefined || resource === undefined || instrumentationScope === undefined) continue;
    const original = decodeSpan(bytes);
    if ('malformed' in original) throw new Error(`span ${row.rowId} cannot be read: ${original.malformed}`);
    const span = normalizeSpan(original, instrumentationScope, resource, BigInt(row.startTimeUs) * 1000n);
    whole.push({ row, span, original, resource, scope: instrumentationScope });
  }
  return whole;
}
