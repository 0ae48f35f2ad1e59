/** Reads lists of words from the segments of parts. */
import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { Tables } from '../schema/tables.ts';
import { damagedWords } from './damaged-words.ts';
import { coverWords, findInLeaf, LeafCursor, type OpenLeaf } from './leaves.ts';
import { openLeaf, type SegmentKey } from './sealed-segments.ts';
import type { IdRange } from './text-ids.ts';

/** What is read with. */
export interface WordScope {
  readonly db: Kysely<Tables>;
  readonly dialect: SqlDialect;
}

/** The lists of a segment, by what was asked for. */
export interface SegmentLists extends SegmentKey {
  readonly removed_count: number;
  /** Places of texts that were removed, sealed; `null` for none. */
  readonly removed: Uint8Array | null;
  /** By word: its packed list. By {@link beginningKey}: those of all words that begin so. */
  readonly lists: Map<string, readonly Uint8Array[]>;
}

/**
 * The lists of words in the segments of a stretch of parts. Segments without any of them are left out. Index: the primary keys.
 * @throws AppError `data_damaged`
 */
export async function readLists(
  { db, dialect }: WordScope,
  parts: IdRange,
  words: readonly string[],
): Promise<readonly SegmentLists[]> {
  if (words.length === 0) return [];
  const { rows } = await sql<LeafRow & { word: string }>`
    SELECT segment.part, segment.number, segment.removed_count, segment.removed, sought.value AS word, (
      SELECT leaf.lists FROM search_leaves AS leaf
      WHERE leaf.part = segment.part AND leaf.number = segment.number AND leaf.first_word <= sought.value
      ORDER BY leaf.first_word DESC LIMIT 1
    ) AS lists
    FROM search_segments AS segment ${dialect.joinInOrder} ${dialect.textsOf(words)} AS sought ON true
    WHERE segment.part BETWEEN ${parts.first} AND ${parts.last}`.execute(db);
  const segments = new Map<string, SegmentLists>();
  for (const row of rows) {
    const leaf = openLeaf(row, row.lists);
    expectCovered(row, [leaf], row.word, `${row.word}\0`);
    const list = findInLeaf(leaf, Buffer.from(row.word));
    if (list !== undefined) segmentOf(segments, row).lists.set(row.word, [list]);
  }
  return [...segments.values()];
}

/** The same of all words with a beginning. Index: the primary keys. @throws AppError `data_damaged` */
export async function readListsFrom(
  { db }: WordScope,
  parts: IdRange,
  beginning: string,
): Promise<readonly SegmentLists[]> {
  const end = beginning + LAST_CHARACTER;
  const { rows } = await sql<LeafRow>`
    SELECT segment.part, segment.number, segment.removed_count, segment.removed, leaf.lists
    FROM search_segments AS segment LEFT JOIN search_leaves AS leaf
      ON leaf.part = segment.part AND leaf.number = segment.number AND leaf.first_word < ${end}
      AND leaf.first_word >= coalesce((
        SELECT max(earlier.first_word) FROM search_leaves AS earlier
        WHERE earlier.part = segment.part AND earlier.number = segment.number AND earlier.first_word <= ${beginning}
      ), '')
    WHERE segment.part BETWEEN ${parts.first} AND ${parts.last}`.execute(db);
  const segments = new Map<string, SegmentLists>();
  for (const ofSegment of Map.groupBy(rows, nameOfSegment).values()) {
    const [row] = ofSegment as [LeafRow];
    const leaves = ofSegment.map(({ lists }) => openLeaf(row, lists));
    leaves.sort((a, b) => Buffer.compare(a.key, b.key));
    expectCovered(row, leaves, beginning, end);
    const found: Uint8Array[] = [];
    const cursor = new LeafCursor(leaves);
    while (cursor.advance()) if (cursor.text.startsWith(beginning)) found.push(cursor.list);
    if (found.length > 0) segmentOf(segments, row).lists.set(beginningKey(beginning), found);
  }
  return [...segments.values()];
}

/** What lists of words with a beginning are found by; no word. */
export function beginningKey(beginning: string): string {
  return `${beginning}*`;
}

const LAST_CHARACTER = '\u{10ffff}';

interface LeafRow extends SegmentKey {
  readonly removed_count: number;
  readonly removed: Uint8Array | null;
  readonly lists: Uint8Array | null;
}

function expectCovered({ part, number }: SegmentKey, leaves: readonly OpenLeaf[], from: string, end: string): void {
  if (!coverWords(leaves, Buffer.from(from), Buffer.from(end))) throw damagedWords(part, number);
}

function segmentOf(segments: Map<string, SegmentLists>, row: LeafRow): SegmentLists {
  const key = nameOfSegment(row);
  const known = segments.get(key);
  if (known !== undefined) return known;
  const { part, number, removed_count, removed } = row;
  const segment = { part, number, removed_count, removed, lists: new Map<string, readonly Uint8Array[]>() };
  segments.set(key, segment);
  return segment;
}

function nameOfSegment({ part, number }: SegmentKey): string {
  return `${part} ${number}`;
}
