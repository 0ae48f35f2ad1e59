/** Log records whose span is looked for: those of LLM applications that carry no span id. */
import { prepareQuery, type QueryScope } from '../../queries/prepared-query.ts';
import { readSources, type SourceOfSpan } from './read-sources.ts';
import type { RecordScope } from './scope.ts';

/** A stored record whose span is looked for. */
export interface UnaddressedRecord {
  readonly rowId: number;
  readonly projectId: number;
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
  readonly traceId: string;
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
  for (const [place, { traceId, startUs, endUs, sessionId }] of windows.entries()) {
    const { service, source } = sources[place] as SourceOfSpan;
    if (service === '') continue;
    const rows = presence.isAnyOfSource(source) ? [...(await selectOfSource(scope, { source, startUs, endUs }))] : [];
    if (sessionId !== null && presence.isAnyOfConversation) {
      rows.push(...(await selectOfConversation(scope, { conversationId: sessionId, startUs, endUs })));
    }
    for (const row of rows) {
      if (row.trace_id === null || row.trace_id === traceId) found.set(row.id, toUnaddressed(row));
    }
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

/** Records that an arriving span is compared to, at most: each takes a look at what else ran at its time. */
const MAX_CONCERNED = 500;

const RECORD_COLUMNS = [
  'id',
  'project_id',
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
  db.selectFrom('log_records').select(RECORD_COLUMNS).where('id', 'in', dialect.numbersOfJson(values.rowIds)),
);

function toUnaddressed(row: Awaited<ReturnType<typeof selectByRow>>[number]): UnaddressedRecord {
  return {
    rowId: row.id,
    projectId: row.project_id,
    traceId: row.trace_id,
    spanRowId: row.span_row_id,
    isContent: row.content_bytes !== null,
    timeUs: row.time_us,
    conversationId: row.conversation_id,
    otelResourceId: row.otel_resource_id,
    instrumentationScopeId: row.instrumentation_scope_id,
  };
}
