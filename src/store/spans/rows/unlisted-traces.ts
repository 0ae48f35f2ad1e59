import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../../schema/tables.ts';

/** A trace in no list by project; the deletion that took it away, `null` for one that is being moved. */
interface UnlistedTrace {
  readonly trace_row_id: number;
  readonly deletion_id: number | null;
}

/**
 * What `unlisted_traces` holds, as traces and spans themselves say it: a deletion gives traces its own negative id in the place of a project, and
 * what belongs to a trace that is being moved is still in another project. Reads all spans.
 */
const SELECT_UNLISTED: RawBuilder<UnlistedTrace> = sql`
  SELECT id AS trace_row_id, -project_id AS deletion_id FROM traces WHERE project_id < 0
  UNION SELECT traces.id, NULL FROM spans JOIN traces ON traces.id = spans.trace_row_id
    WHERE traces.project_id > 0 AND spans.project_id <> traces.project_id
  UNION SELECT traces.id, NULL FROM log_records JOIN traces ON traces.trace_id = log_records.trace_id
    WHERE log_records.span_row_id IS NULL AND traces.project_id > 0 AND log_records.project_id <> traces.project_id`;

/** Row ids of unlisted traces, where their table is damaged. */
export async function findUnlistedTraces(db: Kysely<Tables>): Promise<ReadonlySet<number>> {
  return new Set((await SELECT_UNLISTED.execute(db)).rows.map((row) => row.trace_row_id));
}

/** Fills the table of unlisted traces, which is empty. */
export async function listUnlistedTraces(db: Kysely<Tables>): Promise<void> {
  await sql`INSERT INTO unlisted_traces (trace_row_id, deletion_id) ${SELECT_UNLISTED}`.execute(db);
}
