/** Reads original span messages out of their blocks, each block decoded once. */
import type { Kysely } from 'kysely';
import { AppError } from '#base/errors';
import { decodeBlock, type EncodedBlock } from '../../blocks/codec.ts';
import type { SqlDialect } from '../../dialect/dialect.ts';
import type { Tables } from '../../schema/tables.ts';

/**
 * The original messages of the spans by row id. Location and block are resolved in one statement, so that a compaction
 * in between is never seen half done. Index: primary keys.
 * @throws AppError `data_damaged` with the spans whose block is not what was stored, unless damaged ones are left out
 */
export async function readOriginals(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  spanRowIds: readonly number[],
  { isDamageLeftOut = false }: { readonly isDamageLeftOut?: boolean } = {},
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
    const spans = tryToDecode({ data: block.data, rawBytes: block.raw_bytes });
    const places = JSON.parse(block.places) as [number, number][];
    if (spans instanceof Error) {
      if (isDamageLeftOut) continue;
      const rowIds = places.map(([rowId]) => rowId);
      throw await describeDamage(db, dialect, rowIds, block.data.length, spans);
    }
    for (const [rowId, ordinal] of places) {
      const bytes = spans[ordinal];
      if (bytes !== undefined) originals.set(rowId, bytes);
    }
  }
  return originals;
}

function tryToDecode(block: EncodedBlock): readonly Uint8Array[] | Error {
  try {
    return decodeBlock(block);
  } catch (error) {
    return error as Error;
  }
}

/** Names the first spans of those that are lost. Index: primary keys. */
async function describeDamage(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  rowIds: readonly number[],
  bytes: number,
  cause: Error,
): Promise<AppError> {
  const spans = await db
    .selectFrom('spans')
    .innerJoin('traces', 'traces.id', 'spans.trace_row_id')
    .select(['traces.trace_id', 'spans.span_id'])
    .where('spans.id', 'in', dialect.numbersOf(rowIds.slice(0, MAX_NAMED_SPANS)))
    .orderBy('spans.id')
    .execute();
  const named = spans.map(({ trace_id, span_id }) => `${span_id} of trace ${trace_id}`).join(', ');
  const others = rowIds.length - spans.length;
  const message = `The stored original of span ${named}${others > 0 ? ` and ${others} more` : ''} is damaged (a block of ${bytes} bytes).`;
  return new AppError('data_damaged', message, { cause });
}

const MAX_NAMED_SPANS = 5;

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
