/** Rows of traces, as lists show them. */
import type { Kysely } from 'kysely';
import type { Tables } from '../../schema/tables.ts';
import type { TraceRow } from '../port.ts';

/** The columns of a listed trace. */
export function selectTraceRows(db: Kysely<Tables>) {
  return db
    .selectFrom('traces')
    .leftJoin('sessions', 'sessions.id', 'traces.session_row_id')
    .select([
      'traces.id',
      'traces.trace_id',
      'traces.project_id',
      'traces.session_row_id',
      'sessions.session_id',
      'traces.start_us',
      'traces.end_us',
      'traces.span_count',
      'traces.error_count',
      'traces.prompt_tokens',
      'traces.completion_tokens',
      'traces.cost_nanousd',
      'traces.prompt_cost_nanousd',
      'traces.completion_cost_nanousd',
      'traces.root_span_row_id',
    ]);
}

/** A row of {@link selectTraceRows} in domain words. */
export function toTraceRow(row: Awaited<ReturnType<ReturnType<typeof selectTraceRows>['execute']>>[number]): TraceRow {
  return {
    rowId: row.id,
    traceId: row.trace_id,
    projectRowId: row.project_id,
    sessionRowId: row.session_row_id,
    sessionId: row.session_id,
    startTimeUs: row.start_us,
    endTimeUs: row.end_us,
    spanCount: row.span_count,
    errorCount: row.error_count,
    promptTokenCount: row.prompt_tokens,
    completionTokenCount: row.completion_tokens,
    costNanoUsd: row.cost_nanousd,
    promptCostNanoUsd: row.prompt_cost_nanousd,
    completionCostNanoUsd: row.completion_cost_nanousd,
    rootSpanRowId: row.root_span_row_id,
  };
}
