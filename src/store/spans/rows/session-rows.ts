/** Rows of sessions, as lists show them. */
import type { Kysely } from 'kysely';
import type { Tables } from '../../schema/tables.ts';
import type { SessionRow } from '../port.ts';

/** The columns of a listed session. */
export function selectSessionRows(db: Kysely<Tables>) {
  return db
    .selectFrom('sessions')
    .select([
      'id',
      'session_id',
      'project_id',
      'start_us',
      'end_us',
      'trace_count',
      'prompt_tokens',
      'completion_tokens',
      'cost_nanousd',
      'prompt_cost_nanousd',
      'completion_cost_nanousd',
    ]);
}

/** A row of {@link selectSessionRows} in domain words. */
export function toSessionRow(
  row: Awaited<ReturnType<ReturnType<typeof selectSessionRows>['execute']>>[number],
): SessionRow {
  return {
    rowId: row.id,
    sessionId: row.session_id,
    projectRowId: row.project_id,
    startTimeUs: row.start_us,
    endTimeUs: row.end_us,
    traceCount: row.trace_count,
    promptTokenCount: row.prompt_tokens,
    completionTokenCount: row.completion_tokens,
    costNanoUsd: row.cost_nanousd,
    promptCostNanoUsd: row.prompt_cost_nanousd,
    completionCostNanoUsd: row.completion_cost_nanousd,
  };
}
