/** Log records read out of their blocks, each block decoded once. */
import { type Kysely, sql } from 'kysely';
import type { SpanRecord } from '#normalize/dialects/dialect';
import { toSpanRecord } from '#normalize/log-record';
import type { OtlpLogRecord } from '#otlp/messages';
import { decodeLogRecord } from '#otlp/protobuf/log-record';
import { decodeBlock } from '../../blocks/codec.ts';
import type { SqlDialect } from '../../dialect/dialect.ts';
import type { Tables } from '../../schema/tables.ts';

/** Records of a span that tell what it did; of more the earliest count. An agent's call has a few dozen. */
const MAX_RECORDS_OF_SPAN = 1000;

/**
 * What the events that belong to each span say, earliest first, by row id of the span. Plain log records say nothing of
 * it. Location and block are resolved in one statement, so that a compaction in between is never seen half done.
 * Index: log_records_of_span, primary keys.
 */
export async function readSpanRecords(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  spanRowIds: readonly number[],
): Promise<ReadonlyMap<number, readonly SpanRecord[]>> {
  if (spanRowIds.length === 0) return new Map();
  const events = db
    .selectFrom('log_records')
    .select(['id', 'span_row_id', 'block_id', 'ordinal'])
    .select(sql<number>`row_number() OVER (PARTITION BY span_row_id ORDER BY time_us, id)`.as('place'))
    .where('span_row_id', 'in', dialect.valuesOf(spanRowIds) as never)
    .where('event_name', 'is not', null);
  const blocks = await db
    .selectFrom(events.as('event'))
    .innerJoin('log_record_blocks as block', 'block.id', 'event.block_id')
    .select(['block.id', 'block.data', 'block.raw_bytes'])
    .select((row) =>
      dialect.collectTuples(row.ref('event.id'), row.ref('event.ordinal'), row.ref('event.span_row_id')).as('places'),
    )
    .where('event.place', '<=', MAX_RECORDS_OF_SPAN)
    .groupBy('block.id')
    .execute();
  const found: { readonly rowId: number; readonly spanRowId: number; readonly record: SpanRecord }[] = [];
  for (const { data, raw_bytes: rawBytes, places } of blocks) {
    const messages = decodeBlock({ data, rawBytes });
    for (const [rowId, ordinal, spanRowId] of JSON.parse(places) as [number, number, number][]) {
      found.push({ rowId, spanRowId, record: toSpanRecord(readMessage(messages[ordinal], rowId)) });
    }
  }
  found.sort((a, b) => compareBigInts(a.record.timeUnixNano, b.record.timeUnixNano) || a.rowId - b.rowId);
  const bySpan = new Map<number, SpanRecord[]>();
  for (const { spanRowId, record } of found) {
    const records = bySpan.get(spanRowId);
    if (records === undefined) bySpan.set(spanRowId, [record]);
    else records.push(record);
  }
  return bySpan;
}

/** The blocks of the events that belong to each span, and how large they are once decoded; spans without events are left out. */
export async function listRecordBlocks(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  spanRowIds: readonly number[],
): Promise<ReadonlyMap<number, readonly { readonly id: number; readonly rawBytes: number }[]>> {
  if (spanRowIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('log_records as event')
    .innerJoin('log_record_blocks as block', 'block.id', 'event.block_id')
    .select(['event.span_row_id', 'block.id', 'block.raw_bytes as rawBytes'])
    .distinct()
    .where('event.span_row_id', 'in', dialect.valuesOf(spanRowIds) as never)
    .where('event.event_name', 'is not', null)
    .execute();
  const bySpan = new Map<number, { readonly id: number; readonly rawBytes: number }[]>();
  for (const { span_row_id, id, rawBytes } of rows) {
    if (span_row_id === null) continue;
    const blocks = bySpan.get(span_row_id) ?? [];
    bySpan.set(span_row_id, blocks);
    blocks.push({ id, rawBytes });
  }
  return bySpan;
}

/** The original of a record, which was readable when it was stored. @throws Error where the data file is damaged */
function readMessage(bytes: Uint8Array | undefined, rowId: number): OtlpLogRecord {
  const record = bytes === undefined ? undefined : decodeLogRecord(bytes);
  if (record === undefined) throw new Error(`log record ${rowId} is not in its block`);
  if ('malformed' in record) throw new Error(`log record ${rowId} cannot be read: ${record.malformed}`);
  return record;
}

function compareBigInts(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
