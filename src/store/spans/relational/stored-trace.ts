/** Reads of the writer: a trace as it is, and what an arriving span touches in it. */
import { type Kysely, sql } from 'kysely';
import type { CountedSpan, TraceRollup } from '#derive/trace-rollup';
import { MAX_CLAIMED_COST_USD, MAX_CLAIMED_TOKENS, MIN_CLAIMED_COST_USD, toUsage } from '#derive/usage';
import type { SqlDialect } from '../../dialect/dialect.ts';
import type { Tables } from '../../schema/tables.ts';
import { fromStatusColumn, MODEL_CALL_COLUMN } from './columns.ts';
import { prepareQuery } from './prepared-query.ts';

/** A trace that is stored. */
export interface StoredTrace {
  readonly rowId: number;
  readonly projectId: number;
  readonly rollup: TraceRollup;
}

/** A stored span as the writer sees it. */
export interface KnownSpan extends CountedSpan {
  readonly otelResourceId: number;
  readonly instrumentationScopeId: number;
}

/** The stored ones of the traces, by trace id. Index: unique trace_id. */
export async function loadTraces(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  traceIds: readonly string[],
): Promise<ReadonlyMap<string, StoredTrace>> {
  const rows = await selectTraces({ db, dialect }, { traceIds: JSON.stringify(traceIds) });
  return new Map(
    rows.map((row) => [
      row.trace_id,
      {
        rowId: row.id,
        projectId: row.project_id,
        rollup: {
          startUs: row.start_us,
          endUs: row.end_us,
          spanCount: row.span_count,
          errorCount: row.error_count,
          usage: {
            promptTokens: row.prompt_tokens,
            completionTokens: row.completion_tokens,
            costNanoUsd: row.cost_nanousd,
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
      },
    ]),
  );
}

const selectTraces = prepareQuery(({ db, dialect }, values: { readonly traceIds: string }) =>
  db
    .selectFrom('traces')
    .leftJoin('spans as root', 'root.id', 'traces.root_span_row_id')
    .leftJoin('sessions', 'sessions.id', 'traces.session_row_id')
    .selectAll('traces')
    .select(['root.start_us as root_start_us', 'root.parent_span_id as root_parent_span_id', 'sessions.session_id'])
    .where('traces.trace_id', 'in', dialect.valuesOfJson(values.traceIds) as never),
);

/** The spans of a trace that have one of the ids. Index: spans_by_identity. */
export async function loadSpansById(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  traceRowId: number,
  spanIds: readonly string[],
): Promise<readonly KnownSpan[]> {
  const rows = await selectSpansById({ db, dialect }, { traceRowId, spanIds: JSON.stringify(spanIds) });
  return rows.map(toKnownSpan);
}

const selectSpansById = prepareQuery(
  ({ db, dialect }, values: { readonly traceRowId: number; readonly spanIds: string }) =>
    selectKnown(db)
      .where('trace_row_id', '=', values.traceRowId)
      .where('span_id', 'in', dialect.valuesOfJson(values.spanIds) as never),
);

/**
 * Of each of the parents one child that is a model call with a claim, where it has such a child: that there is one is all
 * that sums depend on, and a parent may have thousands. Spans that are about to be replaced do not count, nor do claims
 * that sums take for nothing. Index: spans_claiming_usage, for which the first comparison with 0 is there.
 */
export async function loadClaimingChildren(
  db: Kysely<Tables>,
  dialect: SqlDialect,
  traceRowId: number,
  parentSpanIds: readonly string[],
  replacedRowIds: readonly number[],
): Promise<readonly KnownSpan[]> {
  const values = {
    traceRowId,
    parentSpanIds: JSON.stringify(parentSpanIds),
    replacedRowIds: JSON.stringify(replacedRowIds),
  };
  return (await selectClaimingChildren({ db, dialect }, values)).map(toKnownSpan);
}

interface ClaimingChildren {
  readonly traceRowId: number;
  readonly parentSpanIds: string;
  readonly replacedRowIds: string;
}

const selectClaimingChildren = prepareQuery(({ db, dialect }, values: ClaimingChildren) => {
  const one = sql<number>`(SELECT child.id FROM spans AS child
    WHERE child.trace_row_id = ${values.traceRowId} AND child.parent_span_id = parent.value
      AND child.kind = ${sql.lit(MODEL_CALL_COLUMN)}
      AND (child.prompt_tokens > 0 OR child.completion_tokens > 0 OR child.cost_usd > 0)
      AND (child.prompt_tokens BETWEEN 1 AND ${MAX_CLAIMED_TOKENS}
        OR child.completion_tokens BETWEEN 1 AND ${MAX_CLAIMED_TOKENS}
        OR child.cost_usd BETWEEN ${MIN_CLAIMED_COST_USD} AND ${MAX_CLAIMED_COST_USD})
      AND child.span_id <> child.parent_span_id AND child.id NOT IN ${dialect.valuesOfJson(values.replacedRowIds)}
    LIMIT 1)`;
  const parents = dialect.valuesOfJson(values.parentSpanIds);
  return selectKnown(db).where('id', 'in', sql<number>`(SELECT ${one} FROM ${parents} AS parent)` as never);
});

/** First and last time of a trace, from all its spans. Index: spans_of_trace. */
export async function readTraceTimes(db: Kysely<Tables>, traceRowId: number) {
  return db
    .selectFrom('spans')
    .select((span) => [span.fn.min('start_us').as('startUs'), span.fn.max('end_us').as('endUs')])
    .where('trace_row_id', '=', traceRowId)
    .executeTakeFirstOrThrow();
}

/** The earliest span of a trace that has no parent here. Index: spans_of_trace, spans_by_identity for each parent. */
export async function readTraceRoot(db: Kysely<Tables>, traceRowId: number): Promise<TraceRollup['root']> {
  const root = await db
    .selectFrom('spans')
    .select(['id as rowId', 'start_us as startUs', 'parent_span_id as parentSpanId'])
    .where('trace_row_id', '=', traceRowId)
    .where((span) =>
      span.not(
        span.exists(
          span
            .selectFrom('spans as parent')
            .select(sql.lit(1).as('one'))
            .whereRef('parent.span_id', '=', 'spans.parent_span_id')
            .whereRef('parent.trace_row_id', '=', 'spans.trace_row_id')
            .whereRef('parent.id', '!=', 'spans.id'),
        ),
      ),
    )
    .orderBy('start_us')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return root ?? null;
}

/** The session of the earliest span of a trace that names one. Index: spans_of_trace. */
export async function readTraceSession(db: Kysely<Tables>, traceRowId: number): Promise<TraceRollup['session']> {
  const first = await db
    .selectFrom('spans')
    .select(['id as rowId', 'start_us as startUs', 'session_id as sessionId'])
    .where('trace_row_id', '=', traceRowId)
    .where('session_id', 'is not', null)
    .orderBy('start_us')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return first === undefined ? null : { ...first, sessionId: first.sessionId as string };
}

function selectKnown(db: Kysely<Tables>) {
  return db
    .selectFrom('spans')
    .select([
      'id',
      'span_id',
      'parent_span_id',
      'start_us',
      'end_us',
      'status',
      'kind',
      'session_id',
      'prompt_tokens',
      'completion_tokens',
      'cost_usd',
      'counted_prompt_tokens',
      'counted_completion_tokens',
      'counted_cost_nanousd',
      'otel_resource_id',
      'instrumentation_scope_id',
    ]);
}

type KnownRow = Awaited<ReturnType<ReturnType<typeof selectKnown>['execute']>>[number];

function toKnownSpan(row: KnownRow): KnownSpan {
  return {
    facts: {
      rowId: row.id,
      spanId: row.span_id,
      parentSpanId: row.parent_span_id,
      startUs: row.start_us,
      endUs: row.end_us,
      isError: fromStatusColumn(row.status) === 'ERROR',
      isModelCall: row.kind === MODEL_CALL_COLUMN,
      sessionId: row.session_id,
      claim: toUsage({ prompt: row.prompt_tokens, completion: row.completion_tokens }, row.cost_usd),
    },
    counted: {
      promptTokens: row.counted_prompt_tokens,
      completionTokens: row.counted_completion_tokens,
      costNanoUsd: row.counted_cost_nanousd,
    },
    otelResourceId: row.otel_resource_id,
    instrumentationScopeId: row.instrumentation_scope_id,
  };
}
