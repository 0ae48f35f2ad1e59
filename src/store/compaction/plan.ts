/**
 * What compaction makes of a trace's blocks, computed in a reader's thread. Every call of an agent repeats the history of
 * the calls before it, in requests and so in blocks of their own; packed together the repetitions cost almost nothing.
 */
import type { Kysely } from 'kysely';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { Tables } from '../schema/tables.ts';
import { FULL_BYTES, FULL_ITEMS, MAX_BLOCKS } from './choose-blocks.ts';
import { planRecords } from './log-records.ts';
import { blockContent, type Dictionary, toWholeBlocks } from '../blocks/stored-blocks.ts';
import { notePageDamage } from '../engine/damage.ts';
import { isDamage } from '../engine/storage-error.ts';
import { readRecordMessages } from '../logs/rows/read-messages.ts';
import { readOriginals } from '../spans/rows/originals.ts';
import { findDictionary } from './dictionaries.ts';
import { type BlockPlan, type Packing, packBlocks } from './pack-blocks.ts';

/** Which blocks of a trace become which. */
export interface CompactionPlan {
  readonly traceRowId: number;
  readonly spans: BlockPlan;
  readonly records: BlockPlan;
  /** Blocks that wait no more once this is done. */
  readonly settledBlockIds: readonly number[];
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** Processor time that planning took, in seconds. */
  readonly cpuSeconds: number;
}

/**
 * Plans the next step for a trace, oldest blocks first. A trace with pages that cannot be read leaves the queue, and its readable blocks
 * stay as they are. Index: blocks_of_trace, primary keys.
 */
export async function planCompaction(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  traceRowId: number,
): Promise<CompactionPlan> {
  try {
    return await planPacking(db, dialect, traceRowId);
  } catch (error) {
    if (!isDamage(error)) throw error;
    notePageDamage(`A part of the trace with row ID ${traceRowId}`, error);
    return planSettling(db, traceRowId);
  }
}

/** Has a trace wait no more as it is. What the queue says of it decides, for which all of it is looked through. */
export async function planSettling(db: Kysely<Tables>, traceRowId: number): Promise<CompactionPlan> {
  const settledBlockIds = (await selectWaiting(db, traceRowId)).map((waiting) => waiting.block_id);
  const nothing = { spans: NOTHING, records: NOTHING, bytesBefore: 0, bytesAfter: 0, cpuSeconds: 0 };
  return { traceRowId, settledBlockIds, ...nothing };
}

async function planPacking(db: Kysely<Tables>, dialect: SqlDialect, traceRowId: number): Promise<CompactionPlan> {
  const cpuBefore = process.threadCpuUsage();
  const { plan: spans, unreadableRowIds: lostSpans } = await planSpans(db, dialect, traceRowId);
  // Many of the one wait for the next step: what a swap moves holds up acknowledgements.
  const spanCount = spans.packed.reduce((sum, { rowIds }) => sum + rowIds.length, 0);
  const { plan: records, unreadableRowIds: lostRecords } =
    spanCount > MAX_SPANS_BESIDE ? NOTHING_PACKED : await planRecords(db, dialect, traceRowId);
  // Reading them notes what is lost.
  await readOriginals(db, dialect, lostSpans, LEAVE_OUT);
  await readRecordMessages(db, dialect, lostRecords, LEAVE_OUT);
  const sources = [...spans.sources, ...records.sources].map(({ id }) => id);
  // A trace waits until nothing is left to do: then all of it is settled, whatever it waited for.
  const settledBlockIds = sources.length > 0 ? sources : await findWaiting(db, traceRowId);
  const { user, system } = process.threadCpuUsage(cpuBefore);
  return {
    traceRowId,
    spans,
    records,
    settledBlockIds,
    bytesBefore: spans.bytesBefore + records.bytesBefore,
    bytesAfter: sumBytes([...spans.packed, ...records.packed]),
    cpuSeconds: (user + system) / 1e6,
  };
}

/** Spans that are moved beside log records. */
const MAX_SPANS_BESIDE = 500;

