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
import { MAX_ANSWER_BYTES } from '../../spans/rows/answer-bytes.ts';
import { GatheringRoom } from '../../threads/thread-room.ts';

/** One page. It ends early, and can be continued, where its records are more than one answer may hold. Index: log_records_of_span, log_records_waiting, log_records_unattached. */
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
  const page = rows.slice(0, limit);
  const { views, isWhole } = await toViews(scope, page);
  const lastRead = page.findLast(({ id }) => views.has(id));
  const last = isWhole ? (rows.length > limit ? page.at(-1) : undefined) : lastRead;
  return {
    rows: page.flatMap((row) => views.get(row.id) ?? []),
    next: last === undefined ? null : { value: isByTime ? last.time_us : null, rowId: last.id },
  };
}

/** Index: primary key. @throws AppError `resource_exhausted` where they are together more than one answer may hold */
export async function findLogRecords(
  scope: ReadScope,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, LogRecordView>> {
  const rows = await selectRecords(scope)
    .where('log_records.id', 'in', scope.dialect.numbersOf(rowIds))
    .where(isRecordKept)
    .execute();
  const { views, isWhole } = await toViews(scope, rows);
  if (isWhole) return views;
  throw new AppError('resource_exhausted', 'These log records are together too large for one response: ask for fewer.');
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

interface FoundViews {
  readonly views: ReadonlyMap<number, LogRecordView>;
  /** Whether they are those of all rows, and not only of the first ones. */
  readonly isWhole: boolean;
}

async function toViews({ db, dialect, envelopes }: ReadScope, rows: readonly RecordRow[]): Promise<FoundViews> {
  const byRow = new Map(rows.map((row) => [row.id, row]));
  const rowIds = rows.map(({ id }) => id);
  const scopeIds = rows.map((row) => row.instrumentation_scope_id);
  const scopes = await envelopes.scopes(db, dialect, scopeIds);
  const views = new Map<number, LogRecordView>();
  const toView = (row: RecordRow): LogRecordView => {
    const { name = '', version = '' } = scopes.get(row.instrumentation_scope_id) ?? {};
    return {
      rowId: row.id,
      timeUs: row.time_us === 0 ? null : row.time_us,
      eventName: row.event_name,
      severity: '',
      body: null,
      attributes: '{}',
      traceId: row.trace_id,
      spanId: row.span_id,
      scope: { name, version },
      damage: null,
    };
  };
  const onDamaged = (rowId: number, { message }: AppError) => {
    const row = byRow.get(rowId);
    if (row !== undefined) views.set(rowId, { ...toView(row), damage: message });
  };
  let isWhole = true;
  const endsHere = () => {
    isWhole = views.size === 0;
    return !isWhole;
  };
  using room = new GatheringRoom(MAX_ANSWER_BYTES);
  for await (const [rowId, bytes] of readRecordOriginals(db, dialect, rowIds, { onDamaged, endsHere })) {
    const row = byRow.get(rowId);
    const original = decodeLogRecord(bytes);
    if (row === undefined || 'malformed' in original) continue;
    const { body, attributes } = toSpanRecord(original);
    const view: LogRecordView = {
      ...toView(row),
      severity: original.severityText,
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(withReadableIntegers(body)),
      attributes: JSON.stringify(withReadableIntegers(attributes)),
    };
    isWhole = await room.add((view.body?.length ?? 0) + view.attributes.length);
    if (!isWhole) {
      // Damaged ones behind it are those of the next page, too.
      for (const beyond of rowIds.slice(rowIds.indexOf(rowId))) views.delete(beyond);
      break;
    }
    views.set(rowId, view);
  }
  return { views, isWhole };
}
