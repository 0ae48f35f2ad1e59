/** Compaction of the log records of a trace, beside that of its spans: where content is in records, so are the repetitions. */
import type { Kysely } from 'kysely';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { Tables } from '../schema/tables.ts';
import { FULL_BYTES, FULL_ITEMS, MAX_BLOCKS } from './choose-blocks.ts';
import { type BlockPlan, type Packing, packBlocks } from './pack-blocks.ts';
import type { SwapScope } from './swap-scope.ts';

/** Plans the next step for the log records of a trace. Index: log_record_blocks_of_trace, log_records_in_block. */
export async function planRecords(db: Kysely<Tables>, dialect: SqlDialect, traceRowId: number): Promise<Packing> {
  const blocks = await db
    .selectFrom('traces')
    .innerJoin('log_record_blocks as block', 'block.trace_id', 'traces.trace_id')
    .select(['block.id', 'block.raw_bytes as rawBytes', 'block.record_count as itemCount'])
    .select('block.live_count as liveCount')
    .where('traces.id', '=', traceRowId)
    .where((block) =>
      block.or([
        block.and([block('block.raw_bytes', '<', FULL_BYTES), block('block.record_count', '<=', FULL_ITEMS)]),
        block('block.live_count', '<>', block.ref('block.record_count')),
      ]),
    )
    .orderBy('block.id')
    .limit(MAX_BLOCKS)
    .execute();
  return packBlocks(blocks, (blockIds) =>
    db
      .selectFrom('log_records as record')
      .innerJoin('log_record_blocks as block', 'block.id', 'record.block_id')
      .select(['block.id', 'block.data', 'block.raw_bytes'])
      .select((row) => dialect.collectTuples(row.ref('record.id'), row.ref('record.ordinal')).as('places'))
      .where('record.block_id', 'in', dialect.numbersOf(blockIds))
      .groupBy('block.id')
      .execute(),
  );
}

/** Whether the blocks of the plan are as they were. Index: primary key. */
export async function holdsForRecords({ db, dialect }: SwapScope, { sources }: BlockPlan): Promise<boolean> {
  if (sources.length === 0) return true;
  const ids = sources.map((block) => block.id);
  const stored = await db
    .selectFrom('log_record_blocks')
    .select(['id', 'live_count'])
    .where('id', 'in', dialect.numbersOf(ids))
    .execute();
  const liveCounts = new Map(stored.map((block) => [block.id, block.live_count]));
  return sources.every((block) => liveCounts.get(block.id) === block.liveCount);
}

/** Puts a plan that holds into effect. */
export async function swapRecordBlocks(scope: SwapScope, traceRowId: number, plan: BlockPlan): Promise<void> {
  const { db, dialect, bulkInsert, takeBlockId } = scope;
  if (plan.sources.length === 0) return;
  const trace = await db.selectFrom('traces').select('trace_id').where('id', '=', traceRowId).executeTakeFirst();
  for (const { data, rawBytes: raw_bytes, rowIds } of plan.packed) {
    const id = takeBlockId();
    const record_count = rowIds.length;
    const counts = { record_count, live_count: record_count, raw_bytes };
    await bulkInsert('log_record_blocks', [{ id, trace_id: trace?.trace_id ?? null, ...counts, data }]);
    const places = JSON.stringify(rowIds.map((rowId, ordinal) => [rowId, ordinal]));
    await db
      .updateTable('log_records')
      .from(
        dialect
          .tuplesOfJson(places, { record_id: 'number', place: 'number' })
          .$castTo<{ record_id: number; place: number }>()
          .as('moved'),
      )
      .set((row) => ({ block_id: id, ordinal: row.ref('moved.place') }))
      .whereRef('log_records.id', '=', 'moved.record_id')
      .execute();
  }
  const sourceIds = plan.sources.map((block) => block.id);
  await db.deleteFrom('log_record_blocks').where('id', 'in', dialect.numbersOf(sourceIds)).execute();
}
