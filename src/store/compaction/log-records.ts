/** Compaction of the log records of a trace, beside that of its spans: where content is in records, so are the repetitions. */
import type { Kysely } from 'kysely';
import { decodeBlock, type EncodedBlock, encodeBlock, partitionIntoBlocks } from '../blocks/codec.ts';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { Tables } from '../schema/tables.ts';
import { type BlockChoice, chooseBlocks, MAX_BLOCKS, TARGET_BYTES } from './choose-blocks.ts';
import type { SwapScope } from './swap-scope.ts';

/** A new block and the log records in it, in order. */
export interface PackedRecordBlock extends EncodedBlock {
  readonly recordRowIds: readonly number[];
}

/** Which blocks of log records become which. */
export interface RecordPlan extends BlockChoice {
  readonly packed: readonly PackedRecordBlock[];
  readonly bytesBefore: number;
}

/** Plans the next step for the log records of a trace. Index: log_record_blocks_of_trace, log_records_in_block. */
export async function planRecords(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  traceRowId: number,
  level: number,
): Promise<RecordPlan> {
  const blocks = await db
    .selectFrom('traces')
    .innerJoin('log_record_blocks as block', 'block.trace_id', 'traces.trace_id')
    .select(['block.id', 'block.raw_bytes', 'block.record_count', 'block.live_count'])
    .where('traces.id', '=', traceRowId)
    .orderBy('block.id')
    .limit(MAX_BLOCKS)
    .execute();
  const choice = chooseBlocks(
    blocks.map((block) => ({
      id: block.id,
      rawBytes: block.raw_bytes,
      itemCount: block.record_count,
      liveCount: block.live_count,
    })),
  );
  if (choice.sources.length === 0) return { ...choice, packed: [], bytesBefore: 0 };
  const sources = await db
    .selectFrom('log_records as record')
    .innerJoin('log_record_blocks as block', 'block.id', 'record.block_id')
    .select(['block.id', 'block.data', 'block.raw_bytes'])
    .select((row) => dialect.collectTuples(row.ref('record.id'), row.ref('record.ordinal')).as('places'))
    .where('record.block_id', 'in', dialect.numbersOf(choice.sources.map((block) => block.id)))
    .groupBy('block.id')
    .execute();
  const records = sources.flatMap(({ data, raw_bytes: rawBytes, places }) => {
    const messages = decodeBlock({ data, rawBytes });
    const pairs = JSON.parse(places) as [rowId: number, ordinal: number][];
    return pairs.map(([rowId, ordinal]) => ({ rowId, bytes: messages[ordinal] as Uint8Array }));
  });
  records.sort((a, b) => a.rowId - b.rowId);
  const packed = partitionIntoBlocks(records, TARGET_BYTES).map((run) => {
    const block = encodeBlock(
      run.map(({ bytes }) => bytes),
      level,
    );
    return { ...block, recordRowIds: run.map(({ rowId }) => rowId) };
  });
  return { ...choice, packed, bytesBefore: sources.reduce((sum, { data }) => sum + data.length, 0) };
}

/** Whether the blocks of the plan are as they were. Index: primary key. */
export async function holdsForRecords({ db, dialect }: SwapScope, { sources }: RecordPlan): Promise<boolean> {
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
export async function swapRecordBlocks(scope: SwapScope, traceRowId: number, plan: RecordPlan): Promise<void> {
  const { db, dialect, bulkInsert, takeBlockId } = scope;
  if (plan.sources.length === 0) return;
  const trace = await db.selectFrom('traces').select('trace_id').where('id', '=', traceRowId).executeTakeFirst();
  for (const { data, rawBytes: raw_bytes, recordRowIds } of plan.packed) {
    const id = takeBlockId();
    const record_count = recordRowIds.length;
    const counts = { record_count, live_count: record_count, raw_bytes };
    await bulkInsert('log_record_blocks', [{ id, trace_id: trace?.trace_id ?? null, ...counts, data }]);
    const places = JSON.stringify(recordRowIds.map((rowId, ordinal) => [rowId, ordinal]));
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
