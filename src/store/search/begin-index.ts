import { type Kysely, sql } from 'kysely';
import { TOKENIZER_VERSION } from '#derive/search/tokenizer';
import type { Tables } from '../schema/tables.ts';

/** Has an index whose tables are empty filled from the first span on. */
export async function beginSearchIndex(db: Kysely<Tables>): Promise<void> {
  const first = { next_span_row_id: 1, rebuild_next_span_row_id: null, rebuild_end_span_row_id: null, failed_count: 0 };
  const progress = { ...first, tokenizer_version: TOKENIZER_VERSION };
  // Later than all that was, also where it is not known any more.
  const nowMs = Date.now();
  await db
    .insertInto('search_progress')
    .values({ id: 1, ...progress, change_count: nowMs, next_segment_number: nowMs })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        ...progress,
        change_count: sql`max(search_progress.change_count, ${nowMs}) + 1`,
        next_segment_number: sql`max(search_progress.next_segment_number, ${nowMs}) + 1`,
      }),
    )
    .execute();
}
