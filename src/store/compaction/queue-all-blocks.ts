import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema/tables.ts';
import { FULL_BYTES, FULL_ITEMS } from './choose-blocks.ts';

/** Has all blocks wait that may be packed, where what the queue said is lost. Reads all blocks but for their contents. */
export async function queueAllBlocks(db: Kysely<Tables>): Promise<void> {
  await sql`INSERT INTO compaction_queue (block_id, trace_row_id)
    SELECT id, trace_row_id FROM blocks
    WHERE (raw_bytes < ${FULL_BYTES} AND span_count <= ${FULL_ITEMS}) OR live_count <> span_count
    UNION ALL SELECT block.id, traces.id FROM log_record_blocks AS block JOIN traces ON traces.trace_id = block.trace_id
    WHERE (block.raw_bytes < ${FULL_BYTES} AND block.record_count <= ${FULL_ITEMS}) OR block.live_count <> block.record_count`.execute(
    db,
  );
}
