/** The tables of originals, as Kysely sees them. */
import type { Generated } from 'kysely';

/** Originals of one trace, compressed together. */
export interface BlocksTable {
  id: number;
  trace_row_id: number;
  span_count: number;
  /** Spans that are still found here; a block without any is deleted. */
  live_count: number;
  raw_bytes: number;
  /** Empty where the block lies in pieces. */
  data: Uint8Array;
  dictionary_id: Generated<number | null>;
}

/** What blocks of short traces have in common. One that no block refers to is deleted. */
export interface BlockDictionariesTable {
  id: Generated<number>;
  /** Whose traces it was made of, and for. */
  project_id: number;
  /** The last block that was there then. */
  made_at_block_id: number;
  data: Uint8Array;
}

/** A packed block that is small, cut into pieces that fill pages. */
export interface BlockPiecesTable {
  block_id: number;
  place: number;
  data: Uint8Array;
}

/** Blocks that may be packed together with others of their trace. */
export interface CompactionQueueTable {
  block_id: number;
  trace_row_id: number;
}
