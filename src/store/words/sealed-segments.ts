/** Segments as they are stored: each piece is sealed as what it is, and of which segment, so that damage is noticed when it is read. */
import { openSealed, seal } from '#base/seal';
import type { SearchLeavesTable, SearchSegmentsTable } from '../schema/search-tables.ts';
import { damagedWords } from './damaged-words.ts';
import { type OpenLeaf, readLeaf } from './leaves.ts';
import { readPostings, writePostings } from './postings.ts';
import { ByteWriter } from './bytes.ts';
import type { Segment } from './segment.ts';
import { unpackRuns } from './text-runs.ts';

/** Which segment it is. */
export interface SegmentKey {
  readonly part: number;
  readonly number: number;
}

/** The rows of a segment. */
export interface StoredSegment {
  readonly row: SearchSegmentsTable;
  readonly leaves: readonly SearchLeavesTable[];
}

/** Seals a segment from which nothing is removed. */
export function sealSegment(key: SegmentKey, segment: Segment): StoredSegment {
  const { offsets, texts, lengths, vocabularySize, vocabulary, leaves, size } = segment;
  const { part, number } = key;
  const counts = { text_count: offsets.length, size };
  return {
    row: {
      part,
      number,
      ...counts,
      vocabulary_size: vocabularySize,
      removed_count: 0,
      removed_ms: null,
      removed: null,
      texts: seal(headOf({ part, number, ...counts }), texts),
      lengths: seal(nameOf(key, 'lengths'), lengths),
      vocabulary: seal(nameOf(key, `vocabulary of ${vocabularySize}`), vocabulary),
    },
    leaves: leaves.map((leaf) => {
      return { part, number, first_word: leaf.key, lists: seal(nameOf(key, 'lists'), leaf.lists) };
    }),
  };
}

/** Seals the places of removed texts, ascending. */
export function sealRemoved(key: SegmentKey, places: Int32Array): Uint8Array {
  const writer = new ByteWriter();
  writePostings(writer, places);
  return seal(nameOf(key, `${places.length} removed`), writer.peek());
}

/** Columns of the head of a segment. */
export const HEAD = ['part', 'number', 'text_count', 'size', 'texts'] as const;

type Head = Pick<SearchSegmentsTable, (typeof HEAD)[number]>;

/** Ids of the texts of a segment after the first of the part, by their places. @throws AppError `data_damaged`, as all that open something */
export function openTexts(head: Head): Int32Array {
  return unpackRuns(open(head, headOf(head), head.texts), head.text_count);
}

/** Columns of what is removed from a segment. */
export const REMOVED = ['part', 'number', 'removed_count', 'removed'] as const;

type Removed = Pick<SearchSegmentsTable, (typeof REMOVED)[number]>;

/** Places of the texts that were removed from a segment. */
export function openRemoved(row: Removed): ReadonlySet<number> {
  const { removed_count: count, removed } = row;
  if (removed === null && count === 0) return NONE;
  return new Set(readPostings(open(row, nameOf(row, `${count} removed`), removed ?? new Uint8Array(0))));
}

/** Lengths of the texts of a segment, by their places. */
export function openLengths(row: Pick<SearchSegmentsTable, 'part' | 'number' | 'lengths'>): Uint8Array {
  return open(row, nameOf(row, 'lengths'), row.lengths);
}

/** Columns of the vocabulary of a segment. */
export const VOCABULARY = ['part', 'number', 'vocabulary_size', 'vocabulary'] as const;

/** The words of a segment, compressed. */
export function openVocabulary(row: Pick<SearchSegmentsTable, (typeof VOCABULARY)[number]>): Uint8Array {
  return open(row, nameOf(row, `vocabulary of ${row.vocabulary_size}`), row.vocabulary);
}

/** A leaf; `null` for one that is missing. */
export function openLeaf(key: SegmentKey, lists: Uint8Array | null): OpenLeaf {
  return readLeaf(open(key, nameOf(key, 'lists'), lists ?? new Uint8Array(0)));
}

function open({ part, number }: SegmentKey, what: string, sealed: Uint8Array): Uint8Array {
  const opened = openSealed(what, sealed);
  if (opened === undefined) throw damagedWords(part, number);
  return opened;
}

function headOf({ text_count: count, size, ...key }: Omit<Head, 'texts'>): string {
  return nameOf(key, `${count} texts of ${size}`);
}

function nameOf({ part, number }: SegmentKey, what: string): string {
  return `${part} ${number} ${what}`;
}

const NONE: ReadonlySet<number> = new Set();
