/** The tables of the search index, as Kysely sees them. */
import type { Generated } from 'kysely';

/** Words of texts, by the id of the text; an index without the texts. */
export interface SearchIndexTable {
  rowid: number;
  /** Folded words, separated by spaces. */
  words: string;
  /** Parts of compound words, likewise. */
  parts: string;
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

/** Distinct words of the texts of a part, in several lists that are joined as they become many. */
export interface SearchVocabulariesTable {
  part: number;
  /** Unique in the part. */
  number: number;
  /** Bytes of the list. */
  size: number;
  /** The list, packed: see `store/texts/vocabulary.ts`. */
  words: Uint8Array;
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
}
