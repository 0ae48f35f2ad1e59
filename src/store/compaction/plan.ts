/**
 * What compaction makes of a trace's blocks, computed in a reader's thread. Every call of an agent repeats the history of
 * the calls before it, in requests and so in blocks of their own; packed together the repetitions cost almost nothing.
 */
import type { Kysely } from 'kysely';
import { decodeBlock, type EncodedBlock, encodeBlock, partitionIntoBlocks } from '../blocks/codec.ts';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { Tables } from '../schema/tables.ts';
import { chooseBlocks, MAX_BLOCKS, type SourceBlock, TARGET_BYTES } from './choose-blocks.ts';
import { planRecords, type RecordPlan } from './log-records.ts';

/** A new block and the spans in it, in order. */
export interface PackedBlock extends EncodedBlock {
  readonly spanRowIds: readonly number[];
}

/** Which blocks of a trace become which. */
export interface CompactionPlan {
  readonly traceRowId: number;
  /** Blocks that are replaced; none where they are as good as they can be. */
  readonly sources: readonly SourceBlock[];
  readonly packed: readonly PackedBlock[];
  /** The same of log records. */
  readonly records: RecordPlan;
  /** Blocks that need not be looked at again. */
  readonly settledBlockIds: readonly number[];
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** Processor time that planning took, in seconds. */
  readonly cpuSeconds: number;
}

/** Higher levels took three to thirty times as long for a tenth less. */
const LEVEL = 9;

/** Plans the next step for a trace, oldest blocks first. Index: blocks_of_trace, primary keys. */
export async function planCompaction(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  traceRowId: number,
): Promise<CompactionPlan> {
  const cpuBefore = process.threadCpuUsage();
  const blocks = await db
    .selectFrom('blocks')
    .select(['id', 'raw_bytes', 'span_count', 'live_count'])
    .where('trace_row_id', '=', traceRowId)
    .orderBy('id')
    .limit(MAX_BLOCKS)
    .execute();
  const { sources, settledBlockIds } = chooseBlocks(
    blocks.map((block) => ({
      id: block.id,
      rawBytes: block.raw_bytes,
      itemCount: block.span_count,
      liveCount: block.live_count,
    })),
  );
  const packing = await pack(db, dialect, traceRowId, sources);
  const records = await planRecords(db, dialect, traceRowId, LEVEL);
  const { user, system } = process.threadCpuUsage(cpuBefore);
  return {
    traceRowId,
    sources,
    packed: packing.packed,
    records,
    settledBlockIds: [...settledBlockIds, ...records.settledBlockIds],
    bytesBefore: packing.bytesBefore + records.bytesBefore,
    bytesAfter: packing.bytesAfter + sumBytes(records.packed),
    cpuSeconds: (user + system) / 1e6,
  };
}

async function pack(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  traceRowId: number,
  sources: readonly SourceBlock[],
): Promise<Pick<CompactionPlan, 'packed' | 'bytesBefore' | 'bytesAfter'>> {
  if (sources.length === 0) return { packed: [], bytesBefore: 0, bytesAfter: 0 };
  const blocks = await db
    .selectFrom('spans')
    .innerJoin('span_locations', 'span_locations.span_row_id', 'spans.id')
    .innerJoin('blocks', 'blocks.id', 'span_locations.block_id')
    .select(['blocks.id', 'blocks.data', 'blocks.raw_bytes'])
    .select((row) => dialect.collectTuples(row.ref('span_row_id'), row.ref('ordinal')).as('places'))
    .where('spans.trace_row_id', '=', traceRowId)
    .where('blocks.id', 'in', dialect.numbersOf(sources.map((block) => block.id)))
    .groupBy('blocks.id')
    .execute();
  const spans = blocks.flatMap((block) => {
    const messages = decodeBlock({ data: block.data, rawBytes: block.raw_bytes });
    const places = JSON.parse(block.places) as [rowId: number, ordinal: number][];
    return places.map(([rowId, ordinal]) => ({ rowId, bytes: messages[ordinal] as Uint8Array }));
  });
  spans.sort((a, b) => a.rowId - b.rowId);
  const packed = partitionIntoBlocks(spans, TARGET_BYTES).map((run) => {
    const messages = run.map((span) => span.bytes);
    return { ...encodeBlock(messages, LEVEL), spanRowIds: run.map((span) => span.rowId) };
  });
  return { packed, bytesBefore: sumBytes(blocks), bytesAfter: sumBytes(packed) };
}

function sumBytes(blocks: readonly { readonly data: Uint8Array }[]): number {
  return blocks.reduce((sum, block) => sum + block.data.length, 0);
}
