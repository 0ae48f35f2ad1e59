/** Reads of the writer: a trace as it is, and what an arriving span touches in it. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { CountedSpan, TraceRollup } from '#derive/trace-rollup';
import type { CallDistance } from '#derive/usage';
import type { Tables } from '../../schema/tables.ts';
import { fromKindColumn, fromStatusColumn } from '../rows/columns.ts';
import { CLAIM_COLUMNS, COUNTED_COLUMNS, countedOf, toClaim } from '../rows/cost-columns.ts';
import { releaseTraceIds } from './release-ids.ts';
import { prepareQuery, type QueryScope } from '../../queries/prepared-query.ts';

/** A trace that is stored. */
export interface StoredTrace {
  readonly rowId: number;
  readonly projectId: number;
  readonly sessionRowId: number | null;
  readonly rollup: TraceRollup;
}

/** A stored span as the writer sees it. */
export interface KnownSpan extends CountedSpan {
  readonly projectId: number;
  readonly traceRowId: number;
  readonly callDistance: CallDistance;
  readonly otelResourceId: number;
  readonly instrumentationScopeId: number;
}

/** The stored ones of the traces, by trace id; one that is deleted gives up its id. Index: unique trace_id. */
export async function loadTraces(
  scope: QueryScope,
  traceIds: readonly string[],
): Promise<ReadonlyMap<string, StoredTrace>> {
  const rows = await selectTraces(scope, { traceIds: JSON.stringify(traceIds) });
  const deleted = rows.filter((row) => row.known_project_id === null);
  await releaseTraceIds(
    scope,
    deleted.map((row) => ({ rowId: row.id, traceId: row.trace_id })),
  );
  const stored = rows.filter((row) => row.known_project_id !== null);
  return new Map(stored.map((row) => [row.trace_id, toStoredTrace(row)]));
}

/** The traces of the rows, by trace id, in the order of rows. Index: primary keys. */
export async function loadTracesByRow(
  scope: QueryScope,
  rowIds: readonly number[],
): Promise<ReadonlyMap<string, StoredTrace>> {
  if (rowIds.length === 0) return new Map();
  const rows = await selectTracesByRow(scope, { rowIds: JSON.stringify(rowIds) });
  return new Map(rows.map((row) => [row.trace_id, toStoredTrace(row)]));
}

const selectTraces = prepareQuery(({ db, dialect }, values: { readonly traceIds: string }) =>
  selectWithDeciders(db)
    .leftJoin('projects', 'projects.id', 'traces.project_id')
    .select('projects.id as known_project_id')
    .where('traces.trace_id', 'in', dialect.textsOfJson(values.traceIds)),
);

const selectTracesByRow = prepareQuery(({ db, dialect }, values: { readonly rowIds: string }) =>
  selectWithDeciders(db).where('traces.id', 'in', dialect.numbersOfJson(values.rowIds)).orderBy('traces.id'),
);

function selectWithDeciders(db: Kysely<Tables>) {
  return db
    .selectFrom('traces')
    .leftJoin('spans as root', 'root.id', 'traces.root_span_row_id')
    .leftJoin('sessions', 'sessions.id', 'traces.session_row_id')
    .selectAll('traces')
    .select(['root.start_us as root_start_us', 'root.parent_span_id as root_parent_span_id', 'sessions.session_id']);
}

function toStoredTrace(row: Awaited<ReturnType<typeof selectTracesByRow>>[number]): StoredTrace {
  return {
    rowId: row.id,
    projectId: row.project_id,
    sessionRowId: row.session_row_id,
    rollup: {
      startUs: row.start_us,
      endUs: row.end_us,
      spanCount: row.span_count,
      errorCount: row.error_count,
      usage: {
        promptTokens: row.prompt_tokens,
        completionTokens: row.completion_tokens,
        costNanoUsd: row.cost_nanousd,
        promptCostNanoUsd: row.prompt_cost_nanousd,
        completionCostNanoUsd: row.completion_cost_nanousd,
      },
      root:
        row.root_span_row_id === null || row.root_start_us === null
          ? null
          : { rowId: row.root_span_row_id, startUs: row.root_start_us, parentSpanId: row.root_parent_span_id },
      session:
        row.session_span_row_id === null || row.session_start_us === null || row.session_id === null
          ? null
          : { rowId: row.session_span_row_id, startUs: row.session_start_us, sessionId: row.session_id },
    },
  };
}

