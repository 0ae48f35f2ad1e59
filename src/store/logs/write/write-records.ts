/** Stores log records, each once, at the span whose ids they carry where it is stored. */
import type { Rejection } from '#normalize/normalized';
import { isLimited, outOfReach, type Reach, reachProject } from '../../spans/write/reach.ts';
import { isRecordKept } from '../../spans/rows/visible.ts';
import { addBlocks, type AddedRecord, forgetRecords } from './record-blocks.ts';
import type { IncomingRecord } from '../../incoming/records.ts';
import { prepareQuery, type QueryScope } from '../../queries/prepared-query.ts';
import { loadSpansById, loadTraces, type StoredTrace } from '../../spans/write/stored-trace.ts';
import type { RecordScope } from './scope.ts';

/** What became of the log records of a request, by project. */
export interface RecordCount {
  readonly projectId: number;
  /** Traces that they are shown in. */
  readonly traceIds: ReadonlySet<string>;
  readonly stored: number;
  readonly duplicate: number;
}

/** What became of all of them. */
export interface WrittenRecords {
  readonly counts: readonly (readonly RecordCount[])[];
  readonly added: readonly AddedRecord[];
  /** Those that their senders may not add, request by request. */
  readonly rejected: readonly (readonly Rejection[])[];
}

/** Stores the log records of several requests inside the transaction; the spans of the same requests must be there. */
export async function writeRecords(
  scope: RecordScope,
  sent: readonly (readonly IncomingRecord[])[],
  nowUs: number,
  reach: Reach = [],
): Promise<WrittenRecords> {
  const rejected = sent.map((): Rejection[] => []);
  const traceIds = new Set(sent.flatMap((records) => records.flatMap((record) => record.traceId ?? [])));
  if (sent.every((records) => records.length === 0)) return { counts: sent.map(() => []), added: [], rejected };
  // A deleted trace gives up its id before its records are looked for.
  const traces = await loadTraces(scope, [...traceIds]);
  const requests = isLimited(reach) ? await rejectForeign(scope, reach, sent, traces, rejected) : sent;
  const all = requests.flat();
  const known = await findKnown(scope, all);
  const fresh = new Map<string, IncomingRecord>();
  for (const record of all) {
    if (!known.has(record.digest) && !fresh.has(record.digest)) fresh.set(record.digest, record);
  }
  const spans = await findSpans(scope, traces, [...fresh.values()]);
  const added = new Map<IncomingRecord, AddedRecord>();
  const counts: RecordCount[][] = [];
  for (const records of requests) {
    const ofProjects = new Map<number, MutableCount>();
    for (const record of records) {
      const trace = record.traceId === null ? undefined : traces.get(record.traceId);
      const projectId = trace?.projectId ?? (await scope.registry.projectId(scope.db, record.projectName));
      const count = ofProjects.get(projectId) ?? { projectId, traceIds: new Set(), stored: 0, duplicate: 0 };
      ofProjects.set(projectId, count);
      if (fresh.get(record.digest) !== record) {
        count.duplicate++;
        continue;
      }
      count.stored++;
      if (trace !== undefined && record.traceId !== null) count.traceIds.add(record.traceId);
      const spanRowId = spans.get(`${trace?.rowId} ${record.spanId}`) ?? null;
      const rowId = scope.rowIds.take('log_records');
      added.set(record, { rowId, incoming: record, projectId, traceRowId: trace?.rowId, spanRowId });
    }
    counts.push([...ofProjects.values()]);
  }
  const list = [...added.values()];
  await insert(scope, list, nowUs);
  return { counts, added: list, rejected };
}

/** The records without those that their senders may not add. */
async function rejectForeign(
  scope: RecordScope,
  reach: Reach,
  requests: readonly (readonly IncomingRecord[])[],
  traces: ReadonlyMap<string, StoredTrace>,
  rejected: readonly Rejection[][],
): Promise<readonly (readonly IncomingRecord[])[]> {
  const kept: IncomingRecord[][] = requests.map(() => []);
  for (const [request, records] of requests.entries()) {
    for (const record of records) {
      const { traceId, projectName } = record;
      const trace = traceId === null ? undefined : traces.get(traceId);
      const reached = await reachProject(scope, reach, trace?.projectId, { request, projectName });
      if (reached === undefined)
        rejected[request]?.push(outOfReach('A log record', trace === undefined ? null : traceId));
      else kept[request]?.push(record);
    }
  }
  return kept;
}

