/**
 * Records that name a call tell of its span, too: some instrumentations send all records of a turn with the ids of the turn's span, and say by
 * the id of the request which call each is about. Only within the trace of the record's own span, whichever came first.
 */
import { type Expression, sql } from 'kysely';
import { boundedText } from '#derive/bounded-text';
import { signsOfMember, unpackMembers } from '#derive/narrow-codes';
import { ATTR_REQUEST_ID } from '#semconv/claude-code';
import { prepareQuery, type QueryScope } from '../../queries/prepared-query.ts';
import type { ArrivingSpan } from '../../spans/write/arrival.ts';
import { toKindColumn } from '../../spans/rows/columns.ts';
import type { RecordScope } from './scope.ts';

/** A record that names a call and belongs to the span whose ids it carries. */
export interface NamingRecord {
  readonly rowId: number;
  readonly spanRowId: number;
  readonly traceId: string;
  readonly requestId: string;
  /** The span of the call of which it tells until now. */
  readonly requestSpanRowId: number | null;
}

/** Spans of calls of which records tell now, or no longer. */
export interface ChangedCalls {
  readonly gained: readonly { readonly rowId: number; readonly spanRowId: number }[];
  readonly lost: readonly number[];
}

/** Has records tell of the calls that they name, as far as what arrived changes that. @param records that have their own spans since this commit */
export async function joinRequests(
  scope: RecordScope,
  arrived: readonly ArrivingSpan[],
  records: readonly NamingRecord[],
): Promise<ChangedCalls> {
  const gained: { rowId: number; spanRowId: number }[] = [];
  const lost: number[] = [];
  if (!scope.presence.isAnyOfRequest) return { gained, lost };
  const concerned = new Map(records.map((record) => [record.rowId, record]));
  for (const record of await findConcerned(scope, arrived)) concerned.set(record.rowId, record);
  const changed: { id: number; request_span_row_id: number | null }[] = [];
  for (const [traceId, ofTrace] of Map.groupBy(concerned.values(), (record) => record.traceId)) {
    const calls = await readCalls(scope, traceId);
    for (const { rowId, spanRowId: own, requestId, requestSpanRowId: before } of ofTrace) {
      const call = calls.get(requestId);
      const now = call === undefined || call === own ? null : call;
      if (now === before) continue;
      changed.push({ id: rowId, request_span_row_id: now });
      if (now !== null) gained.push({ rowId, spanRowId: now });
      if (before !== null) lost.push(before);
    }
  }
  await scope.bulkUpdate('log_records', changed);
  return { gained, lost };
}

/** Records that name calls which arrived, or that were named by what they replace. */
async function findConcerned(scope: QueryScope, arrived: readonly ArrivingSpan[]): Promise<readonly NamingRecord[]> {
  const calls = arrived.flatMap(({ digest, facts }) => {
    const requestId = digest.kind === 'LLM' ? requestIdOf(digest.narrow.text) : undefined;
    return requestId === undefined ? [] : [[digest.traceId, requestId, facts.rowId]];
  });
  const replaced = arrived.flatMap(({ replaces }) => replaces?.facts.rowId ?? []);
  return [
    ...(calls.length === 0 ? [] : await selectNaming(scope, { calls: JSON.stringify(calls) })),
    ...(replaced.length === 0 ? [] : await selectTelling(scope, { rowIds: JSON.stringify(replaced) })),
  ].map(({ spanRowId, traceId, requestId, ...row }) => ({
    ...row,
    spanRowId: spanRowId ?? 0,
    traceId: traceId ?? '',
    requestId: requestId ?? '',
  }));
}

/** What a span itself names: a row has the attributes that are short. */
function requestIdOf(narrowAttributes: string): string | undefined {
  if (!SIGNS.some((sign) => narrowAttributes.includes(sign))) return undefined;
  const attributes = JSON.parse(unpackMembers(narrowAttributes)) as Readonly<Record<string, unknown>>;
  const value = Object.hasOwn(attributes, ATTR_REQUEST_ID) ? attributes[ATTR_REQUEST_ID] : undefined;
  return typeof value === 'string' && value.trim() !== '' ? boundedText(value.trim()) : undefined;
}

const SIGNS = signsOfMember(ATTR_REQUEST_ID);

/** The spans of calls of the trace by what they name; of several of a request the first by its id. */
async function readCalls(scope: QueryScope, traceId: string): Promise<ReadonlyMap<string, number>> {
  const calls = new Map<string, number>();
  for (const { id, attributes } of await selectCalls(scope, { traceId })) {
    const requestId = requestIdOf(attributes);
    if (requestId !== undefined && !calls.has(requestId)) calls.set(requestId, id);
  }
  return calls;
}

/** Spans of a trace that are looked at. */
const MAX_CALLS = 5000;

/** Index: unique trace_id, spans_of_trace. */
const selectCalls = prepareQuery(({ db }, values: { readonly traceId: string }) =>
  db
    .selectFrom('traces')
    .innerJoin('spans', 'spans.trace_row_id', 'traces.id')
    .select(['spans.id', 'spans.attributes'])
    .where('traces.trace_id', '=', values.traceId)
    .where('spans.kind', '=', sql.lit(toKindColumn('LLM')))
    .orderBy('spans.span_id')
    .limit(sql.lit(MAX_CALLS)),
);

const COLUMNS = [
  'record.id as rowId',
  'record.span_row_id as spanRowId',
  'record.trace_id as traceId',
  'record.request_id as requestId',
  'record.request_span_row_id as requestSpanRowId',
] as const;

/**
 * The records that name the calls and have their own spans in the same trace: those of a deleted trace with its id stay with that. The join is
 * crossed so that each call is looked up. Index: log_records_naming_request, primary keys.
 */
const selectNaming = prepareQuery(({ db, dialect }, values: { readonly calls: string }) =>
  db
    .selectFrom(
      dialect
        .tuplesOfJson(values.calls, { trace_id: 'text', request_id: 'text', span_row_id: 'number' })
        .$castTo<{ trace_id: string; request_id: string; span_row_id: number }>()
        .as('wanted'),
    )
    .crossJoin('log_records as record')
    .select(COLUMNS)
    .whereRef('record.trace_id', '=', 'wanted.trace_id')
    .whereRef('record.request_id', '=', 'wanted.request_id')
    .where((row) => {
      const traceOf = (rowId: Expression<number | null>) =>
        row.selectFrom('spans').select('trace_row_id').where('spans.id', '=', rowId);
      return row(traceOf(row.ref('record.span_row_id')), '=', traceOf(row.ref('wanted.span_row_id')));
    }),
);

/** Index: log_records_of_request. */
const selectTelling = prepareQuery(({ db, dialect }, values: { readonly rowIds: string }) =>
  db
    .selectFrom('log_records as record')
    .select(COLUMNS)
    .where('record.request_span_row_id', 'in', dialect.numbersOfJson(values.rowIds)),
);
