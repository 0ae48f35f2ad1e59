import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema/tables.ts';

/** Fills the tables of sums, which are empty, from all rows. */
export async function sumAgain(db: Kysely<Tables>): Promise<void> {
  await sql`INSERT INTO span_sums (project_id, quarter, span_count)
    SELECT project_id, start_us / 900000000, count(*) FROM spans WHERE project_id > 0 GROUP BY 1, 2`.execute(db);
  await sql`INSERT INTO trace_sums (project_id, quarter, trace_count, prompt_tokens, completion_tokens,
      cost_nanousd, prompt_cost_nanousd, completion_cost_nanousd)
    SELECT project_id, start_us / 900000000, count(*), sum(prompt_tokens), sum(completion_tokens),
      sum(cost_nanousd), sum(prompt_cost_nanousd), sum(completion_cost_nanousd)
    FROM traces WHERE project_id > 0 GROUP BY 1, 2`.execute(db);
  await sql`INSERT INTO trace_latencies (project_id, stretch, latency_step, trace_count)
    SELECT project_id, start_us / 43200000000, latency_step, count(*) FROM traces WHERE project_id > 0 GROUP BY 1, 2, 3`.execute(
    db,
  );
}
