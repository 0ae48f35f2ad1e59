/** Reads original log records out of their blocks, each block decoded once. */
import type { Kysely } from 'kysely';
import { AppError } from '#base/errors';
import { timeOf } from '#normalize/log-record';
import { readSpanId, readTraceId } from '#normalize/otel-id';
import type { OtlpLogRecord } from '#otlp/messages';
import { decodeLogRecord } from '#otlp/protobuf/log-record';
import { decodeBlock } from '../../blocks/codec.ts';
import type { SqlDialect } from '../../dialect/dialect.ts';
import { readAroundDamage } from '../../engine/around-damage.ts';
import { noteDamage } from '../../engine/damage.ts';
import { isReleased } from '../../spans/released-ids.ts';
import type { Tables } from '../../schema/tables.ts';

/** A log record as it came. */
export interface StoredRecord {
  readonly rowId: number;
  readonly bytes: Uint8Array;
  readonly record: OtlpLogRecord;
}

/** What becomes of records that are damaged. */
export interface RecordDamageOptions {
  /** Told of each of them, and they are left out; without it, reading them throws. */
  readonly onDamaged?: ((rowId: number, error: AppError) => void) | undefined;
}

/**
 * The records of the row ids, in no order; those that are gone are left out. Location and block are resolved in one statement, so that
 * a compaction in between is never seen half done. A record is the row's only if it has the time and the ids of the row. Index: primary
 * keys.
 * @throws AppError `data_damaged` with the records that are not what was stored, unless damaged ones are left out
 */
export async function readRecordMessages(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  rowIds: readonly number[],
  { onDamaged }: RecordDamageOptions = {},
): Promise<readonly StoredRecord[]> {
  const { rows, unreadable } = await readAroundDamage(rowIds, (some) => selectBlocks(db, dialect, some));
  const found: StoredRecord[] = [];
  const lose = (lost: readonly Omit<PlacedRecord, 'ordinal' | 'timeUs'>[], why: string) => {
    if (lost.length === 0) return;
    const error = damageOf(lost, why);
    if (onDamaged === undefined) throw error;
    for (const { rowId } of lost) onDamaged(rowId, error);
  };
  for (const { data, raw_bytes: rawBytes, places } of rows) {
    const wanted = (JSON.parse(places) as [number, number, number, string | null, string | null][]).map(
      ([rowId, ordinal, timeUs, traceId, spanId]): PlacedRecord => ({ rowId, ordinal, timeUs, traceId, spanId }),
    );
    const messages = tryToDecode(data, rawBytes);
    const lost: PlacedRecord[] = [];
    for (const place of wanted) {
      const bytes = messages?.[place.ordinal];
      const record = bytes && readAs(place, bytes);
      if (bytes === undefined || record === undefined) lost.push(place);
      else found.push({ rowId: place.rowId, bytes, record });
    }
    lose(lost, `a block of ${data.length} bytes`);
  }
  lose(
    unreadable.map((rowId) => ({ rowId, traceId: null, spanId: null })),
    'pages of the database',
  );
  return found;
}

function selectBlocks(db: Kysely<Tables>, dialect: SqlDialect, rowIds: readonly number[]) {
  return db
    .selectFrom('log_records as record')
    .innerJoin('log_record_blocks as block', 'block.id', 'record.block_id')
    .select(['block.id', 'block.data', 'block.raw_bytes'])
    .select((row) =>
      dialect
        .collectTuples(
          row.ref('record.id'),
          row.ref('record.ordinal'),
          row.ref('record.time_us'),
          row.ref('record.trace_id'),
          row.ref('record.span_id'),
        )
        .as('places'),
    )
    .where('record.id', 'in', dialect.numbersOf(rowIds))
    .groupBy('block.id')
    .execute();
}

interface PlacedRecord {
  readonly rowId: number;
  readonly ordinal: number;
  readonly timeUs: number;
  readonly traceId: string | null;
  readonly spanId: string | null;
}

function tryToDecode(data: Uint8Array, rawBytes: number): readonly Uint8Array[] | undefined {
  try {
    return decodeBlock({ data, rawBytes });
  } catch {
    return undefined;
  }
}

/** The record, if it is that of the row. A row has no id where the record has none that is valid. */
function readAs({ timeUs, traceId, spanId }: PlacedRecord, bytes: Uint8Array): OtlpLogRecord | undefined {
  const record = decodeLogRecord(bytes);
  if ('malformed' in record || Number(timeOf(record) / 1000n) !== timeUs) return undefined;
  const isOfTrace = traceId === null || isReleased(traceId) || readTraceId(record.traceId) === traceId;
  const isOfSpan = spanId === null || readSpanId(record.spanId) === spanId;
  return isOfTrace && isOfSpan ? record : undefined;
}

/** Notes the damage. */
function damageOf(records: readonly Omit<PlacedRecord, 'ordinal' | 'timeUs'>[], why: string): AppError {
  const ordered = records.toSorted((a, b) => a.rowId - b.rowId);
  const named = ordered
    .slice(0, MAX_NAMED)
    .map(({ rowId, traceId, spanId }) =>
      traceId === null ? `${rowId}` : `${rowId} (${spanId === null ? '' : `span ${spanId} of `}trace ${traceId})`,
    );
  const others = records.length - named.length;
  const message = `The stored log record ${named.join(', ')}${others > 0 ? ` and ${others} more` : ''} is damaged (${why}).`;
  const logRecordRowIds = ordered.slice(0, MAX_LISTED).map(({ rowId }) => rowId);
  noteDamage({ kind: 'log_record', message, spans: [], logRecordRowIds });
  return new AppError('data_damaged', message);
}

const MAX_NAMED = 5;
const MAX_LISTED = 1000;
