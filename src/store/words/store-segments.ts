/** Writes what was planned for the segments of a part, in the writer. */
import type { BulkInsert } from '../schema/statements.ts';
import type { WordScope } from './read-lists.ts';
import type { SegmentChange } from './segment-changes.ts';

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
  await db.insertInto('search_segments').values(added.row).execute();
  await bulkInsert(
    'search_leaves',
    added.leaves.map((leaf) => ({ ...leaf })),
  );
}
