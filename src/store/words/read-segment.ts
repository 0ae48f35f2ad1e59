/** Reads whole segments: to merge them, and to verify them. */
import { damagedWords, unlessDamaged } from './damaged-words.ts';
import { coverWords } from './leaves.ts';
import type { OpenSegment } from './merge-segments.ts';
import type { WordScope } from './read-lists.ts';
import {
  HEAD,
  openLeaf,
  openLengths,
  openRemoved,
  openTexts,
  openVocabulary,
  REMOVED,
  type SegmentKey,
  VOCABULARY,
} from './sealed-segments.ts';

/**
 * A segment; `undefined` for one that is gone. Index: the primary keys.
 * @throws AppError `data_damaged`
 */
export async function readSegment({ db }: WordScope, key: SegmentKey): Promise<OpenSegment | undefined> {
  const { part, number } = key;
  const rows = await db
    .selectFrom('search_leaves')
    .select(['first_word', 'lists'])
    .where('part', '=', part)
    .where('number', '=', number)
    .orderBy('first_word')
    .execute();
  // Where it is there after its leaves were read, it was there when they were.
  const row = await db
    .selectFrom('search_segments')
    .select([...HEAD, ...REMOVED, ...VOCABULARY, 'lengths'])
    .where('part', '=', part)
    .where('number', '=', number)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  openVocabulary(row);
  const leaves = rows.map((leaf) => openLeaf(key, leaf.lists));
  const isFound = leaves.every((leaf, at) => Buffer.from(rows[at]?.first_word ?? '').equals(leaf.key));
  if (!isFound || !coverWords(leaves, new Uint8Array(0))) throw damagedWords(part, number);
  return { offsets: openTexts(row), lengths: openLengths(row), removed: openRemoved(row), leaves };
}

/** What the segments of a part come to when all of them are read. */
export interface VerifiedPart {
  readonly damaged: readonly number[];
  /** Ids of the texts of all others after the first of the part. */
  readonly texts: ReadonlySet<number>;
}

/** Reads the segments of a part, which notes those that are damaged. Index: the primary keys. */
export async function verifyPart(scope: WordScope, part: number): Promise<VerifiedPart> {
  const ofPart = scope.db.selectFrom('search_segments').select('number').where('part', '=', part);
  const texts = new Set<number>();
  const damaged = await findLostHeads(scope, part);
  for (const { number } of await ofPart.execute()) {
    const read = await unlessDamaged(() => readSegment(scope, { part, number }), null);
    if (read === null) damaged.push(number);
    else if (read !== undefined)
      for (const [place, offset] of read.offsets.entries()) if (!read.removed.has(place)) texts.add(offset);
  }
  return { damaged, texts };
}

/** Segments of which there are leaves alone. */
async function findLostHeads({ db }: WordScope, part: number): Promise<number[]> {
  const rows = await db
    .selectFrom('search_leaves')
    .select('number')
    .distinct()
    .where('part', '=', part)
    .where('number', 'not in', db.selectFrom('search_segments').select('number').where('part', '=', part))
    .execute();
  for (const { number } of rows) damagedWords(part, number);
  return rows.map(({ number }) => number);
}
