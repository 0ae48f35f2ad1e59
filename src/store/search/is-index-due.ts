import type { ReadScope } from '../spans/rows/read-scope.ts';
import { readSearchProgress } from '../texts/progress.ts';

/** Whether the search index has anything to take in, to mend or to erase. It is asked far more often than it has. Index: primary keys. */
export async function isIndexDue({ db }: Pick<ReadScope, 'db'>): Promise<boolean> {
  const { nextRowId, endRowId, queuedCount, rebuild } = await readSearchProgress(db);
  if (nextRowId < endRowId || queuedCount > 0 || rebuild !== null) return true;
  const suspect = await db.selectFrom('search_suspect_parts').select('part').limit(1).executeTakeFirst();
  if (suspect !== undefined) return true;
  const erasable = await db
    .selectFrom('search_segments')
    .select('part')
    .where('removed_count', '>', 0)
    .limit(1)
    .executeTakeFirst();
  return erasable !== undefined;
}
