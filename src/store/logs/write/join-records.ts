/**
 * Brings log records and spans together, whichever came first: by the ids that a record carries, else where only one span
 * can be meant. What a record says is read off its span anew.
 */
import type { ArrivingSpan } from '../../spans/write/arrival.ts';
import { type DerivedSpan, deriveAgain, type DeriveScope } from '../../spans/write/derive-again.ts';
import { prepareQuery } from '../../queries/prepared-query.ts';
import type { KnownSpan } from '../../spans/write/stored-trace.ts';
import { joinRequests, type NamingRecord } from './join-requests.ts';
import { MeantSpanSearch } from './meant-span-search.ts';
import { type AddedRecord, queueBlocks } from './record-blocks.ts';
import { findTold } from '../rows/read-records.ts';
import type { RecordScope } from './scope.ts';
import { findConcerned, readUnaddressed, type SpanWindow, type UnaddressedRecord } from './unaddressed.ts';

/** What joining works with. */
export type JoinScope = RecordScope & DeriveScope;

/**
 * Joins what arrived, spans and records, with each other and with what is stored. Returns the spans that were read anew.
 * For spans of applications that send no records it does nothing.
 */
export async function joinRecords(
  scope: JoinScope,
  arrived: readonly ArrivingSpan[],
  added: readonly AddedRecord[],
): Promise<readonly DerivedSpan[]> {
  if (!scope.presence.isAny) return [];
  const gained: Gained = new Map();
  for (const { rowId, spanRowId, incoming } of added) {
    if (spanRowId !== null && incoming.contentBytes !== null) gain(gained, spanRowId, rowId);
  }
  const naming = added.flatMap(({ rowId, spanRowId, incoming: { traceId, requestId } }): NamingRecord[] =>
    spanRowId === null || traceId === null || requestId === null
      ? []
      : [{ rowId, spanRowId, traceId, requestId, requestSpanRowId: null }],
  );
  naming.push(...(await attachWaiting(scope, arrived, gained)));
  const calls = await joinRequests(scope, arrived, naming);
  for (const { rowId, spanRowId } of calls.gained) gain(gained, spanRowId, rowId);
  const changed = new Set(calls.lost);
  const replaced = arrived.flatMap(({ replaces }) => replaces?.facts.rowId ?? []);
  for (const rowId of await findWithContent(scope, replaced)) changed.add(rowId);

  const concerned = new Map<number, UnaddressedRecord>();
  const unaddressed = added.filter(({ incoming }) => incoming.source !== null).map(({ rowId }) => rowId);
  for (const record of await readUnaddressed(scope, unaddressed)) concerned.set(record.rowId, record);
  for (const record of await findConcerned(scope, arrived.flatMap(windowsOf))) concerned.set(record.rowId, record);
  for (const rowId of await settle(scope, [...concerned.values()], gained)) changed.add(rowId);
  for (const rowId of changed) gained.delete(rowId);
  for (const rowId of await findTold(scope.db, scope.dialect, gained)) changed.add(rowId);
  return deriveAgain(scope, [...changed]);
}

/** Row ids of the records that may tell something of each span and that are new to it, by row id of the span. */
type Gained = Map<number, Set<number>>;

function gain(gained: Gained, spanRowId: number, rowId: number): void {
  gained.set(spanRowId, (gained.get(spanRowId) ?? new Set()).add(rowId));
}

/** Attaches the records that carry the ids of spans that came after them; returns those that name calls. */
async function attachWaiting(
  scope: RecordScope,
  arrived: readonly ArrivingSpan[],
  gained: Gained,
): Promise<readonly NamingRecord[]> {
  const fresh = arrived.filter(({ replaces }) => replaces === undefined);
  const traceIds = new Set(fresh.map(({ digest }) => digest.traceId));
  if (traceIds.size === 0) return [];
  const waiting = new Set(
    (await selectWaitingTraces(scope, { traceIds: JSON.stringify([...traceIds]) })).map((row) => row.trace_id),
  );
  const rowIds = new Map<string, number>();
  for (const { digest, facts } of fresh) {
    const { traceId, spanId } = digest;
    if (waiting.has(traceId)) rowIds.set(`${traceId} ${spanId}`, facts.rowId);
  }
  if (rowIds.size === 0) return [];
  const identities = JSON.stringify([...rowIds.keys()].map((identity) => identity.split(' ')));
  const records = await selectWaiting(scope, { identities });
  await queueBlocks(scope, [...new Set(records.flatMap((record) => record.trace_id ?? []))]);
  const attached: Attachment[] = [];
  const naming: NamingRecord[] = [];
  for (const { id, trace_id, span_id, content_bytes, request_id } of records) {
    const spanRowId = rowIds.get(`${trace_id} ${span_id}`);
    if (spanRowId === undefined) continue;
    attached.push({ rowId: id, spanRowId });
    if (content_bytes !== null) gain(gained, spanRowId, id);
    if (trace_id !== null && request_id !== null)
      naming.push({ rowId: id, spanRowId, traceId: trace_id, requestId: request_id, requestSpanRowId: null });
  }
  await attach(scope, attached);
  return naming;
}

