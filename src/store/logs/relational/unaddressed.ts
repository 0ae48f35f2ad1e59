/** Log records without a span id, and the spans that they may be meant for. */
import { boundedText } from '#derive/bounded-text';
import { type CandidateSpan, findMeantSpan } from '#derive/meant-span';
import { serviceNameOf } from '#normalize/normalize-logs';
import { summarizeSpan } from '#normalize/normalize-span';
import type { OtelResource } from '#otlp/messages';
import { ATTR_SERVICE_INSTANCE_ID } from '#semconv/otel';
import { prepareQuery, type QueryScope } from '../../spans/relational/prepared-query.ts';
import { readDecodedSpans } from '../../spans/relational/stored-spans.ts';
import { sourceOf } from '../source.ts';
import type { RecordScope } from './scope.ts';

/** A stored record without a span id. */
export interface UnaddressedRecord {
  readonly rowId: number;
  readonly traceId: string | null;
  readonly spanRowId: number | null;
  /** Whether it may tell what its span did. */
  readonly isContent: boolean;
  readonly timeUs: number;
  readonly conversationId: string | null;
  readonly otelResourceId: number;
  readonly instrumentationScopeId: number;
}

/** What of a span tells which records may be meant for it. */
export interface SpanWindow {
  readonly startUs: number;
  readonly endUs: number;
  readonly sessionId: string | null;
  readonly otelResourceId: number;
  readonly instrumentationScopeId: number;
}

/** The records that may be meant for any of the spans. Index: log_records_of_source, log_records_of_conversation. */
export async function findConcerned(
  scope: RecordScope,
  windows: readonly SpanWindow[],
): Promise<readonly UnaddressedRecord[]> {
  const { presence } = scope;
  if (!presence.isAnyUnaddressed) return [];
  const sources = await readSources(scope, windows);
  const found = new Map<number, UnaddressedRecord>();
  for (const [place, { startUs, endUs, sessionId }] of windows.entries()) {
    const { source } = sources[place] as SourceOfSpan;
    const rows = presence.isAnyOfSource(source) ? [...(await selectOfSource(scope, { source, startUs, endUs }))] : [];
    if (sessionId !== null && presence.isAnyOfConversation) {
      rows.push(...(await selectOfConversation(scope, { conversationId: sessionId, startUs, endUs })));
    }
    for (const row of rows) found.set(row.id, toUnaddressed(row));
  }
  return [...found.values()];
}

/** The same records by their row ids. Index: the primary key. */
export async function readUnaddressed(
  scope: QueryScope,
  rowIds: readonly number[],
): Promise<readonly UnaddressedRecord[]> {
  if (rowIds.length === 0) return [];
  return (await selectByRow(scope, { rowIds: JSON.stringify(rowIds) })).map(toUnaddressed);
}

/** The row of the span that a record is meant for, among all that are stored now; `null` where that cannot be told. */
export async function decide(scope: RecordScope, record: UnaddressedRecord): Promise<number | null> {
  const candidates = await readCandidates(scope, record);
  if (candidates === undefined) return null;
  const isOfScope = candidates.some((span) => span.isOfScope);
  const confirmed = isOfScope ? candidates : await confirmConversations(scope, candidates, record.conversationId);
  return findMeantSpan(confirmed)?.rowId ?? null;
}

/**
 * The candidates that name the conversation themselves. The row of a span has what records say of it, too: were that taken
 * for evidence, what belongs to a span would depend on what came first.
 */
async function confirmConversations(
  scope: RecordScope,
  candidates: readonly CandidateOfRow[],
  conversationId: string | null,
): Promise<readonly CandidateSpan[]> {
  const confirmed: CandidateSpan[] = [];
  const ofConversation = candidates.filter((span) => span.isOfConversation);
  for await (const { row, original, scope: instrumentationScope, resource } of readDecodedSpans(
    scope,
    ofConversation,
  )) {
    const { sessionId } = summarizeSpan(original, instrumentationScope, resource, 0n);
    if (sessionId !== null && boundedText(sessionId) === conversationId) confirmed.push(row);
  }
  return confirmed;
}

