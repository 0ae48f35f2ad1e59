/** Which blocks wait to be compacted. Ids of blocks of log records are among those of spans. */
import { type Kysely, sql } from 'kysely';
import { deleteBlocks, insertPackedBlock } from '../blocks/stored-blocks.ts';
import type { SqlDialect } from '../dialect/dialect.ts';
import { readAroundDamage } from '../engine/around-damage.ts';
import type { Tables } from '../schema/tables.ts';
import { holdsForRecords, swapRecordBlocks } from './log-records.ts';
import type { BlockPlan } from './pack-blocks.ts';
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
 * Traces with waiting blocks of which none is newer than the block named: those that have been quiet since. A bounded number,
 * longest waiting first. Index: the queue's primary key, blocks_of_trace for each trace.
 */
export async function findQuietTraces(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  lastQuietBlockId: number,
): Promise<readonly number[]> {
  let after = 0;
  for (;;) {
    const waiting = await selectWaiting(db, after, lastQuietBlockId);
    const traces = [...new Set(waiting.map((block) => block.trace_row_id))];
    // A trace that cannot be read counts as quiet: planning it names the damage.
    const growing = new Set(
      (await readAroundDamage(traces, (rowIds) => selectGrowing(db, dialect, rowIds, lastQuietBlockId))).rows,
    );
    const quiet = traces.filter((rowId) => !growing.has(rowId));
    const last = waiting.at(-1);
    // However much waits for traces that grow, what is behind it is found.
    if (quiet.length > 0 || last === undefined || waiting.length < MAX_LOOKED_AT) return quiet.slice(0, MAX_TRACES);
    after = last.block_id;
  }
}

function selectWaiting(db: Kysely<Tables>, after: number, lastQuietBlockId: number) {
  return db
    .selectFrom('compaction_queue')
    .select(['trace_row_id', 'block_id'])
    .where('block_id', '>', after)
    .where('block_id', '<=', lastQuietBlockId)
    .orderBy('block_id')
    .limit(MAX_LOOKED_AT)
    .execute();
}

/**
 * Of these traces those that are growing: a newer block of them waits, which what compaction packs does not, so that a large trace is gone
 * through step by step at once.
 */
async function selectGrowing(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  traceRowIds: readonly number[],
  lastQuietBlockId: number,
): Promise<readonly number[]> {
  const { rows } = await sql<{ readonly rowId: number }>`
    SELECT looked.value AS "rowId" FROM ${dialect.numbersOf(traceRowIds)} AS looked
    WHERE EXISTS (
      SELECT 1 FROM blocks JOIN compaction_queue AS newer ON newer.block_id = blocks.id
      WHERE blocks.trace_row_id = looked.value AND blocks.id > ${lastQuietBlockId})`.execute(db);
  return rows.map(({ rowId }) => rowId);
}

/**
 * Puts the plan into effect, if its blocks are still as they were; says whether anything is otherwise than before: a block was
 * replaced, or something waits no more.
 */
export async function swapBlocks(scope: SwapScope, plan: CompactionPlan): Promise<boolean> {
  const { db, dialect } = scope;
  const { traceRowId, spans, records, settledBlockIds } = plan;
  if (!((await holdsForSpans(scope, spans)) && (await holdsForRecords(scope, records)))) return false;
  await swapSpanBlocks(scope, traceRowId, spans);
  await swapRecordBlocks(scope, traceRowId, records);
  const { numDeletedRows } = await db
    .deleteFrom('compaction_queue')
    .where('block_id', 'in', dialect.numbersOf(settledBlockIds))
    .executeTakeFirst();
  return spans.sources.length > 0 || records.sources.length > 0 || numDeletedRows > 0n;
}

/** A dictionary that has gone since is as if a block had: no block refers to it, so it goes with the next one that is made. */
async function holdsForSpans({ db, dialect }: SwapScope, { sources, packed }: BlockPlan): Promise<boolean> {
  for (const dictionaryId of new Set(packed.flatMap((block) => block.dictionaryId ?? []))) {
    const found = await db
      .selectFrom('block_dictionaries')
      .select('id')
      .where('id', '=', dictionaryId)
      .executeTakeFirst();
    if (found === undefined) return false;
  }
  const ids = dialect.numbersOf(sources.map((block) => block.id));
  const stored = await db.selectFrom('blocks').select(['id', 'live_count']).where('id', 'in', ids).execute();
  const liveCounts = new Map(stored.map((block) => [block.id, block.live_count]));
  return sources.every((block) => liveCounts.get(block.id) === block.liveCount);
}

async function swapSpanBlocks(
  { db, dialect, bulkInsert, takeBlockId }: SwapScope,
  traceRowId: number,
  { sources, packed }: BlockPlan,
): Promise<void> {
  if (sources.length === 0) return;
  for (const { rowIds, ...block } of packed) {
    const id = takeBlockId();
    await insertPackedBlock({ dialect, bulkInsert }, { id, traceRowId, spanCount: rowIds.length, ...block });
    await db.deleteFrom('span_locations').where('span_row_id', 'in', dialect.numbersOf(rowIds)).execute();
    const locations = rowIds.map((span_row_id, ordinal) => ({ span_row_id, block_id: id, ordinal }));
    await bulkInsert('span_locations', locations);
  }
  await deleteBlocks(
    db,
    dialect,
    sources.map((block) => block.id),
  );
}

/** Bounds of one look at the queue. */
const MAX_LOOKED_AT = 2000;
const MAX_TRACES = 100;
