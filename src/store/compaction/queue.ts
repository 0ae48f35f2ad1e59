/** Which blocks wait to be compacted. Ids of blocks of log records are among those of spans. */
import type { Kysely } from 'kysely';
import type { Tables } from '../schema/tables.ts';
import { holdsForRecords, swapRecordBlocks } from './log-records.ts';
import type { CompactionPlan } from './plan.ts';
import type { SwapScope } from './swap-scope.ts';

/** The last block there is, 0 for none; blocks come in order, so everything up to it is older than now. Index: primary key. */
export async function readLastBlockId(db: Kysely<Tables>): Promise<number> {
  const ofSpans = await db.selectFrom('blocks').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  const ofRecords = await db
    .selectFrom('log_record_blocks')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return Math.max(ofSpans?.id ?? 0, ofRecords?.id ?? 0);
}

/**
 * Traces with waiting blocks and none that is newer than the block named: those that have been quiet since. A bounded
 * number, longest waiting first. Index: the queue's primary key, blocks_of_trace for each trace.
 */
export async function findQuietTraces(db: Kysely<Tables>, lastQuietBlockId: number): Promise<readonly number[]> {
  const rows = await db
    .with('waiting', (query) =>
      query
        .selectFrom('compaction_queue')
        .select(['trace_row_id', 'block_id'])
        .where('block_id', '<=', lastQuietBlockId)
        .orderBy('block_id')
        .limit(MAX_LOOKED_AT),
    )
    .selectFrom('waiting')
    .select('waiting.trace_row_id')
    .groupBy('waiting.trace_row_id')
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('blocks')
            .select('blocks.id')
            .whereRef('blocks.trace_row_id', '=', 'waiting.trace_row_id')
            .where('blocks.id', '>', lastQuietBlockId),
        ),
      ),
    )
    .orderBy((row) => row.fn.min('waiting.block_id'))
    .limit(MAX_TRACES)
    .execute();
  return rows.map((row) => row.trace_row_id);
}

/** Puts the plan into effect, if its blocks are still as they were; says whether it did. */
export async function swapBlocks(scope: SwapScope, plan: CompactionPlan): Promise<boolean> {
  const { db, dialect, bulkInsert, takeBlockId } = scope;
  const { traceRowId, sources, packed, settledBlockIds } = plan;
  const sourceIds = dialect.numbersOf(sources.map((block) => block.id));
  const stored = await db.selectFrom('blocks').select(['id', 'live_count']).where('id', 'in', sourceIds).execute();
  const liveCounts = new Map(stored.map((block) => [block.id, block.live_count]));
  if (sources.some((block) => liveCounts.get(block.id) !== block.liveCount)) return false;
  if (!(await holdsForRecords(scope, plan.records))) return false;
  for (const { data, rawBytes, spanRowIds } of packed) {
    const id = takeBlockId();
    const span_count = spanRowIds.length;
    await bulkInsert('blocks', [
      { id, trace_row_id: traceRowId, span_count, live_count: span_count, raw_bytes: rawBytes, data },
    ]);
    await db.deleteFrom('span_locations').where('span_row_id', 'in', dialect.numbersOf(spanRowIds)).execute();
    const locations = spanRowIds.map((span_row_id, ordinal) => ({ span_row_id, block_id: id, ordinal }));
    await bulkInsert('span_locations', locations);
  }
  await db.deleteFrom('blocks').where('id', 'in', sourceIds).execute();
  await swapRecordBlocks(scope, traceRowId, plan.records);
  await db.deleteFrom('compaction_queue').where('block_id', 'in', dialect.numbersOf(settledBlockIds)).execute();
  return true;
}

/** Bounds of one look at the queue. */
const MAX_LOOKED_AT = 2000;
const MAX_TRACES = 100;
