/** Reads original span messages out of their blocks, each block decoded once. */
import type { Kysely } from 'kysely';
import { decodeBlock } from '../../blocks/codec.ts';
import type { SqlDialect } from '../../dialect/dialect.ts';
import type { Tables } from '../../schema/tables.ts';

/**
 * The original messages of the spans by row id. Location and block are resolved in one statement, so that a compaction
 * in between is never seen half done. Index: primary keys.
 */
export async function readOriginals(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  spanRowIds: readonly number[],
): Promise<ReadonlyMap<number, Uint8Array>> {
  if (spanRowIds.length === 0) return new Map();
  const blocks = await db
    .selectFrom('span_locations')
    .innerJoin('blocks', 'blocks.id', 'span_locations.block_id')
    .select(['blocks.id', 'blocks.data', 'blocks.raw_bytes'])
    .select((row) => dialect.collectTuples(row.ref('span_row_id'), row.ref('ordinal')).as('places'))
    .where('span_row_id', 'in', dialect.numbersOf(spanRowIds))
    .groupBy('blocks.id')
    .execute();
  const originals = new Map<number, Uint8Array>();
  for (const block of blocks) {
    const spans = decodeBlock({ data: block.data, rawBytes: block.raw_bytes });
    for (const [rowId, ordinal] of JSON.parse(block.places) as [number, number][]) {
      const bytes = spans[ordinal];
      if (bytes !== undefined) originals.set(rowId, bytes);
    }
  }
  return originals;
}

/** The block of each span by row id, and how large it is once decoded. Index: primary keys. */
export async function listBlocks(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  spanRowIds: readonly number[],
): Promise<ReadonlyMap<number, { readonly id: number; readonly rawBytes: number }>> {
  if (spanRowIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('span_locations')
    .innerJoin('blocks', 'blocks.id', 'span_locations.block_id')
    .select(['span_row_id', 'blocks.id', 'blocks.raw_bytes as rawBytes'])
    .where('span_row_id', 'in', dialect.numbersOf(spanRowIds))
    .execute();
  return new Map(rows.map(({ span_row_id, id, rawBytes }) => [span_row_id, { id, rawBytes }]));
}
