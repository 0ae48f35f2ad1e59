/** Pages of log records for those who look at them. */
import { type SqlBool, sql } from 'kysely';
import { AppError } from '#base/errors';
import { withReadableIntegers } from '#base/json';
import type { KeysetPage } from '#domain/page';
import { toSpanRecord } from '#normalize/log-record';
import { decodeLogRecord } from '#otlp/protobuf/log-record';
import { isRecordKept } from '../../spans/rows/visible.ts';
import type { ReadScope } from '../../spans/rows/read-scope.ts';
import { type LogPageRequest, type LogRecordView, type LogScope, MAX_COUNTED_LOG_RECORDS } from '../port.ts';
import { readRecordOriginals } from '../rows/record-originals.ts';

/** As much as a page of whole spans, beside a record that is larger alone. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** One page. Index: log_records_of_span, log_records_waiting, log_records_unattached. */
export async function browseLogRecords(
  scope: ReadScope,
  logs: LogScope,
  { limit, after }: LogPageRequest,
): Promise<KeysetPage<LogRecordView>> {
  const isByTime = !('projectRowId' in logs);
  let query = selectRecords(scope);
  if ('spanRowId' in logs) query = query.where('log_records.span_row_id', '=', logs.spanRowId);
  else if ('traceRowId' in logs) {
    const traceId = scope.db.selectFrom('traces').select('trace_id').where('id', '=', logs.traceRowId);
    query = query.where('log_records.trace_id', '=', traceId).where('log_records.span_row_id', 'is', null);
  } else {
    query = query
      .where('log_records.project_id', '=', logs.projectRowId)
      .where('log_records.span_row_id', 'is', null)
      .orderBy('log_records.id', 'desc');
  }
  if (isByTime) query = query.orderBy('log_records.time_us').orderBy('log_records.id');
  if (after !== null) {
    query = isByTime
      ? query.where(sql<SqlBool>`(log_records.time_us, log_records.id) > (${after.value}, ${after.rowId})`)
      : query.where('log_records.id', '<', after.rowId);
  }
  const rows = await query.limit(limit + 1).execute();
  const views = await toViews(scope, rows.slice(0, limit));
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    rows: rows.slice(0, limit).flatMap((row) => views.get(row.id) ?? []),
    next: last === undefined ? null : { value: isByTime ? last.time_us : null, rowId: last.id },
  };
}

/** Index: primary key. */
export async function findLogRecords(
  scope: ReadScope,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, LogRecordView>> {
  const rows = await selectRecords(scope)
    .where('log_records.id', 'in', scope.dialect.numbersOf(rowIds))
    .where(isRecordKept)
    .execute();
  return toViews(scope, rows);
}

/** Index: log_records_waiting. */
export async function countUnattachedLogRecords(
  { db, dialect }: ReadScope,
  traceRowIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ readonly rowId: number; readonly count: number }>`
    SELECT wanted.value AS "rowId", (SELECT count(*) FROM (
      SELECT 1 FROM log_records WHERE trace_id = (SELECT trace_id FROM traces WHERE id = wanted.value)
        AND span_row_id IS NULL LIMIT ${MAX_COUNTED_LOG_RECORDS}) AS counted) AS "count"
    FROM ${dialect.numbersOf(traceRowIds)} AS wanted`.execute(db);
  return new Map(rows.filter(({ count }) => count > 0).map(({ rowId, count }) => [rowId, count]));
}

function selectRecords({ db }: ReadScope) {
  return db
    .selectFrom('log_records')
    .select([
      'log_records.id',
      'log_records.time_us',
      'log_records.event_name',
      'log_records.trace_id',
      'log_records.span_id',
      'log_records.instrumentation_scope_id',
    ]);
}

type RecordRow = Awaited<ReturnType<ReturnType<typeof selectRecords>['execute']>>[number];

/** @throws AppError `resource_exhausted` */
async function toViews(
  { db, dialect, envelopes }: ReadScope,
  rows: readonly RecordRow[],
): Promise<ReadonlyMap<number, LogRecordView>> {
  const byRow = new Map(rows.map((row) => [row.id, row]));
  const scopeIds = rows.map((row) => row.instrumentation_scope_id);
  const scopes = await envelopes.scopes(db, dialect, scopeIds);
  const views = new Map<number, LogRecordView>();
  let characters = 0;
  for await (const [rowId, bytes] of readRecordOriginals(db, dialect, [...byRow.keys()])) {
    const row = byRow.get(rowId);
    const original = decodeLogRecord(bytes);
    if (row === undefined || 'malformed' in original) continue;
    const { body, attributes } = toSpanRecord(original);
    const { name = '', version = '' } = scopes.get(row.instrumentation_scope_id) ?? {};
    const view: LogRecordView = {
      rowId,
      timeUs: row.time_us === 0 ? null : row.time_us,
      eventName: row.event_name,
      severity: original.severityText,
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(withReadableIntegers(body)),
      attributes: JSON.stringify(withReadableIntegers(attributes)),
      traceId: row.trace_id,
      spanId: row.span_id,
      scope: { name, version },
    };
    characters += (view.body?.length ?? 0) + view.attributes.length;
    if (characters > MAX_CHARACTERS && views.size > 0) {
      throw new AppError(
        'resource_exhausted',
        'These log records are together too large for one response: ask for fewer.',
      );
    }
    views.set(rowId, view);
  }
  return views;
}
