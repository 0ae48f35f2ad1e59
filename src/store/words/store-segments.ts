/** Writes what was planned for the segments of a part, in the writer. */
import type { BulkInsert } from '../schema/statements.ts';
import type { WordScope } from './read-lists.ts';
import type { SegmentChange } from './segment-changes.ts';

/** Whether the segments that the change is about are as it found them. Index: the primary key. */
export async function isUpToDate({ db, dialect }: WordScope, change: SegmentChange): Promise<boolean> {
  const needed = [...change.dropped, ...change.thinned.map(({ number }) => number)];
  if (needed.length === 0) return true;
  const there = await db
    .selectFrom('search_segments')
    .select('number')
    .where('part', '=', change.part)
    .where('number', 'in', dialect.numbersOf(needed))
    .execute();
  return there.length === needed.length;
}

/** Puts the change into effect. */
export async function storeSegments(
  { db, dialect, bulkInsert }: WordScope & { readonly bulkInsert: BulkInsert },
  { part, dropped, added, thinned }: SegmentChange,
): Promise<void> {
  if (dropped.length > 0) {
    for (const table of ['search_leaves', 'search_segments'] as const) {
      await db.deleteFrom(table).where('part', '=', part).where('number', 'in', dialect.numbersOf(dropped)).execute();
    }
  }
  for (const { number, removed, removedCount, removedMs } of thinned) {
    await db
      .updateTable('search_segments')
      .set({ removed, removed_count: removedCount, removed_ms: removedMs })
      .where('part', '=', part)
      .where('number', '=', number)
      .execute();
  }
  if (added === undefined) return;
  const { number, textCount, size, texts, lengths, vocabularySize, vocabulary, leaves } = added;
  await db
    .insertInto('search_segments')
    .values({
      part,
      number,
      text_count: textCount,
      size,
      vocabulary_size: vocabularySize,
      removed_count: 0,
      removed_ms: null,
      removed: null,
      texts,
      lengths,
      vocabulary,
    })
    .execute();
  await bulkInsert(
    'search_leaves',
    leaves.map(({ firstWord, lists }) => ({ part, number, first_word: firstWord, lists })),
  );
}