/** The stored ones of the spans by trace and span id, of each trace at once. Index: spans_by_identity. */
export async function loadSpansById(scope: QueryScope, spanIds: IdsOfTraces): Promise<SpansOfTraces> {
  if (spanIds.size === 0) return new Map();
  return groupByTrace(await selectSpansById(scope, { spanIds: idsOfTracesJson(spanIds) }));
}

/** Span ids by row id of the trace. */
export type IdsOfTraces = ReadonlyMap<number, ReadonlySet<string>>;

/** Spans by row id of the trace and their own id. */
export type SpansOfTraces = ReadonlyMap<number, ReadonlyMap<string, KnownSpan>>;

/** Ids by row id of the trace, as JSON. */
export function idsOfTracesJson(ids: IdsOfTraces): string {
  return JSON.stringify(Object.fromEntries([...ids].map(([traceRowId, ofTrace]) => [traceRowId, [...ofTrace]])));
}

/** The join is crossed so that SQLite looks up each wanted id, however few spans it believes there are. */
const selectSpansById = prepareQuery(({ db, dialect }, values: { readonly spanIds: string }) =>
  db
    .selectFrom(dialect.idsByNumber(values.spanIds).as('wanted'))
    .crossJoin('spans')
    .select(KNOWN_COLUMNS)
    .whereRef('spans.span_id', '=', 'wanted.id')
    .whereRef('spans.trace_row_id', '=', 'wanted.number'),
);

/** First and last time of each trace, from all its spans, by row id. Index: spans_of_trace. */
export async function readTraceTimes(
  scope: QueryScope,
  traceRowIds: readonly number[],
): Promise<ReadonlyMap<number, Pick<TraceRollup, 'startUs' | 'endUs'>>> {
  if (traceRowIds.length === 0) return new Map();
  const rows = await selectTimes(scope, { traceRowIds: JSON.stringify(traceRowIds) });
  return new Map(rows.map(({ traceRowId, startUs, endUs }) => [traceRowId, { startUs, endUs }]));
}

/** The earliest span of each trace that has no parent here, by row id of the trace. Index: spans_of_trace, spans_by_identity for each parent. */
export async function readTraceRoots(
  scope: QueryScope,
  traceRowIds: readonly number[],
): Promise<ReadonlyMap<number, NonNullable<TraceRollup['root']>>> {
  if (traceRowIds.length === 0) return new Map();
  const rows = await selectRoots(scope, { traceRowIds: JSON.stringify(traceRowIds) });
  return new Map(
    rows.map(({ traceRowId, rowId, startUs, parentSpanId }) => [traceRowId, { rowId, startUs, parentSpanId }]),
  );
}

/** The session of the earliest span of each trace that names one, by row id of the trace. Index: spans_of_trace. */
export async function readTraceSessions(
  scope: QueryScope,
  traceRowIds: readonly number[],
): Promise<ReadonlyMap<number, NonNullable<TraceRollup['session']>>> {
  if (traceRowIds.length === 0) return new Map();
  const rows = await selectSessions(scope, { traceRowIds: JSON.stringify(traceRowIds) });
  return new Map(
    rows.map(({ traceRowId, rowId, startUs, sessionId }) => [
      traceRowId,
      { rowId, startUs, sessionId: sessionId as string },
    ]),
  );
}

interface TracesByRow {
  readonly traceRowIds: string;
}

