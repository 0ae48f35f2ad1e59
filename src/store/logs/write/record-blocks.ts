/** Blocks of log records: originals in, rows out of the way when nothing is found in them any more. */
import { sql } from 'kysely';
import { encodeBlock, type EncodedBlock } from '../../blocks/codec.ts';
import { prepareQuery, type QueryScope } from '../../queries/prepared-query.ts';
import type { IncomingRecord } from '../../incoming/records.ts';
import type { RecordScope } from './scope.ts';
import type { ColumnValue } from '../../schema/column-value.ts';

/** A log record that was not stored before. */
export interface AddedRecord {
  readonly rowId: number;
  readonly incoming: IncomingRecord;
  readonly projectId: number;
  /** The trace that it names; `undefined` where it names none, or the trace is not stored. */
  readonly traceRowId: number | undefined;
  /** The span whose ids it carries; `null` where it carries none, or the span is not stored. */
  readonly spanRowId: number | null;
}

/** Where the original of a record lies. */
export interface RecordPlace {
  readonly blockId: number;
  readonly ordinal: number;
}

/**
 * Stores the originals; returns the place of each record by its row id. Blocks come packed; where some of a block's
 * records are not to be stored, the others are packed anew.
 */
export async function addBlocks(
  scope: Pick<RecordScope, 'rowIds' | 'bulkInsert'>,
  added: readonly AddedRecord[],
): Promise<ReadonlyMap<number, RecordPlace>> {
  const places = new Map<number, RecordPlace>();
  const rows: Record<string, ColumnValue>[] = [];
  const queue: Record<string, ColumnValue>[] = [];
  for (const [block, records] of Map.groupBy(added, ({ incoming }) => incoming.block)) {
    const inPlace = records.toSorted((a, b) => a.incoming.ordinal - b.incoming.ordinal);
    const encoded: EncodedBlock =
      records.length === block.recordCount ? block : encodeBlock(inPlace.map(({ incoming }) => incoming.bytes));
    const id = scope.rowIds.take('blocks');
    const trace_id = inPlace[0]?.incoming.traceId ?? null;
    const record_count = records.length;
    const { data, rawBytes: raw_bytes } = encoded;
    rows.push({ id, trace_id, record_count, live_count: record_count, raw_bytes, data });
    const traceRowId = inPlace[0]?.traceRowId;
    if (traceRowId !== undefined) queue.push({ block_id: id, trace_row_id: traceRowId });
    for (const [ordinal, { rowId }] of inPlace.entries()) places.set(rowId, { blockId: id, ordinal });
  }
  await scope.bulkInsert('log_record_blocks', rows);
  await scope.bulkInsert('compaction_queue', queue);
  return places;
}

/** Has the blocks of log records packed that came before their traces. Index: log_record_blocks_of_trace. */
export async function queueBlocks(scope: QueryScope, traceIds: readonly string[]): Promise<void> {
  if (traceIds.length > 0) await insertIntoQueue(scope, { traceIds: JSON.stringify(traceIds) });
}

const insertIntoQueue = prepareQuery(({ db, dialect }, values: { readonly traceIds: string }) =>
  db
    .insertInto('compaction_queue')
    .columns(['block_id', 'trace_row_id'])
    .expression(
      db
        .selectFrom('traces')
        .innerJoin('log_record_blocks as block', 'block.trace_id', 'traces.trace_id')
        .select(['block.id', 'traces.id as trace_row_id'])
        .where('traces.trace_id', 'in', dialect.textsOfJson(values.traceIds)),
    )
    .onConflict((conflict) => conflict.column('block_id').doNothing()),
);

/** Removes log records and emptied blocks. Index: primary keys. */
export async function forgetRecords(
  { db, dialect, bulkUpdate }: Pick<RecordScope, 'db' | 'dialect' | 'bulkUpdate'>,
  rowIds: readonly number[],
): Promise<void> {
  if (rowIds.length === 0) return;
  const blocks = await db
    .selectFrom('log_records')
    .select(['block_id as id', sql<number>`-count(*)`.as('live_count')])
    .where('id', 'in', dialect.numbersOf(rowIds))
    .groupBy('block_id')
    .execute();
  await bulkUpdate('log_record_blocks', blocks, { live_count: 'add' });
  const blockIds = dialect.numbersOf(blocks.map(({ id }) => id));
  await db.deleteFrom('log_record_blocks').where('id', 'in', blockIds).where('live_count', '<=', 0).execute();
  await db
    .deleteFrom('compaction_queue')
    .where('block_id', 'in', blockIds)
    .where('block_id', 'not in', db.selectFrom('log_record_blocks').select('id').where('id', 'in', blockIds))
    .execute();
  await db.deleteFrom('log_records').where('id', 'in', dialect.numbersOf(rowIds)).execute();
}
