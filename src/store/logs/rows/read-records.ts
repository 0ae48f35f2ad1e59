/** Log records read out of their blocks, each block decoded once. */
import { type Kysely, sql } from 'kysely';
import type { SpanRecord } from '#normalize/dialects/dialect';
import { toSpanRecord } from '#normalize/log-record';
import type { SqlDialect } from '../../dialect/dialect.ts';
import { prepareShapes, queryScopeOf } from '../../queries/prepared-query.ts';
import type { Tables } from '../../schema/tables.ts';
import { readRecordMessages, type RecordDamageOptions } from './read-messages.ts';

/** Records of a span that tell what it did; of more the earliest count. An agent's call has a few dozen. */
const MAX_RECORDS_OF_SPAN = 1000;

/** Bytes of the records of a span that are read; one that does not fit beside the earlier ones is passed over. */
const MAX_BYTES_OF_SPAN = 8 * 1024 * 1024;

/**
 * What the records say that belong to each span, earliest first, by row id of the span. Records that are no events of an
 * LLM application say nothing of it. Index: log_records_with_content, primary keys.
 * @throws AppError `data_damaged`, unless a listener is told of the spans whose records are damaged
 */
export async function readSpanRecords(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  spanRowIds: readonly number[],
  { onDamaged }: RecordDamageOptions = {},
): Promise<ReadonlyMap<number, readonly SpanRecord[]>> {
  const contents = chooseContents(await selectContents(db, dialect, spanRowIds));
  if (contents.length === 0) return new Map();
  // One of a call that it names tells of two spans.
  const byRecord = Map.groupBy(contents, ({ id }) => id);
  const messages = await readRecordMessages(db, dialect, [...byRecord.keys()], {
    onDamaged:
      onDamaged &&
      ((rowId, error) => {
        for (const { spanRowId } of byRecord.get(rowId) ?? []) onDamaged(spanRowId, error);
      }),
  });
  const found: { readonly rowId: number; readonly spanRowId: number; readonly record: SpanRecord }[] = [];
  for (const { rowId, record } of messages) {
    const spanRecord = toSpanRecord(record);
    for (const { spanRowId } of byRecord.get(rowId) ?? []) found.push({ rowId, spanRowId, record: spanRecord });
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

/** The blocks of the records that are read of each span, and how large they are once decoded; spans without any are left out. */
export async function listRecordBlocks(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  spanRowIds: readonly number[],
): Promise<ReadonlyMap<number, readonly { readonly id: number; readonly rawBytes: number }[]>> {
  const contents = chooseContents(await selectContents(db, dialect, spanRowIds));
  if (contents.length === 0) return new Map();
  const blockIds = [...new Set(contents.map(({ blockId }) => blockId))];
  const blocks = await db
    .selectFrom('log_record_blocks')
    .select(['id', 'raw_bytes as rawBytes'])
    .where('id', 'in', dialect.numbersOf(blockIds))
    .execute();
  const byId = new Map(blocks.map((block) => [block.id, block]));
  const bySpan = new Map<number, { readonly id: number; readonly rawBytes: number }[]>();
  for (const [spanRowId, ofSpan] of Map.groupBy(contents, (content) => content.spanRowId)) {
    // A block that a compaction took away meanwhile is counted as nothing.
    const ofRecords = [...new Set(ofSpan.map(({ blockId }) => blockId))];
    bySpan.set(
      spanRowId,
      ofRecords.map((id) => byId.get(id) ?? { id, rawBytes: 0 }),
    );
  }
  return bySpan;
}

/** Of the spans those of which any of the records may be read: the others are as they were before the records came. */
export async function findTold(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  recordsOfSpans: ReadonlyMap<number, ReadonlySet<number>>,
): Promise<ReadonlySet<number>> {
  const contents = await selectContents(db, dialect, [...recordsOfSpans.keys()]);
  return new Set(
    contents
      .filter(({ spanRowId, id }) => recordsOfSpans.get(spanRowId)?.has(id) === true)
      .map(({ spanRowId }) => spanRowId),
  );
}

/** A record that may tell what its span did. */
interface Content {
  readonly id: number;
  readonly spanRowId: number;
  readonly blockId: number;
  readonly bytes: number;
  readonly timeUs: number;
}

/** The earliest records of each span, those that carry its ids and those that name its call, earliest first. */
async function selectContents(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  spanRowIds: readonly number[],
): Promise<readonly Content[]> {
  if (spanRowIds.length === 0) return [];
  const scope = queryScopeOf({ db, dialect });
  const wanted = { spanRowIds: JSON.stringify(spanRowIds.map((id) => [id])) };
  const own = await selectContentsBy(scope, { column: 'span_row_id' }, wanted);
  const naming = await selectContentsBy(scope, { column: 'request_span_row_id' }, wanted);
  if (naming.length === 0) return own;
  const counts = new Map<number, number>();
  return [...own, ...naming]
    .sort((a, b) => a.timeUs - b.timeUs || a.id - b.id)
    .filter(({ spanRowId }) => {
      const count = (counts.get(spanRowId) ?? 0) + 1;
      counts.set(spanRowId, count);
      return count <= MAX_RECORDS_OF_SPAN;
    });
}

/** Index: log_records_with_content, log_records_of_request, primary key. */
const selectContentsBy = prepareShapes(
  (
    { db, dialect },
    { column }: { readonly column: 'span_row_id' | 'request_span_row_id' },
    { spanRowIds }: { readonly spanRowIds: string },
  ) =>
    db
      .selectFrom(
        dialect.tuplesOfJson(spanRowIds, { span_row_id: 'number' }).$castTo<{ span_row_id: number }>().as('wanted'),
      )
      .crossJoin('log_records as record')
      .select([
        'record.id',
        'wanted.span_row_id as spanRowId',
        'record.block_id as blockId',
        'record.time_us as timeUs',
      ])
      .select((row) => row.fn.coalesce('record.content_bytes', sql.lit(0)).as('bytes'))
      .where('record.id', 'in', (row) =>
        row
          .selectFrom('log_records as content')
          .select('content.id')
          .whereRef(`content.${column}`, '=', 'wanted.span_row_id')
          .where('content.content_bytes', 'is not', null)
          .orderBy('content.time_us')
          .orderBy('content.id')
          .limit(sql.lit(MAX_RECORDS_OF_SPAN)),
      )
      .orderBy('record.time_us')
      .orderBy('record.id'),
);

/** Those that are read. */
function chooseContents(contents: readonly Content[]): readonly Content[] {
  const bytesOfSpans = new Map<number, number>();
  return contents.filter(({ spanRowId, bytes }) => {
    const sum = (bytesOfSpans.get(spanRowId) ?? 0) + bytes;
    if (sum > MAX_BYTES_OF_SPAN) return false;
    bytesOfSpans.set(spanRowId, sum);
    return true;
  });
}

function compareBigInts(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
