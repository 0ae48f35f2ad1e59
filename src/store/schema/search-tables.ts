/** The tables of the search index, as Kysely sees them. */
import type { Generated } from 'kysely';

/** Segments of the index of words: some texts of a part each. See `store/words/segment.ts`. */
export interface SearchSegmentsTable {
  part: number;
  /** A later segment has a larger one, and none has one that another had. */
  number: number;
  text_count: number;
  /** Bytes of the segment with its leaves, before they are sealed. */
  size: number;
  /** Bytes of the vocabulary before it is compressed. */
  vocabulary_size: number;
  removed_count: number;
  /** When the first of the removed texts was removed, in milliseconds since the Unix epoch. */
  removed_ms: number | null;
  /** Places of removed texts, packed and sealed, as all that follows: see `store/words/sealed-segments.ts`. */
  removed: Uint8Array | null;
  /** Ids of texts, packed. */
  texts: Uint8Array;
  /** About how many words each has, a byte a text. */
  lengths: Uint8Array;
  /** All words, compressed. */
  vocabulary: Uint8Array;
}

/** Words of a segment in order, each with the texts that hold it. See `store/words/leaves.ts`. */
export interface SearchLeavesTable {
  part: number;
  number: number;
  first_word: string;
  lists: Uint8Array;
}

/** Which texts of the search index a span holds. */
export interface SearchSpansTable {
  span_row_id: number;
  trace_row_id: number;
  /** Numbers and hashes of the texts that it held first: see `store/texts/span-texts.ts`. */
  introduced: Uint8Array;
  /** Ids of all texts that it holds, with their places. */
  held: Uint8Array;
  /** Where the span may hold words that these texts do not: `Doubts` of `derive/search/scope.ts`. */
  doubts: number;
}

/** When spans of a project start in each part of the row ids; never too narrow. */
export interface SearchPartsTable {
  project_id: number;
  part: number;
  min_start_us: number;
  max_start_us: number;
}

/** Spans that changed or were deleted, in order; those that were not indexed before included. */
export interface SearchQueueTable {
  id: Generated<number>;
  span_row_id: number;
}

/** Parts with damaged segments, or of which that is to be found out. */
export interface SearchSuspectPartsTable {
  part: number;
}

/** How far the search index has come; one row. */
export interface SearchProgressTable {
  id: number;
  tokenizer_version: number;
  /** Spans before it are indexed. */
  next_span_row_id: number;
  /** The rest of a pass that builds the index again; null without one. */
  rebuild_next_span_row_id: number | null;
  rebuild_end_span_row_id: number | null;
  failed_count: number;
  /** Grows with each step that looks again at what was indexed. */
  change_count: Generated<number>;
  /** No segment has had it. */
  next_segment_number: Generated<number>;
}