/** Index: log_records_waiting. */
const selectWaitingTraces = prepareQuery(({ db, dialect }, values: { readonly traceIds: string }) =>
  db
    .selectFrom('log_records')
    .select('trace_id')
    .distinct()
    .where('trace_id', 'in', dialect.textsOfJson(values.traceIds))
    .where('span_row_id', 'is', null),
);

/** Index: log_records_waiting. The join is crossed so that each wanted id is looked up. */
const selectWaiting = prepareQuery(({ db, dialect }, values: { readonly identities: string }) =>
  db
    .selectFrom(
      dialect
        .tuplesOfJson(values.identities, { trace_id: 'text', span_id: 'text' })
        .$castTo<{ trace_id: string; span_id: string }>()
        .as('wanted'),
    )
    .crossJoin('log_records')
    .select([
      'log_records.id',
      'log_records.trace_id',
      'log_records.span_id',
      'log_records.content_bytes',
      'log_records.request_id',
    ])
    .whereRef('log_records.trace_id', '=', 'wanted.trace_id')
    .whereRef('log_records.span_id', '=', 'wanted.span_id')
    .where('log_records.span_row_id', 'is', null),
);

/** The span that a record belongs to now. */
interface Attachment {
  readonly rowId: number;
  readonly spanRowId: number | null;
}

async function attach({ bulkUpdate }: RecordScope, attached: readonly Attachment[]): Promise<void> {
  const rows = attached.map(({ rowId, spanRowId }) => ({ id: rowId, span_row_id: spanRowId, expires_us: null }));
  await bulkUpdate('log_records', rows);
}

/** Of the spans those that have records which tell something. Index: log_records_with_content, log_records_of_request. */
async function findWithContent(scope: RecordScope, spanRowIds: readonly number[]): Promise<readonly number[]> {
  if (spanRowIds.length === 0) return [];
  const values = { spanRowIds: JSON.stringify(spanRowIds) };
  const rows = await selectWithContent(scope, values);
  const calls = scope.presence.isAnyOfRequest ? await selectOfRequests(scope, values) : [];
  return [...rows, ...calls].flatMap((row) => row.span_row_id ?? []);
}

const selectOfRequests = prepareQuery(({ db, dialect }, values: { readonly spanRowIds: string }) =>
  db
    .selectFrom('log_records')
    .select('request_span_row_id as span_row_id')
    .distinct()
    .where('request_span_row_id', 'in', dialect.numbersOfJson(values.spanRowIds)),
);

const selectWithContent = prepareQuery(({ db, dialect }, values: { readonly spanRowIds: string }) =>
  db
    .selectFrom('log_records')
    .select('span_row_id')
    .distinct()
    .where('span_row_id', 'in', dialect.numbersOfJson(values.spanRowIds))
    .where('content_bytes', 'is not', null),
);

/** Attaches records without a span id to the spans that are meant now; returns the spans that lost one which told something. */
async function settle(
  scope: JoinScope,
  records: readonly UnaddressedRecord[],
  gained: Gained,
): Promise<ReadonlySet<number>> {
  const lost = new Set<number>();
  const search = new MeantSpanSearch(scope);
  const attached: Attachment[] = [];
  for (const record of records) {
    const spanRowId = await search.find(record);
    if (spanRowId === undefined || spanRowId === record.spanRowId) continue;
    attached.push({ rowId: record.rowId, spanRowId });
    if (!record.isContent) continue;
    if (spanRowId !== null) gain(gained, spanRowId, record.rowId);
    if (record.spanRowId !== null) lost.add(record.spanRowId);
  }
  await attach(scope, attached);
  return lost;
}

/** When a span runs, and when the version of it ran that it replaces. */
function windowsOf({ digest, facts, otelResourceId, replaces }: ArrivingSpan): SpanWindow[] {
  const { instrumentationScopeId, startUs, endUs, sessionId } = facts;
  const { traceId } = digest;
  const now = { traceId, startUs, endUs, sessionId, otelResourceId, instrumentationScopeId };
  return [
    ...(digest.isOpen ? [] : [now]),
    ...(replaces === undefined ? [] : [{ traceId, ...toWindowOfKnown(replaces) }]),
  ];
}

function toWindowOfKnown({ facts, otelResourceId, instrumentationScopeId }: KnownSpan): Omit<SpanWindow, 'traceId'> {
  const { startUs, endUs, sessionId } = facts;
  return { startUs, endUs, sessionId, otelResourceId, instrumentationScopeId };
}
