/** Blocks as they are stored: in one row or in pieces, with a dictionary or without. */
import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { BulkInsert } from '../schema/statements.ts';
import type { Tables } from '../schema/tables.ts';
import { decodeBlock, type EncodedBlock } from './codec.ts';

/** What is selected of a block to decode it; all of it in one statement, so that a swap in between is never seen half done. */
export function blockContent(dialect: SqlDialect) {
  const pieces = sql<string | null>`(SELECT string_agg(${dialect.hexOf(sql.ref('piece.data'))}, '' ORDER BY piece.place)
    FROM block_pieces AS piece WHERE piece.block_id = blocks.id)`;
  return ['blocks.id', 'blocks.data', 'blocks.raw_bytes', 'blocks.dictionary_id', pieces.as('pieces')] as const;
}

/** A row with {@link blockContent}. */
export interface StoredBlock {
  readonly id: number;
  readonly data: Uint8Array;
  readonly raw_bytes: number;
  readonly dictionary_id: number | null;
  /** Hexadecimal; null for a block in one row. */
  readonly pieces: string | null;
}

/** A dictionary by its id. */
export interface Dictionary {
  readonly id: number;
  readonly data: Uint8Array;
}

/** A block, and the dictionary that it was packed with. */
export interface WholeBlock extends EncodedBlock {
  readonly id: number;
  readonly dictionary: Uint8Array | undefined;
}

/** The blocks of the rows, in their order. Index: the primary key of dictionaries. */
export async function toWholeBlocks<Row extends StoredBlock>(
  db: Kysely<Tables>,
  rows: readonly Row[],
): Promise<readonly { readonly row: Row; readonly block: WholeBlock }[]> {
  const dictionaries = await loadDictionaries(db, new Set(rows.flatMap((row) => row.dictionary_id ?? [])));
  return rows.map((row) => {
    const data = row.pieces === null ? row.data : Buffer.from(row.pieces, 'hex');
    const dictionary = row.dictionary_id === null ? undefined : dictionaries.get(row.dictionary_id);
    return { row, block: { id: row.id, data, rawBytes: row.raw_bytes, dictionary } };
  });
}

/** The span messages of a block. @throws Error where its bytes are not those that were packed */
export function decodeWhole(block: WholeBlock): readonly Uint8Array[] {
  return decodeBlock(block, block.dictionary);
}

/** Dictionaries never change, so each handle keeps the last ones that it read. */
const known = new WeakMap<Kysely<Tables>, Map<number, Uint8Array>>();
const MAX_KNOWN = 32;

async function loadDictionaries(
  db: Kysely<Tables>,
  ids: ReadonlySet<number>,
): Promise<ReadonlyMap<number, Uint8Array>> {
  const kept = known.get(db) ?? new Map<number, Uint8Array>();
  known.set(db, kept);
  // Other readers may make room among those that are kept.
  const found = new Map(kept);
  const missing = [...ids].filter((id) => !found.has(id));
  if (missing.length === 0) return found;
  const rows = await db.selectFrom('block_dictionaries').select(['id', 'data']).where('id', 'in', missing).execute();
  if (kept.size + rows.length > MAX_KNOWN) kept.clear();
  for (const { id, data } of rows) {
    kept.set(id, data);
    found.set(id, data);
  }
  return found;
}

/** A block to store. */
export interface NewBlock extends EncodedBlock {
  readonly id: number;
  readonly traceRowId: number;
  readonly spanCount: number;
  readonly dictionaryId: number | null;
}

/** Stores a packed block: a small one in pieces, where rows of its size would leave much of a page empty. */
export async function insertPackedBlock(
  { dialect, bulkInsert }: { readonly dialect: SqlDialect; readonly bulkInsert: BulkInsert },
  { id, traceRowId, spanCount, dictionaryId, rawBytes, data }: NewBlock,
): Promise<void> {
  const pieceBytes = dialect.blockPieceBytes;
  const isInPieces = pieceBytes !== null && data.length > pieceBytes && data.length <= MAX_PIECES * pieceBytes;
  const counts = { span_count: spanCount, live_count: spanCount, raw_bytes: rawBytes };
  const content = { data: isInPieces ? new Uint8Array() : data, dictionary_id: dictionaryId };
  await bulkInsert('blocks', [{ id, trace_row_id: traceRowId, ...counts, ...content }]);
  if (!isInPieces) return;
  const pieces = Array.from({ length: Math.ceil(data.length / pieceBytes) }, (_, place) => ({
    block_id: id,
    place,
    data: data.subarray(place * pieceBytes, (place + 1) * pieceBytes),
  }));
  await bulkInsert('block_pieces', pieces);
}

/** In larger blocks, less than a page is a small part. */
const MAX_PIECES = 32;

/** Deletes blocks with all that belongs to them. Index: primary keys. */
export async function deleteBlocks(db: Kysely<Tables>, dialect: SqlDialect, ids: readonly number[]): Promise<void> {
  const list = dialect.numbersOf(ids);
  await db.deleteFrom('block_pieces').where('block_id', 'in', list).execute();
  await db.deleteFrom('blocks').where('id', 'in', list).execute();
}

/**
 * Deletes the dictionaries that no block refers to any more. One that is so new that what it was made for still waits stays, unless its
 * project is empty. Index: blocks_of_dictionary, the queue's primary key, and one of the traces of a project for each.
 */
export function deleteUnusedDictionaries(db: Kysely<Tables>) {
  return db.deleteFrom('block_dictionaries').where((row) => {
    const blocks = row.selectFrom('blocks').select('id').whereRef('dictionary_id', '=', 'block_dictionaries.id');
    const waiting = row
      .selectFrom('compaction_queue')
      .select('block_id')
      .whereRef('block_id', '<=', 'block_dictionaries.made_at_block_id');
    const traces = row.selectFrom('traces').select('id').whereRef('project_id', '=', 'block_dictionaries.project_id');
    const isNew = row.and([row.exists(waiting), row.exists(traces)]);
    return row.not(row.or([row.exists(blocks), isNew]));
  });
}