type MutableCount = {
  readonly projectId: number;
  readonly traceIds: Set<string>;
  stored: number;
  duplicate: number;
};

/**
 * The digests that are stored. They are random, so they are looked up behind the time, which leads to what was stored
 * last: in an index of digests alone each record of a commit would dirty a page of its own. Index: log_records_by_identity.
 */
async function findKnown(scope: RecordScope, records: readonly IncomingRecord[]): Promise<ReadonlySet<string>> {
  const identities = JSON.stringify(records.map(({ timeUs, digest }) => [timeUs, digest]));
  const rows = await selectKnown(scope, { identities });
  // One that is deleted and not erased yet makes room for itself.
  const deleted = rows.filter((row) => !row.is_kept);
  await forgetRecords(
    scope,
    deleted.map((row) => row.id),
  );
  return new Set(rows.filter((row) => row.is_kept).map((row) => row.digest));
}

/** The join is crossed so that each identity is looked up. Index: log_records_by_identity, primary keys, unique trace_id. */
const selectKnown = prepareQuery(({ db, dialect }, values: { readonly identities: string }) =>
  db
    .selectFrom(
      dialect
        .tuplesOfJson(values.identities, { time_us: 'number', digest: 'text' })
        .$castTo<{ time_us: number; digest: string }>()
        .as('wanted'),
    )
    .crossJoin('log_records')
    .select(['log_records.id', 'log_records.digest'])
    .select(isRecordKept.as('is_kept'))
    .whereRef('log_records.time_us', '=', 'wanted.time_us')
    .whereRef('log_records.digest', '=', 'wanted.digest'),
);

/** Row ids of the stored spans that records name, by row id of the trace and span id. */
async function findSpans(
  scope: QueryScope,
  traces: ReadonlyMap<string, StoredTrace>,
  records: readonly IncomingRecord[],
): Promise<ReadonlyMap<string, number>> {
  const wanted = new Map<number, Set<string>>();
  for (const { traceId, spanId } of records) {
    const trace = traceId === null ? undefined : traces.get(traceId);
    if (trace === undefined || spanId === null) continue;
    wanted.set(trace.rowId, (wanted.get(trace.rowId) ?? new Set()).add(spanId));
  }
  const found = new Map<string, number>();
  for (const [traceRowId, spans] of await loadSpansById(scope, wanted)) {
    for (const [spanId, { facts }] of spans) found.set(`${traceRowId} ${spanId}`, facts.rowId);
  }
  return found;
}

async function insert(scope: RecordScope, added: readonly AddedRecord[], nowUs: number): Promise<void> {
  const places = await addBlocks(scope, added);
  const rows: Record<string, string | number | null>[] = [];
  for (const { rowId, incoming, projectId, traceRowId, spanRowId } of added) {
    const place = places.get(rowId);
    if (place === undefined) continue;
    scope.presence.add(incoming);
    rows.push({
      id: rowId,
      project_id: projectId,
      trace_id: incoming.traceId,
      span_id: incoming.spanId,
      span_row_id: spanRowId,
      event_name: incoming.eventName,
      content_bytes: incoming.contentBytes,
      time_us: incoming.timeUs,
      source: incoming.source,
      conversation_id: incoming.conversationId,
      request_id: incoming.requestId,
      request_span_row_id: null,
      expires_us: incoming.isPlain && traceRowId === undefined ? nowUs + PLAIN_RECORD_WAITS_US : null,
      otel_resource_id: await scope.registry.envelopeId(scope.db, 'otel_resources', incoming.resource),
      instrumentation_scope_id: await scope.registry.envelopeId(scope.db, 'instrumentation_scopes', incoming.scope),
      digest: incoming.digest,
      block_id: place.blockId,
      ordinal: place.ordinal,
    });
  }
  await scope.bulkInsert('log_records', rows);
}

/** How long a record of ordinary logging waits for its trace, of which exporters send spans as they end. */
const PLAIN_RECORD_WAITS_US = 3_600_000_000;
