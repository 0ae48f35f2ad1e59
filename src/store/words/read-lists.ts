/** Reads lists of words from the segments of parts. */
import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { Tables } from '../schema/tables.ts';
import { findInLeaf, LeafCursor } from './leaves.ts';
import type { IdRange } from './text-ids.ts';

/** What is read with. */
export interface WordScope {
  readonly db: Kysely<Tables>;
  readonly dialect: SqlDialect;
}

/** The lists of a segment, by what was asked for. */
export interface SegmentLists {
  readonly part: number;
  readonly number: number;
  /** Places of texts that were removed, packed; `null` for none. */
  readonly removed: Uint8Array | null;
  /** By word: its packed list. By {@link beginningKey}: those of all words that begin so. */
  readonly lists: Map<string, readonly Uint8Array[]>;
}

/** The lists of words in the segments of a stretch of parts. Segments without any of them are left out. Index: the primary keys. */
export async function readLists(
  { db, dialect }: WordScope,
  parts: IdRange,
  words: readonly string[],
): Promise<readonly SegmentLists[]> {
  if (words.length === 0) return [];
  const { rows } = await sql<LeafRow & { word: string }>`
    SELECT segment.part, segment.number, segment.removed, sought.value AS word, (
      SELECT leaf.lists FROM search_leaves AS leaf
      WHERE leaf.part = segment.part AND leaf.number = segment.number AND leaf.first_word <= sought.value
      ORDER BY leaf.first_word DESC LIMIT 1
    ) AS lists
    FROM search_segments AS segment ${dialect.joinInOrder} ${dialect.textsOf(words)} AS sought ON true
    WHERE segment.part BETWEEN ${parts.first} AND ${parts.last}`.execute(db);
  const segments = new Map<string, SegmentLists>();
  for (const row of rows) {
    const list = row.lists === null ? undefined : findInLeaf(row.lists, row.word);
    if (list !== undefined) segmentOf(segments, row).lists.set(row.word, [list]);
  }
  return [...segments.values()];
}

/** The same of all words with a beginning. Index: the primary keys. */
export async function readListsFrom(
  { db, dialect }: WordScope,
  parts: IdRange,
  beginning: string,
): Promise<readonly SegmentLists[]> {
  const { rows } = await sql<LeafRow>`
    SELECT segment.part, segment.number, segment.removed, leaf.lists
    FROM search_segments AS segment ${dialect.joinInOrder} search_leaves AS leaf
      ON leaf.part = segment.part AND leaf.number = segment.number AND leaf.first_word < ${beginning + LAST_CHARACTER}
      AND leaf.first_word >= coalesce((
        SELECT max(earlier.first_word) FROM search_leaves AS earlier
        WHERE earlier.part = segment.part AND earlier.number = segment.number AND earlier.first_word <= ${beginning}
      ), '')
    WHERE segment.part BETWEEN ${parts.first} AND ${parts.last}`.execute(db);
  const segments = new Map<string, SegmentLists>();
  for (const row of rows) {
    const found: Uint8Array[] = [];
    const cursor = new LeafCursor([row.lists as Uint8Array]);
    while (cursor.advance()) if (cursor.text.startsWith(beginning)) found.push(cursor.list);
    if (found.length === 0) continue;
    const { lists } = segmentOf(segments, row);
    const key = beginningKey(beginning);
    lists.set(key, [...(lists.get(key) ?? []), ...found]);
  }
  return [...segments.values()];
}

/** What lists of words with a beginning are found by; no word. */
export function beginningKey(beginning: string): string {
  return `${beginning}*`;
}

const LAST_CHARACTER = '\u{10ffff}';

interface LeafRow {
  readonly part: number;
  readonly number: number;
  readonly removed: Uint8Array | null;
  readonly lists: Uint8Array | null;
}

function segmentOf(segments: Map<string, SegmentLists>, { part, number, removed }: LeafRow): SegmentLists {
  const key = `${part} ${number}`;
  const known = segments.get(key);
  if (known !== undefined) return known;
  const segment = { part, number, removed, lists: new Map<string, readonly Uint8Array[]>() };
  segments.set(key, segment);
  return segment;
}