const selectTimes = prepareQuery(({ db, dialect }, { traceRowIds }: TracesByRow) =>
  db
    .selectFrom('spans')
    .select((span) => [
      'trace_row_id as traceRowId',
      span.fn.min('start_us').as('startUs'),
      span.fn.max(span.fn.coalesce('end_us', 'start_us')).as('endUs'),
    ])
    .where('trace_row_id', 'in', dialect.numbersOfJson(traceRowIds))
    .groupBy('trace_row_id'),
);

const selectRoots = prepareQuery((scope, { traceRowIds }: TracesByRow) =>
  selectFirst(
    scope,
    traceRowIds,
    sql`NOT EXISTS (SELECT 1 FROM spans AS parent WHERE parent.span_id = first.parent_span_id
      AND parent.trace_row_id = first.trace_row_id AND parent.id <> first.id)`,
  ).select('spans.parent_span_id as parentSpanId'),
);

const selectSessions = prepareQuery((scope, { traceRowIds }: TracesByRow) =>
  selectFirst(scope, traceRowIds, sql`first.session_id IS NOT NULL`).select('spans.session_id as sessionId'),
);

/** Of the spans of each trace that the condition holds for, the earliest. */
function selectFirst({ db, dialect }: QueryScope, traceRowIds: string, condition: RawBuilder<unknown>) {
  const decided = sql<{ id: number | null }>`(SELECT (SELECT first.id FROM spans AS first
    WHERE first.trace_row_id = trace.value AND ${condition} ORDER BY first.start_us, first.id LIMIT 1) AS id
    FROM ${dialect.numbersOfJson(traceRowIds)} AS trace)`;
  return db
    .selectFrom(decided.as('decided'))
    .crossJoin('spans')
    .select(['spans.trace_row_id as traceRowId', 'spans.id as rowId', 'spans.start_us as startUs'])
    .whereRef('spans.id', '=', 'decided.id');
}

/** The columns of a {@link KnownSpan}. */
export const KNOWN_COLUMNS = [
  'spans.id',
  'spans.project_id',
  'spans.trace_row_id',
  'spans.span_id',
  'spans.parent_span_id',
  'spans.start_us',
  'spans.end_us',
  'spans.status',
  'spans.kind',
  'spans.session_id',
  'spans.response_key',
  'spans.prompt_tokens',
  'spans.completion_tokens',
  ...CLAIM_COLUMNS.map((column) => `spans.${column}` as const),
  'spans.call_distance',
  ...COUNTED_COLUMNS.map((column) => `spans.${column}` as const),
  'spans.otel_resource_id',
  'spans.instrumentation_scope_id',
] as const;

/** A row of {@link KNOWN_COLUMNS}. */
export type KnownRow = Awaited<ReturnType<typeof selectSpansById>>[number];

function groupByTrace(rows: readonly KnownRow[]): SpansOfTraces {
  const spans = new Map<number, Map<string, KnownSpan>>();
  for (const row of rows) {
    const ofTrace = spans.get(row.trace_row_id) ?? new Map<string, KnownSpan>();
    spans.set(row.trace_row_id, ofTrace.set(row.span_id, toKnownSpan(row)));
  }
  return spans;
}

/** The span of a row. */
export function toKnownSpan(row: KnownRow): KnownSpan {
  return {
    projectId: row.project_id,
    traceRowId: row.trace_row_id,
    facts: {
      rowId: row.id,
      spanId: row.span_id,
      parentSpanId: row.parent_span_id,
      startUs: row.start_us,
      endUs: row.end_us ?? row.start_us,
      isError: fromStatusColumn(row.status) === 'ERROR',
      kind: fromKindColumn(row.kind),
      sessionId: row.session_id,
      claim: toClaim(row),
      responseKey: row.response_key,
      instrumentationScopeId: row.instrumentation_scope_id,
    },
    counted: countedOf(row),
    callDistance: row.call_distance,
    otelResourceId: row.otel_resource_id,
    instrumentationScopeId: row.instrumentation_scope_id,
  };
}