const NOTHING: BlockPlan = { sources: [], packed: [], bytesBefore: 0 };
const NOTHING_PACKED: Packing = { plan: NOTHING, unreadableRowIds: [] };

const LEAVE_OUT = { onDamaged: () => undefined };

async function planSpans(db: Kysely<Tables>, dialect: SqlDialect, traceRowId: number): Promise<Packing> {
  const blocks = await db
    .selectFrom('blocks')
    .select(['id', 'raw_bytes as rawBytes', 'span_count as itemCount', 'live_count as liveCount'])
    .select((block) =>
      block
        .exists(block.selectFrom('compaction_queue').select('block_id').whereRef('block_id', '=', 'blocks.id'))
        .as('waits'),
    )
    .where('trace_row_id', '=', traceRowId)
    // Full ones, of which a trace may have any number, would only be counted.
    .where((block) =>
      block.or([
        block.and([block('raw_bytes', '<', FULL_BYTES), block('span_count', '<=', FULL_ITEMS)]),
        block('live_count', '<>', block.ref('span_count')),
      ]),
    )
    .orderBy('id')
    .limit(MAX_BLOCKS)
    .execute();
  const sizes = blocks.map(({ waits, ...size }) => ({ ...size, isWaiting: Boolean(waits) }));
  const read = async (blockIds: readonly number[]) => {
    const rows = await db
      .selectFrom('spans')
      .innerJoin('span_locations', 'span_locations.span_row_id', 'spans.id')
      .innerJoin('blocks', 'blocks.id', 'span_locations.block_id')
      .select(blockContent(dialect))
      .select((row) => dialect.collectTuples(row.ref('span_row_id'), row.ref('ordinal')).as('places'))
      .where('spans.trace_row_id', '=', traceRowId)
      .where('blocks.id', 'in', dialect.numbersOf(blockIds))
      .groupBy('blocks.id')
      .execute();
    const whole = await toWholeBlocks(db, rows);
    return whole.map(({ row, block }) => ({ ...row, data: block.data, dictionary: block.dictionary }));
  };
  return packBlocks(sizes, read, await findReadableDictionary(db, traceRowId));
}

/** Without a dictionary, short traces are packed all the same. */
async function findReadableDictionary(db: Kysely<Tables>, traceRowId: number): Promise<Dictionary | undefined> {
  try {
    return await findDictionary(db, traceRowId);
  } catch (error) {
    if (!isDamage(error)) throw error;
    notePageDamage('A dictionary of blocks', error);
    return undefined;
  }
}

/**
 * What waits for the trace: blocks of it, or where there are none, blocks that have gone or become another trace's, for which the
 * whole queue is looked through. A bounded number. Index: blocks_of_trace, log_record_blocks_of_trace, primary keys.
 */
async function findWaiting(db: Kysely<Tables>, traceRowId: number): Promise<readonly number[]> {
  const ofSpans = await db
    .selectFrom('blocks')
    .innerJoin('compaction_queue as waiting', 'waiting.block_id', 'blocks.id')
    .select('waiting.block_id')
    .where('blocks.trace_row_id', '=', traceRowId)
    .limit(MAX_SETTLED)
    .execute();
  const ofRecords = await db
    .selectFrom('traces')
    .innerJoin('log_record_blocks as block', 'block.trace_id', 'traces.trace_id')
    .innerJoin('compaction_queue as waiting', 'waiting.block_id', 'block.id')
    .select('waiting.block_id')
    .where('traces.id', '=', traceRowId)
    .limit(MAX_SETTLED)
    .execute();
  const own = [...ofSpans, ...ofRecords];
  const found = own.length > 0 ? own : await selectWaiting(db, traceRowId);
  return found.map((waiting) => waiting.block_id);
}

function selectWaiting(db: Kysely<Tables>, traceRowId: number) {
  const waiting = db.selectFrom('compaction_queue').select('block_id').where('trace_row_id', '=', traceRowId);
  return waiting.limit(MAX_SETTLED).execute();
}

const MAX_SETTLED = 2000;

function sumBytes(blocks: readonly { readonly data: Uint8Array }[]): number {
  return blocks.reduce((sum, block) => sum + block.data.length, 0);
}
