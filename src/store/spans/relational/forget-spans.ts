/** Takes out the rows of spans, and blocks that nothing is found in any more; others wait to be packed anew. */
import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../../dialect/dialect.ts';
import type { Tables } from '../../schema/tables.ts';

/** Removes spans, their links, their locations and emptied blocks. Sums are the caller's to correct. */
export async function forgetSpans(db: Kysely<Tables>, dialect: SqlDialect, rowIds: readonly number[]): Promise<void> {
  const blocks = await db
    .selectFrom('span_locations')
    .select(['block_id', sql<number>`count(*)`.as('gone')])
    .where('span_row_id', 'in', dialect.numbersOf(rowIds))
    .groupBy('block_id')
    .execute();
  for (const { block_id, gone } of blocks) {
    await db
      .updateTable('blocks')
      .set((block) => ({ live_count: block('live_count', '-', gone) }))
      .where('id', '=', block_id)
      .execute();
    await db.deleteFrom('blocks').where('id', '=', block_id).where('live_count', '<=', 0).execute();
    await db.deleteFrom('compaction_queue').where('block_id', '=', block_id).execute();
    await db
      .insertInto('compaction_queue')
      .columns(['block_id', 'trace_row_id'])
      .expression(db.selectFrom('blocks').select(['id', 'trace_row_id']).where('id', '=', block_id))
      .execute();
  }
  const gone = dialect.numbersOf(rowIds);
  await db
    .deleteFrom('span_links')
    .where('trace_row_id', 'in', db.selectFrom('spans').select('trace_row_id').where('id', 'in', gone))
    .where('span_row_id', 'in', gone)
    .execute();
  await db.deleteFrom('span_locations').where('span_row_id', 'in', dialect.numbersOf(rowIds)).execute();
  await db.deleteFrom('spans').where('id', 'in', dialect.numbersOf(rowIds)).execute();
}