/** A candidate, and where its original is found. */
interface CandidateOfRow extends CandidateSpan {
  readonly otelResourceId: number;
  readonly instrumentationScopeId: number;
}

/** Records that an arriving span is compared to, at most: each takes a look at what else ran at its time. */
const MAX_CONCERNED = 500;

/** Spans that ran when a record was made; where there are more, none of them can be meant. */
const MAX_CANDIDATES = 200;

/** Traces of a project, the last that began before a record, among which its span is looked for. */
const MAX_TRACES = 500;

/** Projects that are looked at for a record: its exporter may know less of the project than that of the spans. */
const MAX_PROJECTS = 100;

const RECORD_COLUMNS = [
  'id',
  'trace_id',
  'span_row_id',
  'content_bytes',
  'time_us',
  'conversation_id',
  'otel_resource_id',
  'instrumentation_scope_id',
] as const;

interface Window {
  readonly startUs: number;
  readonly endUs: number;
}

const selectOfSource = prepareQuery(({ db }, values: Window & { readonly source: string }) =>
  db
    .selectFrom('log_records')
    .select(RECORD_COLUMNS)
    .where('source', '=', values.source)
    .where('time_us', '>=', values.startUs)
    .where('time_us', '<=', values.endUs)
    .orderBy('time_us')
    .limit(MAX_CONCERNED),
);

const selectOfConversation = prepareQuery(({ db }, values: Window & { readonly conversationId: string }) =>
  db
    .selectFrom('log_records')
    .select(RECORD_COLUMNS)
    .where('conversation_id', '=', values.conversationId)
    .where('time_us', '>=', values.startUs)
    .where('time_us', '<=', values.endUs)
    .orderBy('time_us')
    .limit(MAX_CONCERNED),
);

const selectByRow = prepareQuery(({ db, dialect }, values: { readonly rowIds: string }) =>
  db
    .selectFrom('log_records')
    .select(RECORD_COLUMNS)
    .where('id', 'in', dialect.valuesOfJson(values.rowIds) as never),
);

function toUnaddressed(row: Awaited<ReturnType<typeof selectByRow>>[number]): UnaddressedRecord {
  return {
    rowId: row.id,
    traceId: row.trace_id,
    spanRowId: row.span_row_id,
    isContent: row.content_bytes !== null,
    timeUs: row.time_us,
    conversationId: row.conversation_id,
    otelResourceId: row.otel_resource_id,
    instrumentationScopeId: row.instrumentation_scope_id,
  };
}

/** Where a span or a record comes from, as far as it is compared. */
interface SourceOfSpan {
  readonly service: string;
  /** Empty where it is not told. */
  readonly instance: string;
  readonly scopeName: string;
  readonly source: string;
}

type Produced = Pick<SpanWindow, 'otelResourceId' | 'instrumentationScopeId'>;

async function readSources(
  { db, dialect, envelopes }: RecordScope,
  produced: readonly Produced[],
): Promise<readonly SourceOfSpan[]> {
  const resourceIds = produced.map((one) => one.otelResourceId);
  const scopeIds = produced.map((one) => one.instrumentationScopeId);
  const resources = await envelopes.resources(db, dialect, resourceIds);
  const scopes = await envelopes.scopes(db, dialect, scopeIds);
  return produced.map(({ otelResourceId, instrumentationScopeId }) => {
    const resource = resources.get(otelResourceId);
    const service = resource === undefined ? '' : serviceNameOf(resource);
    const scopeName = scopes.get(instrumentationScopeId)?.name ?? '';
    return { service, instance: instanceOf(resource), scopeName, source: sourceOf(service, scopeName) };
  });
}

