/** Takes out the rows of spans, and blocks that nothing is found in any more; others wait to be packed anew. */
import { sql } from 'kysely';
import { deleteBlocks } from '../../blocks/stored-blocks.ts';
import type { BulkUpdate } from '../../schema/statements.ts';
import type { QueryScope } from '../../queries/prepared-query.ts';

/** What it works with. */
export interface ForgetScope extends Pick<QueryScope, 'db' | 'dialect'> {
  readonly bulkUpdate: BulkUpdate;
}

/** Removes spans, their links, their locations and emptied blocks. Sums are the caller's to correct. */
export async function forgetSpans({ db, dialect, bulkUpdate }: ForgetScope, rowIds: readonly number[]): Promise<void> {
  const gone = dialect.numbersOf(rowIds);
  const blocks = await db
    .selectFrom('span_locations')
    .select(['block_id as id', sql<number>`-count(*)`.as('live_count')])
    .where('span_row_id', 'in', gone)
    .groupBy('block_id')
    .execute();
  await bulkUpdate('blocks', blocks, { live_count: 'add' });
  const blockIds = dialect.numbersOf(blocks.map(({ id }) => id));
  const emptied = await db
    .selectFrom('blocks')
    .select('id')
    .where('id', 'in', blockIds)
    .where('live_count', '<=', 0)
    .execute();
  await deleteBlocks(
    db,
    dialect,
    emptied.map(({ id }) => id),
  );
  await db.deleteFrom('compaction_queue').where('block_id', 'in', blockIds).execute();
  await db
    .insertInto('compaction_queue')
    .columns(['block_id', 'trace_row_id'])
    .expression(db.selectFrom('blocks').select(['id', 'trace_row_id']).where('id', 'in', blockIds))
    .execute();
  await db
    .deleteFrom('span_links')
    .where('trace_row_id', 'in', db.selectFrom('spans').select('trace_row_id').where('id', 'in', gone))
    .where('span_row_id', 'in', gone)
    .execute();
  await db.deleteFrom('span_locations').where('span_row_id', 'in', gone).execute();
  await db.deleteFrom('spans').where('id', 'in', gone).execute();
}