function instanceOf(resource: OtelResource | undefined): string {
  const instance = resource?.attributes.findLast(({ key }) => key === ATTR_SERVICE_INSTANCE_ID)?.value;
  return typeof instance === 'string' ? instance : '';
}

/** The spans of the record's service that ran when it was made; `undefined` where they are too many to tell. */
async function readCandidates(
  scope: RecordScope,
  record: UnaddressedRecord,
): Promise<readonly CandidateOfRow[] | undefined> {
  const rows: CandidateRow[] = [];
  const { traceId, timeUs } = record;
  if (traceId === null) {
    for (const { id: projectId } of await selectProjects(scope, {})) {
      rows.push(...(await selectRunning(scope, { projectId, timeUs })));
      if (rows.length >= MAX_CANDIDATES) return undefined;
    }
  } else {
    rows.push(...(await selectRunningInTrace(scope, { traceId, timeUs })));
    if (rows.length >= MAX_CANDIDATES) return undefined;
  }
  const produced = rows.map((row) => ({
    otelResourceId: row.otel_resource_id,
    instrumentationScopeId: row.instrumentation_scope_id,
  }));
  const [own, ...sources] = await readSources(scope, [record, ...produced]);
  if (own === undefined) return [];
  return rows.flatMap((row, place): CandidateOfRow[] => {
    const source = sources[place];
    if (source?.service !== own.service) return [];
    if (own.instance !== '' && source.instance !== '' && own.instance !== source.instance) return [];
    return [
      {
        rowId: row.id,
        traceRowId: row.trace_row_id,
        spanId: row.span_id,
        parentSpanId: row.parent_span_id,
        isOfScope: own.scopeName !== '' && source.scopeName === own.scopeName,
        isOfConversation: record.conversationId !== null && row.session_id === record.conversationId,
        otelResourceId: row.otel_resource_id,
        instrumentationScopeId: row.instrumentation_scope_id,
      },
    ];
  });
}

const CANDIDATE_COLUMNS = [
  'spans.id',
  'spans.trace_row_id',
  'spans.span_id',
  'spans.parent_span_id',
  'spans.session_id',
  'spans.otel_resource_id',
  'spans.instrumentation_scope_id',
] as const;

type CandidateRow = Awaited<ReturnType<typeof selectRunningInTrace>>[number];

/** Newest first: an application that sends now is in one of them. Index: the primary key. */
const selectProjects = prepareQuery(({ db }, _values: object) =>
  db.selectFrom('projects').select('id').orderBy('id', 'desc').limit(MAX_PROJECTS),
);

/** Index: traces_by_start, spans_of_trace. */
const selectRunning = prepareQuery(({ db }, values: { readonly projectId: number; readonly timeUs: number }) =>
  db
    .selectFrom(
      db
        .selectFrom('traces')
        .select(['id', 'end_us'])
        .where('project_id', '=', values.projectId)
        .where('start_us', '<=', values.timeUs)
        .orderBy('start_us', 'desc')
        .limit(MAX_TRACES)
        .as('near'),
    )
    .innerJoin('spans', 'spans.trace_row_id', 'near.id')
    .select(CANDIDATE_COLUMNS)
    .where('near.end_us', '>=', values.timeUs)
    .where('spans.start_us', '<=', values.timeUs)
    .where('spans.end_us', '>=', values.timeUs)
    .limit(MAX_CANDIDATES),
);

/** Index: unique trace_id, spans_of_trace. */
const selectRunningInTrace = prepareQuery(({ db }, values: { readonly traceId: string; readonly timeUs: number }) =>
  db
    .selectFrom('traces')
    .innerJoin('spans', 'spans.trace_row_id', 'traces.id')
    .select(CANDIDATE_COLUMNS)
    .where('traces.trace_id', '=', values.traceId)
    .where('spans.start_us', '<=', values.timeUs)
    .where('spans.end_us', '>=', values.timeUs)
    .limit(MAX_CANDIDATES),
);
